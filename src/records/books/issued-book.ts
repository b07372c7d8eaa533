/** Rows of the book of issued invoices: one per regime key, qualification or exemption, and rate. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, TaxOutput } from '#core/invoice/index.ts'
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE, TAXED } from '#core/invoice/terms.ts'
import { toMinor } from '#core/money/index.ts'
import { isCorrectedTaxAtRates, statedAmounts } from '../fiscal/correction.ts'
import { hasSurcharge } from '../fiscal/fiscal-operation.ts'
import { fiscalTypeOf } from '../fiscal/fiscal-type.ts'
import { issuedRegimeKey, isVat } from '../sii/model/sii-keys.ts'
import { totalOf } from '../sii/record/sii-document.ts'
import {
  type Amounts,
  amountCells,
  type Context,
  commonCells,
  type Entry,
  partyCells,
  paymentRows,
  type Row,
  splitNumber,
  withoutBlankCells,
  withTotal,
} from './book-entry.ts'
import { accrualOf, reversedRows } from './replaced-entries.ts'

const FINAL_CONSUMER = 'VENTAS A CONSUMIDOR FINAL'
/** Regime keys of the VAT books that the SII does not have: equivalence surcharge (18), farming (19). */
const ONLY_HERE: readonly (string | undefined)[] = ['18', '19']
const LEASES: readonly (string | undefined)[] = ['11', '12', '13']
/** Maximum length of the series and of the number, each in its own column. */
const MAX_NUMBER = 20

const keyOf = (entry: TaxOutput, block: InvoiceBlock): string | undefined =>
  isVat(block) && ONLY_HERE.includes(entry.tax_regime_key)
    ? entry.tax_regime_key
    : issuedRegimeKey(entry, block)

/** Returns the cell of the qualification or exemption. An invoice whose tax is not VAT is not subject to VAT (N2). */
function operationOf(entry: TaxOutput, block: InvoiceBlock) {
  const { tax_treatment_code: treatment, non_taxable_reason: reason } = entry
  if (!isVat(block) || (treatment === NON_TAXABLE && reason === 'LOCATION_RULES'))
    return { qualification: 'N2' }
  if (treatment === NON_TAXABLE) return { qualification: 'N1' }
  if (treatment === EXEMPT) return { exemption: entry.exemption_reason_code ?? 'E6' }
  return { qualification: treatment === REVERSE_CHARGE ? 'S2' : 'S1' }
}

function amountsOf(entry: TaxOutput, block: InvoiceBlock): Amounts {
  const isTaxed = isVat(block) && entry.tax_treatment_code === TAXED
  const isSurcharged = isTaxed && hasSurcharge(entry)
  return {
    base: toMinor(entry.taxable_base),
    tax: isTaxed ? toMinor(entry.tax_amount) : 0,
    surcharge: isSurcharged ? toMinor(entry.equivalence_surcharge_amount ?? 0) : 0,
    rate: isTaxed ? entry.tax_rate : 0,
    surchargeRate: isSurcharged ? entry.equivalence_surcharge : undefined,
    isSurcharged,
  }
}

/**
 * Returns the cells of amounts, regime key and operation for each row of an invoice. Breakdown entries that belong to
 * the same row are added up.
 */
function detailsOf({ block, label }: Entry, { refuse }: Context): Row[] {
  const details = new Map<string, { readonly operation: Row; readonly amounts: Amounts }>()
  required(block.taxes_outputs).forEach((output, index) => {
    const key = keyOf(output, block)
    if (key === undefined) {
      const path = `/invoice/taxes_outputs/${index}/tax_regime_key`
      refuse('books.regime_key', path, { invoice: label, received: output.tax_regime_key ?? '' })
      return
    }
    const operation = withoutBlankCells({ key, ...operationOf(output, block) })
    const amounts = amountsOf(output, block)
    const { rate, surchargeRate, isSurcharged } = amounts
    const name = JSON.stringify([operation, rate, surchargeRate, isSurcharged])
    const known = details.get(name)?.amounts
    details.set(name, {
      operation,
      amounts: known
        ? {
            ...known,
            base: known.base + amounts.base,
            tax: known.tax + amounts.tax,
            surcharge: known.surcharge + amounts.surcharge,
          }
        : amounts,
    })
  })
  return [...details.values()].map(({ operation, amounts }) => ({ ...operation, ...amountCells(amounts) }))
}

/** Returns one row per rate, without rows of collections and without rows that reverse a replaced invoice. */
function rateRows(entry: Entry, context: Context): Row[] {
  const { block, facts, label, number } = entry
  const replaces = facts.type === 'F3'
  const known = fiscalTypeOf(block, { notInCensus: false, withoutRecipient: false, replaces })
  if (!known) {
    context.refuse('books.counterparty', '/invoice/customer', { invoice: label })
    return []
  }
  const identified = splitNumber(number, block.header.invoice_series_code)
  const longest = Math.max(identified.number.length, identified.series?.length ?? 0)
  if (longest > MAX_NUMBER)
    context.refuse('books.number_length', '/invoice/header/invoice_number', {
      invoice: label,
      received: longest,
      allowed: MAX_NUMBER,
    })
  const details = detailsOf(entry, context)
  const leased = details.some(({ key }) => LEASES.includes(String(key)))
  const shared = {
    ...commonCells(entry, leased, context),
    invoice_type: facts.type === 'F4' ? 'F4' : known.type,
    ...identified,
    ...(known.recipient ? partyCells(known.recipient) : { name: FINAL_CONSUMER }),
  }
  const rows = details.map((detail) => ({ ...shared, ...detail }))
  return withTotal(rows, totalOf(block))
}

/** Returns the rows of an invoice in the period: per rate, per collection, and the reversal of a replaced invoice. */
export function issuedRows(entry: Entry, context: Context): Row[] {
  const plain = rateRows(entry, context)
  const when = context.quarterIn(entry.day)
  const rows = when ? plain.map((row) => ({ ...row, ...when })) : []
  const { block } = entry
  const stated = isVat(block) || isCorrectedTaxAtRates(block) ? statedAmounts(block, isVat(block)) : undefined
  const replaced = reversedRows(entry, rows, stated, (one) => rateRows(one, context), context)
  const payments = paymentRows(entry, plain, () => accrualOf(entry, context), context)
  return [...replaced, ...rows, ...payments]
}
