/** What the client of the active game master asks Fracas for other clients. */

export const FIGHTS = "/v1/encounters";

/**
 * What other clients may ask for: whatever is read, what is only worked out, and what a token of a fight decides about. Fights
 * are begun by game masters.
 *
 * @param {string} method
 * @param {string} path judged as `Inside` reads it: as a part of an address, in which `%2e%2e`, `..\` and `..` lead upwards
 */
export function mayBeRelayed(method, path) {
  const place = placeIn(path);
  if (!/^\/(health$|v1\/|foundry\/(mappings|documents))/.test(place) || /[\\\0]|\/(\.{0,2})(\/|$)/.test(place)) return false;
  if (method === "GET") return true;
  if (method === "POST" && /^\/v1\/(odds|resolve|resolve\/continue)$/.test(place)) return true;
  return ["POST", "DELETE"].includes(method) && place.startsWith(`${FIGHTS}/`);
}

/** The path to which an address leads, decoded; "" if it leads nowhere. @param {string} path */
function placeIn(path) {
  try {
    return decodeURIComponent(new URL(path, "http://localhost/").pathname);
  } catch {
    return "";
  }
}
