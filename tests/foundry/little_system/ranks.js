export const Ranks = { low: 1, high: 2 };
