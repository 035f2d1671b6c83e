/**
 * What stands of a fight: an undo takes back events, a redo brings them back, and none of them goes out of the log.
 *
 * Nothing here needs Foundry.
 */

/** @typedef {import("./client.mjs").Encounter} Encounter */

/**
 * @typedef {object} Story
 * @property {number} version
 * @property {Set<number>} standing versions that are not undone
 * @property {number[]} undone what redo would bring back
 * @property {Map<string, {state: "applied" | "discarded", version: number}>} ends how steps ended, of standing events
 * @property {{version: number, type: string, data: any}[]} events that end steps
 */

/** @returns {Story} of a fight of which nothing is known yet */
export function newStory() {
  return { version: 0, standing: new Set(), undone: [], ends: new Map(), events: [] };
}

/** @type {Map<string, Story>} by fight */
const stories = new Map();

/**
 * @param {Encounter} fight
 * @param {number} version up to which
 * @returns {Promise<Story>}
 */
export async function storyOf(fight, version) {
  const story = stories.get(fight.id) ?? newStory();
  stories.set(fight.id, story);
  while (story.version < version) {
    const { events } = await fight.events(story.version);
    if (events.length === 0) break;
    for (const event of events) hear(story, event);
  }
  const ends = story.events.filter((event) => story.standing.has(event.version));
  story.ends = new Map(ends.map(({ type, version, data }) => [data.resolution, { state: /** @type {"applied" | "discarded"} */ (type), version }]));
  return story;
}

/**
 * @param {Story} story
 * @param {{version: number, type: string, data: any}} event
 */
export function hear(story, event) {
  const { version, type, data } = event;
  if (version <= story.version) return;
  story.version = version;
  if (type === "undone") {
    const gone = [...story.standing].filter((one) => one > data.to);
    for (const one of gone) story.standing.delete(one);
    story.undone = [...gone, ...story.undone];
  } else if (type === "redone") {
    for (const one of story.undone.filter((one) => one <= data.to)) story.standing.add(one);
    story.undone = story.undone.filter((one) => one > data.to);
  } else if (type !== "contributed" && type !== "reseeded") {
    story.standing.add(version);
    story.undone = [];
    if (type === "applied" || type === "discarded") story.events.push(event);
    // Where nobody is asked to confirm, what a step does is done with its last answer.
    for (const piece of [data.step, ...(data.steps ?? [])]) {
      const id = piece?.resolution ?? piece?.open?.id;
      if (piece?.applied && piece.effects?.length > 0) story.events.push({ version, type: "applied", data: { resolution: id } });
    }
  }
}
