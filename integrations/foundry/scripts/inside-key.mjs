/**
 * The key of the journal of Fracas inside Foundry. Foundry gives documents to clients whose users have no permission for them, so what
 * players must not know is sealed there; the key is in the browsers of game masters alone, by world.
 *
 * Another browser of a game master gets it from one that is open and has it: the asking client writes a public key into a flag of
 * its user, the other one writes the key, sealed for that public key, into a flag of its own. Foundry lets nobody else write there. If no such browser is open, the
 * game master types the recovery key.
 */

import { complain } from "./messages.mjs";

const MODULE = "fracas";

/** Bytes of a key: AES-GCM with 128 bits. */
const SIZE = 16;
const NONCE = 12;
/** Sealed text is filled up with spaces to whole steps of so many bytes: its length says little of what happened. */
const STEP = 512;
/** Of the recovery key: no letters that look like numbers. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CURVE = { name: "ECDH", namedCurve: "P-256" };
/** Milliseconds that other clients have to hand over the key. */
export const PATIENCE = 4_000;
const HANDED = "a key handed over";

/** @param {Uint8Array} bytes */
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A key, and what it seals: only who has the key can read that, or make it. */
export class JournalKey {
  #bytes;
  #key;

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#key = crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  }

  static made() {
    return new JournalKey(crypto.getRandomValues(new Uint8Array(SIZE)));
  }

  /**
   * @param {string} phrase as people type it: in any case, with or without hyphens
   * @returns {JournalKey | null} null if it is no recovery key
   */
  static of(phrase) {
    const letters = phrase.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
    if (letters.length !== Math.ceil((SIZE * 8) / 5) || [...letters].some((letter) => !LETTERS.includes(letter))) return null;
    const bits = [...letters].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
    return new JournalKey(Uint8Array.from({ length: SIZE }, (_, at) => parseInt(bits.slice(8 * at, 8 * at + 8), 2)));
  }

