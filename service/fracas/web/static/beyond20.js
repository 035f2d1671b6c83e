// The browser extension Beyond20: whether it is on this page, and handing a card over to it. Everything goes by events of the
// document. Beyond20 reports nothing to a page of what became of a card: that, only the chat of the table shows.

/** Milliseconds after which an extension that has not been heard of counts as missing. */
const PATIENCE = 3000;

/** Milliseconds from its start that a page takes to load if its tab may have had the extension before; see `lingerLoading`. */
const LINGERING = 400;

/** Events that only a living extension sends. */
const SIGNS = ["Loaded", "NewSettings", "UpdateSettings", "RenderedRoll"];

/**
 * @typedef {"looking" | "here" | "keeps" | "missing"} Presence
 *   keeps: it is here, but is set to keep rolls to the page that makes them.
 */

/**
 * Reports the extension, now and whenever something changes.
 *
 * @param {(presence: Presence) => void} tell
 */
export function watch(tell) {
  let heard = false;
  tell("looking");
  for (const name of SIGNS) {
    document.addEventListener(`Beyond20_${name}`, (event) => {
      heard = true;
      const [settings] = /** @type {CustomEvent} */ (event).detail ?? [];
      if (name !== "RenderedRoll") tell(settings?.["vtt-tab"]?.vtt === "dndbeyond" ? "keeps" : "here");
    });
  }
  // A newer instance of the extension sends this to an older one, before it says that it is there itself.
  document.addEventListener("Beyond20_disconnect", () => {
    heard = false;
    tell("looking");
    giveUp();
  });
  const giveUp = () => setTimeout(() => heard || tell("missing"), PATIENCE);
  giveUp();
}

/**
 * Holds the end of loading up a little. A tab whose page is back within a tenth of a second counts for Beyond20 as one that its
 * page never left, and it does not come back onto the page. The page can be used meanwhile.
 */
export function lingerLoading() {
  const [{ type } = { type: "" }] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const rest = LINGERING - performance.now();
  if ((history.length === 1 && type === "navigate") || rest <= 0) return; // a new tab, or slow enough
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  frame.contentDocument?.open();
  setTimeout(() => {
    frame.contentDocument?.close();
    frame.remove();
  }, rest);
}

/**
 * Hands a card over.
 *
 * @param {Record<string, unknown>} request the card in the form `beyond20`
 */
export function send(request) {
  document.dispatchEvent(new CustomEvent("Beyond20_SendMessage", { detail: [request] }));
}

/**
 * The lines to enter as custom domains of Beyond20, so that it comes onto a page. It drops a line that does not begin with the
 * protocol, and looks for a permission without a port: Chromium writes that as any port, Firefox as none, beside a line with the
 * port by which Beyond20 knows the page.
 *
 * @param {{protocol: string, hostname: string, port: string}} page
 * @param {boolean} firefox
 * @returns {string[]} none if it takes no such address: it drops those without a dot, but for localhost
 */
export function customDomains({ protocol, hostname, port }, firefox) {
  const named = `${protocol}//${hostname}`;
  if (hostname !== "localhost" && !/[^.]\.[a-z0-9]/i.test(hostname)) return [];
  if (!port) return [`${named}/*`];
  return firefox ? [`${named}/*`, `${named}:${port}/*`] : [`${named}:*/*`];
}
