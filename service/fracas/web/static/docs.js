// Shows the service's own OpenAPI document. Everything comes from the service, so it works offline.
"use strict";

/** @type {any} */ (window).SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  presets: [/** @type {any} */ (window).SwaggerUIBundle.presets.apis],
  deepLinking: true,
  validatorUrl: null,
});
