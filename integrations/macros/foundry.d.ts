// The names of Foundry VTT that the macros use, for the type check only.

declare const ChatMessage: {
  create(data: { speaker: object; content: string }): Promise<unknown>;
  getSpeaker(): object;
};

declare const ui: {
  notifications: { error(html: string, options: { permanent: boolean }): unknown };
};
