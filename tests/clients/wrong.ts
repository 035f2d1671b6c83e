// What the generated types must not let pass: each line below is an error, or the compiler complains.
import type { components } from "./fracas";

type Request = components["schemas"]["Request"];

const right: Request = {
    ruleset: "sr4",
    procedure: "ranged-attack",
    situation: { attacker: "rook", target: { use: "guard", cover: "partial" }, distance: 12 },
    options: { recoil: "flat" },
};
// @ts-expect-error there is no such ruleset
const ruleset: Request = { ruleset: "sr9", procedure: "ranged-attack", situation: {} };
// @ts-expect-error the ruleset has no such procedure
const procedure: Request = { ruleset: "cwn", procedure: "ranged-attack", situation: {} };
// @ts-expect-error a field of another ruleset
const field: Request = { ruleset: "sr4", procedure: "ranged-attack", situation: { hack: {} } };
// @ts-expect-error a field of another procedure
const spell: Request = { ruleset: "sr4", procedure: "ranged-attack", situation: { spell: "manabolt" } };
// @ts-expect-error a misspelt field
const distance: Request = { ruleset: "sr4", procedure: "ranged-attack", situation: { distanse: 12 } };
// @ts-expect-error a word that the field does not have
const mode: Request = { ruleset: "sr4", procedure: "ranged-attack", situation: { fire: { mode: "semi" } } };
// @ts-expect-error a house rule that there is not
const rule: Request = { ruleset: "sr4", procedure: "ranged-attack", situation: {}, options: { recoils: "flat" } };
export { distance, field, mode, procedure, right, rule, ruleset, spell };
