// What the module adds to Foundry's own types.

declare global {
  /** All code runs after the hook "ready", or only what is there before. */
  interface AssumeHookRan {
    ready: never;
  }
}

declare module "fvtt-types/configuration" {
  interface FlagConfig {
    Folder: { fracas?: { entry?: string; sidebar?: string } };
  }
  interface SettingConfig {
    "fracas.address": string;
    "fracas.mapping": string;
    "fracas.token": string;
    "fracas.visibility": string;
    "fracas.dice": string;
    "fracas.decisions": string;
    "fracas.worldDecisions": string;
    "fracas.hotbar": string;
    "fracas.tokens": Record<string, string>;
    "fracas.ownMapping": Record<string, unknown>;
  }
}

export {};
