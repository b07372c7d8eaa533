/** Normalisation: defaults, countries, provinces, treatments, regime keys, exchange rates. */

export type { ExcessDecimals, NormalisationFacts, UsedFeatures } from './facts.ts'
export { FILLED_FROM } from './filled-from.ts'
export { issuerProvince } from './issue-data.ts'
export { type Normalised, normalise } from './normalise-document.ts'
export { addressOf, provinceOf } from './normalise-party.ts'
