// The names of Roll20's sandbox that the Mod uses, for the type check only. What is not here the Mod cannot use.

interface Roll20Object {
  readonly id: string;
  get(property: string): any;
  get(property: "notes" | "gmnotes" | "bio", callback: (text: string) => void): void;
  set(properties: Record<string, unknown>): unknown;
  remove(): void;
}

interface Roll20Message {
  type: string;
  content: string;
  who: string;
  playerid: string;
  selected?: { _id: string; _type: string }[];
}

declare function on(event: "ready", callback: () => void): void;
declare function on(event: "chat:message", callback: (message: Roll20Message) => void): void;
declare function sendChat(speaker: string, message: string, callback: null, options: { noarchive: boolean }): void;
declare function createObj(type: string, properties: Record<string, unknown>): Roll20Object;
declare function getObj(type: string, id: string): Roll20Object | null | undefined;
declare function findObjs(
  properties: Record<string, unknown> & { _type: string },
  options?: { caseInsensitive: boolean },
): Roll20Object[];
declare function playerIsGM(playerid: string): boolean;
declare function Campaign(): Roll20Object;
declare function log(message: unknown): void;
declare function setTimeout(callback: () => void, milliseconds: number): unknown;

/** What Roll20 keeps of all Mods of a game, as plain data. */
declare const state: { Fracas?: any };
