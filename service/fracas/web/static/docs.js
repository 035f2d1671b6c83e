// Shows the service's own OpenAPI document. Everything comes from the service, so it works offline.
"use strict";

const script = /** @type {HTMLScriptElement} */ (document.currentScript);

/** @type {any} */ (window).SwaggerUIBundle({
  url: new URL("../openapi.json", script.src).href,
  dom_id: "#docs",
  presets: [/** @type {any} */ (window).SwaggerUIBundle.presets.apis],
  deepLinking: true,
  validatorUrl: null,
});
