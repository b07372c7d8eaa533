/** Rows of the book of received invoices, and the investment goods among them. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { isMarginKey } from '#core/invoice/terms.ts'
import { type Minor, sum, toMinor, toNumber } from '#core/money/index.ts'
import type { ReversedAmounts } from '../fiscal/correction.ts'
import { chargedTotal } from '../fiscal/fiscal-operation.ts'
import { fiscalParty } from '../fiscal/fiscal-party.ts'
import { isVat } from '../sii/model/sii-keys.ts'
import { deductibleOf } from '../sii/record/deductible.ts'
import { type DividedEntry, divideEntries } from '../sii/record/divided-entries.ts'
import { isNorthernIrish, withAcquiredGoods } from '../sii/record/northern-ireland.ts'
import { isDeductible } from '../sii/record/received-breakdown.ts'
import {
  type Detail,
  detailsOf,
  type ReceivedCategory,
  receivedCategoryOf,
} from '../sii/record/received-details.ts'
import { isAcquisition, isCustoms, receivedTypeOf, regimeKeyFor } from '../sii/record/received-record.ts'
import { totalOf } from '../sii/record/sii-document.ts'
import { bookedAmountsFromCorrection } from '../sii/record/taken-back.ts'
import {
  amountCells,
  type Context,
  commonCells,
  type Entry,
  partyCells,
  paymentRows,
  type Row,
  withoutBlankCells,
  withTotal,
} from './book-entry.ts'
import { accrualOf, reversedRows } from './replaced-entries.ts'

const MAX_NUMBER = 40
const LEASE = '12'

/** An investment good bought in the year: the row of its purchase, and a function that returns its deductible tax. */
export interface BoughtGood {
  readonly entry: Entry
  readonly row: Row
  readonly deductibleBy: (proRata: number) => Minor
}

type Part = DividedEntry<ReceivedCategory>

/**
 * Returns the price of goods bought under a margin scheme, which the breakdown does not state: the total of the invoice
 * minus its entries without a margin scheme.
 */
function marginTotal(block: InvoiceBlock): Minor {
  const others = required(block.taxes_outputs).filter((entry) => !isMarginKey(entry.tax_regime_key))
  return (
    chargedTotal(block) -
    sum(
      others.map((entry) =>
        toMinor(entry.taxable_base + entry.tax_amount + (entry.equivalence_surcharge_amount ?? 0)),
      ),
    )
  )
}

/** Returns the company as issuer of its customs documents, with the name and tax id that the document states. */
const holderOf = ({ customer }: InvoiceBlock, { legal_name, tax_id }: Context['company']) =>
  (customer && fiscalParty(customer)) ?? { NombreRazon: legal_name, NIF: tax_id }

/** Returns type, issuer and details of an invoice; undefined after refusing an issuer without identification. */
function partsOf(entry: Entry, { company, refuse }: Context) {
  const { block, facts, label } = entry
  const { type: given } = facts
  const customs = given === 'LC' || given === 'F6' ? { type: given as 'LC' | 'F6' } : {}
  const stated = receivedTypeOf(block, customs)
  const issuer = isCustoms(stated) ? holderOf(block, company) : fiscalParty(block.supplier)
  if (!issuer) {
    refuse('books.counterparty', '/invoice/supplier', { invoice: label })
    return undefined
  }
  const keyOf = regimeKeyFor(issuer)
  const keyed = isNorthernIrish(issuer) ? withAcquiredGoods(block, isAcquisition) : block
  const byKey = new Map<string, Part[]>()
  for (const piece of divideEntries(keyed, receivedCategoryOf).pieces) {
    const key = keyOf(piece.entry, block)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), piece])
    else {
      const path = `/invoice/taxes_outputs/${piece.index}/tax_regime_key`
      refuse('books.regime_key', path, { invoice: label, received: piece.entry.tax_regime_key ?? '' })
    }
  }
  const details = [...byKey].flatMap(([key, pieces]) =>
    detailsOf(pieces, (output) => keyOf(output, block), isVat(block)).map((detail) => ({ key, detail })),
  )
  return { type: given ?? stated, issuer, details }
}

/**
 * Returns the cells of a detail. `price` is the price of goods under a margin scheme, otherwise 0. The total does not
 * include self-assessed tax.
 */
function detailCells(key: string, detail: Detail, price: Minor): Row {
  const { parts, class: type, rate, surchargeRate, surcharged: isSurcharged, surcharge, investment } = detail
  const base = price + sum(parts.map((part) => part.base))
  const tax = sum(parts.map((part) => part.tax))
  const charged = sum(parts.map((part) => (part.selfAssessed ? 0 : part.tax)))
  const amounts = { base, tax, surcharge, rate, surchargeRate, isSurcharged }
  return {
    key,
    investment: investment ? 'S' : 'N',
    reverse_charge: type === 'reverse' ? 'S' : 'N',
    ...amountCells(amounts, base + charged + surcharge),
  }
}

