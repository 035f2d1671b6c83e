// For browsers too old to read the page's modules, which would wait for ever: in words that all of them read.
window.addEventListener("load", function () {
  var part = function (/** @type {string} */ id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  };
  if (part("state").textContent !== "Loads") return; // the modules have changed it before this event
  part("state").textContent = "Fracas does not run here";
  part("refused").hidden = false;
  part("frame").hidden = true;
});
