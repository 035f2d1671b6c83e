// Rolls of plain dice: formulas such as "8d6cs>=5" or "1d20 + 4", thrown here or rebuilt from data.

export class RollTerm {
  constructor({ options = {} } = {}) {
    this.options = options;
    this._evaluated = false;
  }
  toJSON() {
    const { _evaluated, ...own } = this;
    return { class: this.constructor.name, ...own, evaluated: _evaluated };
  }
  static fromData(data) {
    const term = new { Die, NumericTerm, OperatorTerm }[data.class](data);
    term._evaluated = data.evaluated ?? true;
    return term;
  }
}

export class Die extends RollTerm {
  constructor({ number = 1, faces = 6, modifiers = [], results = [], options }) {
    super({ options });
    Object.assign(this, { number, faces, modifiers, results });
  }
  get total() {
    const counted = this.results.filter(({ active }) => active);
    return counted.reduce((sum, { result, count }) => sum + (count ?? result), 0);
  }
  get values() {
    return this.results.filter(({ active }) => active).map(({ result }) => result);
  }
  get expression() {
    return `${this.number}d${this.faces}${this.modifiers.join("")}`;
  }
  throwDice() {
    for (let left = this.number; left > 0; left--) {
      this.results.push({ result: Math.ceil(CONFIG.Dice.randomUniform() * this.faces) || 1, active: true });
    }
    this._evaluated = true;
  }
}

export class NumericTerm extends RollTerm {
  constructor({ number, options }) {
    super({ options });
    this.number = number;
  }
  get total() {
    return this.number;
  }
  get expression() {
    return `${this.number}`;
  }
}

export class OperatorTerm extends RollTerm {
  constructor({ operator, options }) {
    super({ options });
    this.operator = operator;
  }
  get total() {
    return ` ${this.operator} `;
  }
  get expression() {
    return ` ${this.operator} `;
  }
}

export class Roll {
  constructor(formula, data = {}, options = {}) {
    Object.assign(this, { data, options, terms: Roll.parse(formula), _evaluated: false, _total: undefined });
    this._formula = this.terms.map(({ expression }) => expression).join("");
  }
  static parse(formula) {
    return formula.split(/\s*([+-])\s*/).map((part) => {
      const die = /^(\d+)d(\d+)(\S*)$/.exec(part);
      if (die) return new Die({ number: Number(die[1]), faces: Number(die[2]), modifiers: die[3] ? [die[3]] : [] });
      if (part === "+" || part === "-") return new OperatorTerm({ operator: part });
      if (/^\d+$/.test(part)) return new NumericTerm({ number: Number(part) });
      throw new Error(`Unresolved StringTerm ${part} requested for evaluation`);
    });
  }
  static validate(formula) {
    try {
      return Boolean(Roll.parse(formula));
    } catch {
      return false;
    }
  }
  get formula() {
    return this._formula;
  }
  get total() {
    return Number(this._total) || 0;
  }
  get dice() {
    return this.terms.filter((term) => term instanceof Die);
  }
  get result() {
    return this.terms.map(({ total }) => total).join("");
  }
  async evaluate() {
    if (this._evaluated) throw new Error("This Roll has already been evaluated and cannot be re-evaluated");
    for (const die of this.dice) die.throwDice();
    this._total = this.sum();
    this._evaluated = true;
    return this;
  }
  sum() {
    let sign = 1;
    return this.terms.reduce((sum, term) => {
      if (!(term instanceof OperatorTerm)) return sum + sign * term.total;
      sign = term.operator === "-" ? -1 : 1;
      return sum;
    }, 0);
  }
  toJSON() {
    const terms = this.terms.map((term) => term.toJSON());
    return { class: "Roll", options: this.options, dice: [], formula: this._formula, terms, total: this._total, evaluated: this._evaluated };
  }
  static fromData(data) {
    if (data.class !== "Roll") throw new Error(`Unable to recreate ${data.class} instance from provided data`);
    const roll = Object.assign(Object.create(Roll.prototype), { data: {}, options: data.options ?? {} });
    roll.terms = data.terms.map(RollTerm.fromData);
    roll._formula = roll.terms.map(({ expression }) => expression).join("");
    roll._evaluated = data.evaluated ?? true;
    roll._total = data.total;
    if (roll._evaluated && roll.terms.some((term) => term instanceof Die && !term._evaluated)) throw new Error("an unevaluated term");
    return roll;
  }
  static fromJSON(json) {
    return Roll.fromData(JSON.parse(json));
  }
  /** The small table of dice below a total, as a chat message without own content shows it. */
  async render() {
    const dice = this.dice.map((die) => `<li>${die.expression}: ${die.results.map(({ result }) => result).join(" ")}</li>`);
    return `<div class="dice-roll"><div class="dice-formula">${this.formula}</div><ol>${dice.join("")}</ol><h4 class="dice-total">${this.total}</h4></div>`;
  }
}
