// A game system of a few lines, declared as those of Foundry are.

import { Ranks } from "./ranks.js";
import gone from "a-package-that-is-not-here";
const fields = foundry.data.fields;
const whole = (initial, options = {}) => new fields.NumberField({ integer: true, initial, ...options });
const monitor = () => new fields.SchemaField({ value: whole(0, { min: 0 }), max: whole(10) });

class Base extends foundry.abstract.TypeDataModel {
  static defineSchema() {
    const talent = new fields.SchemaField({ rank: whole(1, { nullable: false }) });
    return { physical: monitor(), stun: monitor(), notes: new fields.HTMLField(), talents: new fields.TypedObjectField(talent) };
  }
  prepareDerivedData() {
    new gone.Watcher().watch();
    this.left = this._source.physical.max - this.physical.value;
    if (game.settings.get("little", "armored")) this.hard = true;
  }
}
class Hero extends Base {
  static defineSchema() {
    return { ...super.defineSchema(), side: new fields.StringField({ choices: CONFIG.LITTLE.sides, initial: "left" }) };
  }
}
class Gun extends foundry.abstract.TypeDataModel {
  static defineSchema() {
    return { rank: new fields.StringField({ initial: "" }), marks: new fields.ArrayField(new fields.StringField()) };
  }
}
class LittleCombat extends Combat {
  async nextTurn() {}
  async nextPass() {}
}
class LittleCombatant extends Combatant {
  getRollData() {}
  hurry() {}
  _hurried() {}
}
Hooks.once("init", () => {
  CONFIG.LITTLE = { sides: { left: "Left", right: "Right" }, ranks: Ranks };
  game.settings.register("little", "armored", { type: Boolean, default: false });
  CONFIG.Actor.dataModels = { hero: Hero, mook: Base };
  CONFIG.Item.dataModels.gun = Gun;
  CONFIG.Combat.documentClass = LittleCombat;
  CONFIG.Combatant.documentClass = LittleCombatant;
  CONFIG.statusEffects = [{ id: "out" }, ...CONFIG.statusEffects.slice(0, 1)];
  CONFIG.time.roundTime = 6;
  Sheets.registerSheet("little", class extends gone.Sheet {}, { types: ["hero"] });
});
