/** Documents by their uuid. Foundry's typings know of none of them what kind it is; neither do cards, which keep the uuids. */

/**
 * @param {string | null | undefined} uuid
 * @returns {any} null if there is none; of a compendium only the entry in its index
 */
export function documentAt(uuid) {
  return uuid ? fromUuidSync(uuid) : null;
}

/**
 * @param {string} uuid
 * @returns {Promise<any>} null if there is none
 */
export async function storedAt(uuid) {
  return fromUuid(uuid);
}