interface ReceivedRows {
  readonly rows: readonly Row[]
  readonly goods: readonly BoughtGood[]
}

interface RateRows extends ReceivedRows {
  /** Amounts that a correction reverses according to its own data; undefined if its data does not determine them. */
  readonly stated: ReversedAmounts | undefined
}

/** Returns one row per rate, with no period set yet, and the investment goods of an invoice. */
function rateRows(entry: Entry, context: Context): RateRows {
  const { block, label, number, day, receptionNumber } = entry
  const found = partsOf(entry, context)
  if (!found) return { rows: [], goods: [], stated: undefined }
  const { type, issuer, details } = found
  const { pro_rata: proRata } = context.company.books
  if (number.length > MAX_NUMBER)
    context.refuse('books.number_length', '/invoice/header/invoice_number', {
      invoice: label,
      received: number.length,
      allowed: MAX_NUMBER,
    })
  const shared = {
    ...commonCells(
      entry,
      details.some(({ key }) => key === LEASE),
      context,
    ),
    invoice_type: type,
    number,
    reception_date: day,
    reception_number: receptionNumber,
    ...partyCells(issuer),
  }
  const margin = isVat(block) ? details.find(({ key }) => isMarginKey(key))?.detail : undefined
  // A correction of a simplified invoice that does not identify the company is not deductible either.
  const { invoice_number, invoice_issue_date } = block.header.corrective ?? {}
  const corrected = context.find(entry, invoice_number?.trim() ?? '', invoice_issue_date)
  const isNever = !isDeductible(block) || (corrected !== undefined && !isDeductible(corrected.block))
  const rows = details.map(({ key, detail }) => {
    const open = detail.parts.some(({ tax, deduction }) => tax !== 0 && deduction.needsProRata)
    if (open && proRata === undefined && !isNever)
      context.refuse('books.pro_rata', '/invoice/lines', { invoice: label })
    const deductibleBy = (percent?: number) => (isNever ? 0 : deductibleOf(detail.parts, percent))
    const deductible = toNumber(deductibleBy(proRata))
    const priced = detailCells(key, detail, detail === margin ? marginTotal(block) : 0)
    const row = withoutBlankCells({ ...shared, ...priced, deducted_later: 'N', deductible })
    return { row, deductibleBy }
  })
  const goods = rows.filter(({ row }) => row.investment === 'S').map((one) => ({ entry, ...one }))
  const stated = bookedAmountsFromCorrection(
    block,
    details.map(({ detail }) => detail),
  )
  return {
    rows: withTotal(
      rows.map(({ row }) => row),
      totalOf(block),
    ),
    goods,
    stated,
  }
}

/**
 * Returns the rows of an invoice whose tax is deducted in a later quarter: rows without deduction in the quarter of the
 * reception, and rows in the later quarter, which repeat base and tax.
 */
function deferredRows(rows: readonly Row[], deductIn: string, context: Context): Row[] {
  const [year = '', period = ''] = deductIn.split('-')
  const lastMonth = String(Number(period[0]) * 3).padStart(2, '0')
  const when = context.quarterIn(`${year}-${lastMonth}-01`)
  const later = rows.map((row): Row => ({ ...row, deducted_later: 'S' }))
  const own = { deduction_year: Number(year), deduction_period: period }
  return [
    ...later.filter(({ year: filed }) => filed !== undefined).map((row) => ({ ...row, deductible: 0 })),
    ...(when ? later.map((row) => ({ ...row, ...when, ...own })) : []),
  ]
}

/**
 * Returns the rows of an invoice in the period, and its investment goods if it was received in the period and not
 * replaced.
 */
export function receivedRows(entry: Entry, context: Context): ReceivedRows {
  const { facts, day } = entry
  const plain = rateRows(entry, context)
  const when = context.quarterIn(day)
  const dated = plain.rows.map((row): Row => ({ ...row, ...when }))
  const isDeferred = facts.deduct_in !== undefined && facts.deduct_in !== `${when?.year}-${when?.period}`
  const rows =
    isDeferred && facts.deduct_in !== undefined
      ? deferredRows(dated, facts.deduct_in, context)
      : when
        ? dated
        : []
  const rowsOf = (one: Entry) => rateRows(one, context).rows
  const replaced = when ? reversedRows(entry, dated, plain.stated, rowsOf, context) : []
  const payments = paymentRows(entry, plain.rows, () => accrualOf(entry, context), context)
  const replacement = context.replacementOf(entry)
  const isKept = when && !(replacement && context.quarterIn(replacement.day))
  return { rows: [...replaced, ...rows, ...payments], goods: isKept ? plain.goods : [] }
}
