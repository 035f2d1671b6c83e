// @ts-check
/**
 * Forms of the console: what is wrong stands at its field and goes when the field is mended, and a button says what its
 * form still lacks.
 */

/** The form that was sent last, to which a refusal belongs. */
let sent = /** @type {HTMLFormElement | null} */ (null);

document.body.addEventListener("htmx:beforeRequest", (event) => {
  const { elt } = /** @type {CustomEvent} */ (event).detail;
  if (elt instanceof HTMLFormElement) sent = elt;
});

/** Says at its button what an action still lacks, which is not sent before. */
function lacking() {
  const button = document.querySelector("form.action-form .submit-bar button");
  const state = document.getElementById("action-state");
  const missing = document.querySelector("#odds .needed");
  if (!(button instanceof HTMLButtonElement) || !state) return;
  button.disabled = missing !== null;
  const short = document.querySelector("#odds [data-short]")?.getAttribute("data-short") ?? "";
  state.textContent = missing?.textContent?.trim() ?? short;
}

/**
 * The control of a form that a path of a problem is about: of its name, or of what the path begins with, as in
 * ``dice[0][1]``.
 *
 * @param {HTMLFormElement} form
 * @param {string} path
 */
function controlOf(form, path) {
  const names = [path, path.replace(/^fields\./, "field."), path.split(/[.[]/)[0]];
  if (form.querySelector("[name=sets]") && path.startsWith("fields.")) names.push("value");
  const found = names.map((name) => form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`));
  return found.find((one) => one instanceof HTMLElement) ?? null;
}

/**
 * What is marked around a field that is wrong: its label, or all of a choice whose answers stand side by side.
 *
 * @param {Element} field
 */
function boxOf(field) {
  return field.closest("fieldset.control") ?? field.closest("label") ?? field;
}

/** @param {HTMLFormElement} form whose complaints go */
function forgive(form) {
  for (const error of form.querySelectorAll(".error")) error.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const label of form.querySelectorAll(".wrong")) label.classList.remove("wrong");
  const rest = form.querySelector(".wrong-all");
  rest?.replaceChildren();
  rest?.toggleAttribute("hidden", true);
}

/** Puts what is wrong with fields beside these fields, and the rest above the button; without a form it stays on top. */
function complain() {
  const notice = document.getElementById("notice");
  if (!notice?.firstElementChild) return;
  const form = sent?.isConnected ? sent : null;
  if (form) {
    forgive(form);
    const rest = form.querySelector(".wrong-all");
    for (const problem of notice.querySelectorAll("li")) {
      const field = controlOf(form, problem.dataset.field ?? "");
      if (field) {
        const box = boxOf(field);
        const error = document.createElement("span");
        error.className = "error";
        error.id = `${box.id || field.id}-error`;
        error.textContent = problem.querySelector(".what")?.textContent ?? problem.textContent;
        if (box === field) field.after(error);
        else box.append(error);
        box.classList.add("wrong");
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", error.id);
        for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
        problem.remove();
      } else if (rest) {
        rest.append(problem);
        rest.toggleAttribute("hidden", false);
      }
    }
    const first = form.querySelector("[aria-invalid]");
    if (first instanceof HTMLElement) first.focus();
  }
  if (!notice.querySelector("li")) notice.replaceChildren();
  else notice.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", (event) => {
  const field = event.target;
  const form = field instanceof Element ? field.closest("form") : null;
  if (!form || !(field instanceof Element)) return;
  const box = boxOf(field);
  document.getElementById(`${box.id || field.id}-error`)?.remove();
  for (const one of [field, ...box.querySelectorAll("[aria-invalid]")]) one.removeAttribute("aria-invalid");
  box.classList.remove("wrong");
  const rest = form.querySelector(".wrong-all");
  rest?.replaceChildren();
  rest?.toggleAttribute("hidden", true);
  if (form === sent) document.getElementById("notice")?.replaceChildren();
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  const { target } = /** @type {CustomEvent} */ (event).detail;
  lacking();
  if (target.id === "notice") complain();
});
