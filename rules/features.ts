/** What only some invoices have: a rule that needs it is not asked about the others. */
import type { Context } from './context.ts'

const FEATURES = {
  issued: ({ issued }) => issued,
  received: ({ issued }) => !issued,
  import: ({ settings }) => settings.operation === 'import',
  today: ({ settings }) => settings.today !== null,
  company: ({ company }) => company !== null,
  corrective: ({ invoice: { header } }) => header.is_corrective === true || header.corrective !== undefined,
  /** A breakdown that the client sent. */
  entries: ({ sent }) => sent.taxes_outputs !== undefined,
  /** A treatment that is named, by a line or an entry. */
  treatments: ({ uses, sent }) => uses.treatments || sent.taxes_outputs !== undefined,
  /** A regime key that is named. */
  keys: ({ uses, sent }) => uses.keys || sent.taxes_outputs !== undefined,
  oneStopShop: ({ issued, taxGroup, uses }) => issued && taxGroup === 'IVA' && uses.oneStopShop,
  consumption: ({ uses }) => uses.consumption,
  withholding: ({ uses }) => uses.withholding,
  purchasePrice: ({ uses }) => uses.purchasePrice,
  units: ({ uses }) => uses.units,
  lineAmounts: ({ uses }) => uses.lineAmounts,
  payments: ({ sent }) => sent.payment_details !== undefined,
  exchangeRate: ({ invoice }) => invoice.issue_data.invoice_currency !== undefined,
  mismatches: ({ stated }) => stated.calculation.mismatches.length > 0,
  excess: ({ facts, uses }) => facts.excess.length > 0 || uses.lineAmounts,
  wrongTaxId: ({ facts }) => facts.supplierId?.valid === false || facts.customerId?.valid === false,
  wrongProvince: ({ facts }) => facts.provinceConflicts.length > 0 || facts.unknownProvinces.length > 0,
} satisfies Readonly<Record<string, (context: Context) => boolean>>

export type Feature = keyof typeof FEATURES

const NAMES = Object.keys(FEATURES) as readonly Feature[]
const TESTS: ReadonlyArray<(context: Context) => boolean> = Object.values(FEATURES)

/** Features as one number, a bit for each. */
export const maskOf = (features: readonly Feature[]): number =>
  features.reduce((mask, name) => mask | (1 << NAMES.indexOf(name)), 0)

/** The features that an invoice has. */
export function featuresOf(context: Context): number {
  let mask = 0
  for (let at = 0; at < TESTS.length; at++) if (TESTS[at]!(context)) mask |= 1 << at
  return mask
}
