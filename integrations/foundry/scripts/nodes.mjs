/**
 * Nodes of a page, and how numbers and terms of the service are written.
 *
 * Nothing here needs Foundry.
 */

/**
 * A node with a class and children; texts stay texts.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | undefined>} attributes those that are false or undefined are left out
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** @param {number | null} value */
export function signed(value) {
  return value === null ? "" : value > 0 ? `+${value}` : `${value}`.replace("-", "\u2212");
}

/** @param {string} term such as `net_hits`, of the service @returns {string} */
export function words(term) {
  return term.replace(/[_-]/g, " ");
}
