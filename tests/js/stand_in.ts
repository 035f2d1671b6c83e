// What the stand-in for Foundry (tests/browser/foundry_stand_in) offers is there in Foundry's own types, too.
// tests/foundry/stand_in.test.mjs holds this list against the stand-in.

type Members<Class, Names extends keyof Class> = Names;

export type StandIn = [
  // Document
  Members<Actor, "prepareData" | "id" | "documentName" | "uuid" | "isEmbedded" | "isOwner" | "visible" | "getUserLevel" | "testUserPermission" | "toObject" | "toJSON" | "getFlag" | "setFlag" | "unsetFlag" | "getEmbeddedCollection" | "update" | "delete" | "createEmbeddedDocuments" | "updateEmbeddedDocuments" | "deleteEmbeddedDocuments">,
  // Document
  Members<typeof Actor, "implementation" | "create" | "createDocuments" | "updateDocuments" | "deleteDocuments" | "documentName">,
  // User
  Members<User, "prepareData" | "isGM" | "isSelf" | "isActiveGM" | "targets" | "character" | "can" | "hasPermission" | "hasRole" | "query" | "assignHotbarMacro">,
  // User
  Members<typeof User, "documentName">,
  // Item
  Members<Item, "actor">,
  // Item
  Members<typeof Item, "documentName">,
  // ActiveEffect
  Members<ActiveEffect, "isSuppressed" | "isTemporary">,
  // ActiveEffect
  Members<typeof ActiveEffect, "documentName">,
  // Actor
  Members<Actor, "statuses" | "appliedEffects" | "hasPlayerOwner" | "isToken" | "token" | "getTokenDocument" | "getActiveTokens" | "toggleStatusEffect">,
  // Actor
  Members<typeof Actor, "documentName">,
  // ActorDelta
  Members<Actor, "documentName" | "id" | "uuid" | "isToken" | "token">,
  // ActorDelta
  Members<typeof ActorDelta, "documentName">,
  // Combatant
  Members<Combatant, "combat" | "actor" | "token" | "prepareData" | "isDefeated" | "isOwner" | "getUserLevel" | "players">,
  // Combatant
  Members<typeof Combatant, "documentName">,
  // Combat
  Members<Combat, "prepareData" | "setupTurns" | "combatant" | "started" | "isActive" | "getCombatantsByActor" | "getCombatantByToken" | "startCombat" | "nextTurn" | "previousTurn" | "nextRound" | "previousRound" | "getTimeDelta" | "rollInitiative" | "rollAll" | "rollNPC" | "resetAll" | "setInitiative" | "activate" | "endCombat">,
  // Combat
  Members<typeof Combat, "documentName">,
  // Macro
  Members<Macro, "execute">,
  // Macro
  Members<typeof Macro, "documentName">,
  // Folder
  Members<typeof Folder, "documentName">,
  // JournalEntryPage
  Members<typeof JournalEntryPage, "documentName">,
  // JournalEntry
  Members<typeof JournalEntry, "documentName">,
  // TableResult
  Members<typeof TableResult, "documentName">,
  // RollTable
  Members<typeof RollTable, "documentName">,
  // Scene
  Members<Scene, "dimensions">,
  // Scene
  Members<typeof Scene, "documentName">,
  // Token
  Members<TokenDocument, "actor" | "delta" | "object" | "getCenterPoint">,
  // Token
  Members<typeof TokenDocument, "documentName">,
  // MeasuredTemplate
  Members<typeof MeasuredTemplateDocument, "documentName">,
  // Region
  Members<typeof RegionDocument, "documentName">,
  // ChatMessage
  Members<ChatMessage, "prepareData" | "isAuthor" | "isRoll" | "isContentVisible" | "visible" | "getUserLevel" | "renderHTML">,
  // ChatMessage
  Members<typeof ChatMessage, "getSpeaker" | "getWhisperRecipients" | "documentName">,
  // CompendiumCollection
  Members<foundry.documents.collections.CompendiumCollection<any>, "config" | "ownership" | "folder" | "visible" | "getUserLevel" | "configure" | "setFolder" | "collection" | "documentName" | "documentClass" | "title" | "locked" | "index" | "getIndex" | "getDocuments" | "getDocument">,
  // CompendiumCollection
  Members<typeof foundry.documents.collections.CompendiumCollection, "createCompendium">,
  // ApplicationV2
  Members<foundry.applications.api.ApplicationV2, "id" | "title" | "rendered" | "form" | "hasFrame" | "render" | "setPosition" | "bringToFront" | "close">,
  // ApplicationV2
  Members<typeof foundry.applications.api.ApplicationV2, "DEFAULT_OPTIONS" | "RENDER_STATES">,
  // DialogV2
  Members<typeof foundry.applications.api.DialogV2, "wait" | "confirm" | "prompt" | "input" | "DEFAULT_OPTIONS">,
  // ActorSheetV2
  Members<foundry.applications.sheets.ActorSheetV2, "document" | "actor" | "title">,
  // ActorSheetV2
  Members<typeof foundry.applications.sheets.ActorSheetV2, "DEFAULT_OPTIONS">,
  // Keybindings
  Members<foundry.helpers.interaction.ClientKeybindings, "register" | "get" | "initialize">,
  // Roll
  Members<Roll, "formula" | "total" | "dice" | "result" | "evaluate" | "toJSON" | "render">,
  // Roll
  Members<typeof Roll, "parse" | "validate" | "fromData" | "fromJSON">,
  // Die
  Members<foundry.dice.terms.Die, "total" | "values" | "expression">,
  // NumericTerm
  Members<foundry.dice.terms.NumericTerm, "total" | "expression">,
  // OperatorTerm
  Members<foundry.dice.terms.OperatorTerm, "total" | "expression">,
];
