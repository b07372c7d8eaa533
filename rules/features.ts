/** Features that only some invoices have. A rule runs only on invoices that have all the features in its `needs`. */
import type { Context } from './rule-context.ts'

/** Returns the features of an invoice. */
export const featuresOf = ({
  issued,
  company,
  settings,
  invoice,
  sent,
  stated,
  facts,
  uses,
  taxGroup,
}: Context) => {
  const { header } = invoice
  /** Whether the client sent a breakdown. */
  const entries = sent.taxes_outputs !== undefined
  return {
    issued,
    received: !issued,
    import: settings.operation === 'import',
    today: settings.today !== null,
    company: company !== null,
    corrective: header.is_corrective === true || header.corrective !== undefined,
    entries,
    /** `treatments`, `keys`: whether a line or a breakdown entry may state a tax treatment or a regime key. */
    treatments: uses.treatments || entries,
    keys: uses.keys || entries,
    oneStopShop: issued && taxGroup === 'IVA' && uses.oneStopShop,
    consumption: uses.consumption,
    withholding: uses.withholding,
    purchasePrice: uses.purchasePrice,
    units: uses.units,
    lineAmounts: uses.lineAmounts,
    excess: uses.lineAmounts || facts.excess.length > 0,
    payments: sent.payment_details !== undefined,
    exchangeRate: invoice.issue_data.invoice_currency?.exchange_rate !== undefined,
    mismatches: stated.calculation.mismatches.length > 0,
    wrongTaxId: facts.supplierId?.valid === false || facts.customerId?.valid === false,
    wrongProvince: facts.provinceConflicts.length > 0 || facts.unknownProvinces.length > 0,
  }
}

export type Features = ReturnType<typeof featuresOf>
export type Feature = keyof Features

/** Returns the features as a bit mask. */
export function featureMaskOf(features: Features): number {
  let mask = 0
  for (const name in features) mask = (mask << 1) | (features[name as Feature] ? 1 : 0)
  return mask
}
