/** Counts the acts of companies and administrators that took effect, by kind. */

export const acts = new Map<string, number>()
export const did = (kind: string): void => void acts.set(kind, (acts.get(kind) ?? 0) + 1)
