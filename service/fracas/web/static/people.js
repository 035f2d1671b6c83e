// @ts-check
/**
 * The page of people, where neither HTML nor htmx does it: counts with plus and minus, the example of the box, the name of
 * a chosen file, and fields that are empty again for the next combatant.
 */

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-step]") : null;
  const field = button?.parentElement?.querySelector("input");
  if (!button || !field) return;
  const count = (Number.parseInt(field.value, 10) || 0) + Number(button.getAttribute("data-step"));
  field.value = String(Math.min(20, Math.max(1, count)));
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-example]") : null;
  const box = document.getElementById(button?.getAttribute("data-example") ?? "");
  if (!(box instanceof HTMLTextAreaElement)) return;
  box.value = box.placeholder;
  box.focus();
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || field.type !== "file" || !field.files) return;
  const place = document.getElementById(field.dataset.file ?? "");
  if (!place) return;
  place.textContent = field.files[0] ? `${field.files[0].name} is chosen.` : "";
  field.form?.requestSubmit();
});

document.body.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful } = /** @type {CustomEvent} */ (event).detail;
  if (!successful || !(elt instanceof HTMLFormElement)) return;
  const field = elt.dataset.clears ? elt.elements.namedItem(elt.dataset.clears) : null;
  if (field instanceof HTMLInputElement) {
    field.value = "";
    for (const tick of elt.querySelectorAll("[type=checkbox]")) /** @type {HTMLInputElement} */ (tick).checked = false;
    field.focus();
  }
  // What has joined is not offered to join once more.
  if (elt.id === "paste-form" && document.querySelector("#loaded .good")) {
    elt.reset();
    const place = document.getElementById("file-name");
    if (place) place.textContent = "";
  }
});
