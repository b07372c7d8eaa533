/** Defaults, countries, provinces, treatments, regime keys; and what is completed once amounts are known. */
export { completeLiterals, completePayments } from './complete.ts'
export { convertInputs, fillExchangeRate, writeCurrencyBlocks } from './currency.ts'
export { type Normalised, normalise } from './document.ts'
export type { Excess, Facts, Uses } from './facts.ts'
export { addressOf, provinceOf } from './party.ts'
