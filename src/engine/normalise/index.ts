/** Normalisation: defaults, countries, provinces, treatments, regime keys, exchange rates. */
export { type Normalised, normalise } from './document.ts'
export type { ExcessDecimals, NormalisationFacts, UsedFeatures } from './facts.ts'
export { issuerProvince } from './issue-data.ts'
export { addressOf, provinceOf } from './party.ts'
