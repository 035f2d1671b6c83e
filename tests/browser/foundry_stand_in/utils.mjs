// What of `foundry.utils` the module uses, with the same meaning.

export class Collection extends Map {
  [Symbol.iterator]() {
    return this.values();
  }
  get contents() {
    return [...this.values()];
  }
  get(id, { strict = false } = {}) {
    const found = super.get(id);
    if (strict && found === undefined) throw new Error(`The key ${id} does not exist`);
    return found;
  }
  getName(name) {
    return this.find((document) => document.name === name);
  }
  find(test) {
    return this.contents.find(test);
  }
  filter(test) {
    return this.contents.filter(test);
  }
  map(change) {
    return this.contents.map(change);
  }
  some(test) {
    return this.contents.some(test);
  }
  every(test) {
    return this.contents.every(test);
  }
  reduce(step, start) {
    return this.contents.reduce(step, start);
  }
  toJSON() {
    return this.map((document) => document.toJSON?.() ?? document);
  }
}

const plain = (value) => value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;

export const utils = {
  deepClone: (value) => structuredClone(value),
  duplicate: (value) => JSON.parse(JSON.stringify(value)),
  isEmpty: (value) => !value || Object.keys(value).length === 0,
  escapeHTML: (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  isNewerVersion: (one, other) => `${one}`.localeCompare(`${other}`, undefined, { numeric: true }) > 0,
  randomID(length = 16) {
    const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return Array.from({ length }, () => signs[Math.floor(Math.random() * signs.length)]).join("");
  },
  debounce(callback, delay) {
    let timer;
    return (...args) => {
      clearTimeout(timer);
      timer = setTimeout(() => callback(...args), delay);
    };
  },
  getProperty(object, key) {
    if (!key || object === null || object === undefined) return undefined;
    if (key in Object(object)) return object[key];
    return key.split(".").reduce((value, part) => (value === null || value === undefined ? undefined : value[part]), object);
  },
  hasProperty(object, key) {
    return utils.getProperty(object, key) !== undefined;
  },
  setProperty(object, key, value) {
    const parts = key.split(".");
    const last = parts.pop();
    const place = parts.reduce((target, part) => (target[part] ??= {}), object);
    const changed = place[last] !== value;
    place[last] = value;
    return changed;
  },
  expandObject(object) {
    const found = {};
    for (const [key, value] of Object.entries(object)) {
      utils.setProperty(found, key, plain(value) ? utils.expandObject(value) : value);
    }
    return found;
  },
  flattenObject(object, before = "") {
    const found = {};
    for (const [key, value] of Object.entries(object)) {
      if (plain(value) && !utils.isEmpty(value)) Object.assign(found, utils.flattenObject(value, `${before}${key}.`));
      else found[before + key] = value;
    }
    return found;
  },
  mergeObject(original, other = {}, { inplace = true, performDeletions = false } = {}) {
    const target = inplace ? original : structuredClone(original);
    for (const [path, value] of Object.entries(utils.flattenObject(other))) {
      const parts = path.split(".");
      const last = parts.pop();
      const place = parts.reduce((at, part) => (plain(at[part]) ? at[part] : (at[part] = {})), target);
      if (last.startsWith("-=") && performDeletions) delete place[last.slice(2)];
      else place[last] = value;
    }
    return target;
  },
  fromUuidSync(uuid) {
    const parts = uuid?.split(".") ?? [];
    if (parts[0] === "Compendium") return null;
    if (parts[0] === "Scene" && parts[2] === "Token") {
      const token = canvas.tokens.get(parts[3]);
      return (parts[4] === "Actor" ? token?.actor : token?.document) ?? null;
    }
    let found = game.collections.get(parts[0])?.get(parts[1]);
    for (let at = 2; found && at < parts.length; at += 2) found = found.getEmbeddedCollection?.(parts[at])?.get(parts[at + 1]);
    return found ?? null;
  },
  async fromUuid(uuid) {
    return utils.fromUuidSync(uuid);
  },
};

export const Hooks = new (class {
  #next = 1;
  /** By name, in the order in which they are called; Foundry shows these lists to everyone. */
  events = {};
  on(name, callback, { once = false } = {}) {
    const id = this.#next++;
    (this.events[name] ??= []).push({ id, callback, once });
    return id;
  }
  once(name, callback) {
    return this.on(name, callback, { once: true });
  }
  off(name, which) {
    const hooks = this.events[name] ?? [];
    const at = hooks.findIndex(({ id, callback }) => id === which || callback === which);
    if (at >= 0) hooks.splice(at, 1);
  }
  #run(name, args, stop) {
    for (const hook of [...(this.events[name] ?? [])]) {
      if (hook.once) this.off(name, hook.id);
      let result;
      try {
        result = hook.callback(...args);
      } catch (error) {
        console.error(`Error in hook ${name}`, error);
      }
      if (stop && result === false) return false;
    }
    return true;
  }
  call(name, ...args) {
    return this.#run(name, args, true);
  }
  callAll(name, ...args) {
    return this.#run(name, args, false);
  }
})();