  /** The recovery key: 26 letters and digits, in groups. */
  get phrase() {
    const bits = Array.from(this.#bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
    const letters = bits.match(/.{1,5}/g)?.map((five) => LETTERS[parseInt(five.padEnd(5, "0"), 2)]).join("") ?? "";
    return letters.match(/.{1,5}/g)?.join("-") ?? "";
  }

  /** @param {string} text without spaces at its end @param {string} place what it is and where it stands: sealed text is good there alone */
  async seal(text, place) {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE));
    const [bytes, additionalData] = [text, place].map((one) => new TextEncoder().encode(one));
    const filled = new Uint8Array(Math.ceil(bytes.length / STEP) * STEP).fill(" ".charCodeAt(0));
    filled.set(bytes);
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, await this.#key, filled);
    return base64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
  }

  /** @param {string} sealed @param {string} place @returns {Promise<string>} @throws {Error} it is of another key or place, or was changed */
  async open(sealed, place) {
    const bytes = bytesOf(sealed);
    const how = { name: "AES-GCM", iv: bytes.subarray(0, NONCE), additionalData: new TextEncoder().encode(place) };
    return new TextDecoder().decode(await crypto.subtle.decrypt(how, await this.#key, bytes.subarray(NONCE))).trimEnd();
  }
}

/** Whether this page may encrypt: browsers let pages do so that came by https, or from this computer. */
export function canSeal() {
  return Boolean(globalThis.crypto?.subtle);
}

/** Recovery keys by the id of the world. */
const kept = () => game.settings.get(MODULE, "journalKeys");

/** The key of this world's journal that this browser has. @returns {JournalKey | null} */
export function keptKey() {
  return canSeal() ? JournalKey.of(kept()[game.world.id] ?? "") : null;
}

/** @param {JournalKey} key */
export async function keepKey(key) {
  await game.settings.set(MODULE, "journalKeys", { ...kept(), [game.world.id]: key.phrase });
}

/**
 * The key for a journal that this browser has, or that another browser of a game master hands over.
 *
 * @param {(key: JournalKey) => Promise<boolean>} fits
 * @param {number} patience milliseconds that other browsers have
 * @returns {Promise<JournalKey | null>}
 */
export async function findKey(fits, patience) {
  const own = keptKey();
  if (own && (await fits(own))) return own;
  handed ??= askOthers(fits, patience).finally(() => (handed = null));
  return handed;
}

/**
 * The key that the game master types.
 *
 * @param {(key: JournalKey) => Promise<boolean>} fits
 * @returns {Promise<JournalKey | null>} null if they have none
 */
export async function typedKey(fits) {
  for (let hint = "key-needed"; ; hint = "key-wrong") {
    const content = `<p>${game.i18n.localize(`FRACAS.inside.${hint}`)}</p>
      <div class="form-group"><label for="fracas-key">${game.i18n.localize("FRACAS.inside.key")}</label><input id="fracas-key" name="key" type="text" autocomplete="off" autofocus></div>`;
    const typed = /** @type {{key?: string} | null} */ (await foundry.applications.api.DialogV2.input({ window: { title: "FRACAS.inside.key" }, content }));
    if (!typed) return null;
    const key = JournalKey.of(String(typed.key ?? ""));
    if (!key || !(await fits(key))) continue;
    await keepKey(key);
    return key;
  }
}

/** While it is asked for. @type {Promise<JournalKey | null> | null} */
let handed = null;
/** @type {{id: string, heard: (reply: {public: string, sealed: string}) => Promise<void>} | null} */
let asking = null;

/** @param {(key: JournalKey) => Promise<boolean>} fits @param {number} patience @returns {Promise<JournalKey | null>} */
async function askOthers(fits, patience) {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  const id = foundry.utils.randomID();
  /** @type {Promise<JournalKey | null>} */
  const given = new Promise((done) => {
    setTimeout(() => done(null), patience);
    asking = {
      id,
      heard: async (reply) => {
        const common = await commonKey(pair.privateKey, reply.public);
        const key = JournalKey.of(await common.open(reply.sealed, HANDED));
        if (!key || !(await fits(key))) return;
        await keepKey(key);
        done(key);
      },
    };
  });
  await game.user?.update({ flags: { [MODULE]: { keyWanted: { id, public: await publicOf(pair) } } } });
  return given.finally(() => (asking = null));
}

/** @param {CryptoKeyPair} pair */
async function publicOf(pair) {
  return base64(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
}

/** What only the two have of whom one has the private key and the other made the public one. @param {CryptoKey} own @param {string} other */
async function commonKey(own, other) {
  const key = await crypto.subtle.importKey("raw", bytesOf(other), CURVE, false, []);
  const bits = await crypto.subtle.deriveBits({ name: "ECDH", public: key }, own, 256);
  const hash = await crypto.subtle.digest("SHA-256", bits);
  return new JournalKey(new Uint8Array(hash).slice(0, SIZE));
}

/** @param {any} user who asks, a game master for certain @param {{id: string, public: string}} wanted */
async function handOver(user, wanted) {
  const key = keptKey();
  if (!key || !user.isGM || wanted.id === asking?.id) return;
  const pair = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  const sealed = await (await commonKey(pair.privateKey, wanted.public)).seal(key.phrase, HANDED);
  await game.user?.update({ flags: { [MODULE]: { keyGiven: { id: wanted.id, public: await publicOf(pair), sealed } } } });
}

/** For the hook `init`. */
export function registerKeys() {
  Hooks.on("updateUser", (/** @type {any} */ user, /** @type {any} */ changes) => {
    const { keyWanted, keyGiven } = changes.flags?.[MODULE] ?? {};
    const flags = user.flags[MODULE];
    if (!user.isGM || !game.user?.isGM) return;
    if (keyWanted) handOver(user, flags.keyWanted).catch(complain);
    if (keyGiven && asking && flags.keyGiven.id === asking.id) asking.heard(flags.keyGiven).catch(console.warn);
  });
}
