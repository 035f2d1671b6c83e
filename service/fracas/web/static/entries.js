// Entries of the packs of a ruleset, for lists to choose from.

/** @typedef {{slug: string, label: string, data: any}} Entry */

/** Kinds whose folder in a pack is not the kind with an s. */
const FOLDER = /** @type {Record<string, string>} */ ({ armor: "armor", ammunition: "ammunition", skirmish: "skirmishes" });

/**
 * Those of all its packs; of two with one slug the later one.
 *
 * @param {import("../integrations/foundry/scripts/client.mjs").ServiceClient} client
 * @param {{packs: {id: string}[]}} ruleset
 * @param {string} kind such as weapon
 * @returns {Promise<Entry[]>}
 */
export async function entriesOf(client, { packs }, kind) {
  const folder = FOLDER[kind] ?? `${kind}s`;
  const asked = packs.map(({ id }) => client.ask(`/v1/packs/${encodeURIComponent(id)}/${folder}?limit=1000`));
  const found = new Map((await Promise.all(asked)).flat().map((/** @type {Entry} */ entry) => [entry.slug, entry]));
  return [...found.values()];
}
