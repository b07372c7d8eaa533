/** Defaults, countries, provinces, treatments, regime keys, exchange rates: what an invoice means. */
export { type Normalised, normalise } from './document.ts'
export type { Excess, Facts, Uses } from './facts.ts'
export { addressOf, provinceOf } from './party.ts'
