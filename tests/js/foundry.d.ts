// What the module adds to Foundry's own types: its settings, flags, hooks and queries, and what other modules and newer versions of
// Foundry have that their typings lack.

type Card = import("../../integrations/foundry/scripts/chat-card.mjs").Card;
type Encounter = import("../../integrations/foundry/scripts/client.mjs").Encounter;
type Outcome = Pick<Card["answer"], "outcome" | "effects">;

/** What a Combat keeps of its fight. */
interface Followed {
  id: string;
  version: number;
  phase?: string;
  part?: number;
  parts?: number;
  words?: string;
  undoable?: number;
  redoable?: number;
}

declare global {
  /** All code runs after the hook "ready", or only what is there before. */
  interface AssumeHookRan {
    ready: never;
  }

  namespace CONFIG {
    interface Queries {
      "fracas.ask": (data: import("../../integrations/foundry/scripts/inside-place.mjs").Asked) => Promise<import("../../integrations/foundry/scripts/inside-place.mjs").Answer>;
      "fracas.need-token": (data: { user: string }) => Promise<boolean>;
      "fracas.code": (data: { id: string; code: string }) => Promise<boolean>;
      "fracas.reply": (data: { id: string; code: string; result?: unknown; error?: string }) => Promise<boolean>;
      "fracas.token": (data: any) => Promise<boolean>;
    }
  }

  /** The module libWrapper, where it is active. */
  var libWrapper: { register?: (module: string, target: string, instead: Function, kind: "MIXED") => void } | undefined;
}

declare module "fvtt-types/configuration" {
  interface FlagConfig {
    ChatMessage: { fracas?: Record<string, any> };
    Combat: { fracas?: { encounter?: Followed; combatants?: Record<string, string> } };
    Folder: { fracas?: { entry?: string; sidebar?: string } };
    JournalEntry: { fracas?: { claim?: object; secret?: string } };
    JournalEntryPage: { fracas?: import("../../integrations/foundry/scripts/inside-journal.mjs").Page };
    Macro: { fracas?: { macro?: string } };
    User: {
      fracas?: {
        request?: string;
        written?: string;
        keyWanted?: { id: string; public: string };
        keyGiven?: { id: string; public: string; sealed: string };
      };
    };
  }
  interface SettingConfig {
    "fracas.where": string;
    "fracas.address": string;
    "fracas.mapping": string;
    "fracas.token": string;
    "fracas.visibility": string;
    "fracas.dice": string;
    "fracas.decisions": string;
    "fracas.worldDecisions": string;
    "fracas.hotbar": string;
    "fracas.positions": boolean;
    "fracas.tokens": Record<string, string>;
    "fracas.journalKeys": Record<string, string>;
    "fracas.ownMapping": Record<string, unknown>;
  }
  interface ModuleConfig {
    fracas: { api?: object };
  }
  namespace Hooks {
    interface HookConfig {
      "fracas.attack": (attack: import("../../integrations/foundry/scripts/public-hooks.mjs").Told & Outcome & { message: unknown }) => void;
      "fracas.circle": () => void;
      "fracas.encounter": (combat: unknown, encounter: any) => void;
      "fracas.event": (fight: Encounter, event: any) => void;
      "fracas.preAttack": (attack: import("../../integrations/foundry/scripts/public-hooks.mjs").Told) => boolean | void;
      "fracas.service": () => void;
      "fracas.token": (fight: string) => void;
      getChatMessageContextOptions: (log: unknown, entries: object[]) => void;
      /** Of the module Quench. */
      quenchReady: (quench: { registerBatch: (name: string, batch: (context: any) => void, options: { displayName: string }) => void }) => void;
    }
  }
}

export {};
