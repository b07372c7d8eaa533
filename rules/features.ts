/** What only some invoices have: a rule that needs it is not asked about the others. */
import type { Context } from './context.ts'

/** The features of an invoice. */
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
  /** A breakdown that the client sent. */
  const entries = sent.taxes_outputs !== undefined
  return {
    issued,
    received: !issued,
    import: settings.operation === 'import',
    today: settings.today !== null,
    company: company !== null,
    corrective: header.is_corrective === true || header.corrective !== undefined,
    entries,
    /** Treatments and keys are named by lines or by entries. */
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

/** The features as one number, a bit for each. */
export function maskOf(features: Features): number {
  let mask = 0
  for (const name in features) mask = (mask << 1) | (features[name as Feature] ? 1 : 0)
  return mask
}
