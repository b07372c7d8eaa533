/** Members that records of both books take from the invoice in the same way. */

import type { CanonicalInvoice, InvoiceBlock, Locale } from '#core/invoice/index.ts'
import { type Minor, toMinor } from '#core/money/index.ts'
import { displayTextOf, isObject, LOCALE, type OptionKinds } from '../../fiscal/check-options.ts'
import { documentOf, missingOf, type Validated } from '../../fiscal/fiscal-document.ts'
import { chargedTotal, descriptionOf, externalRefOf } from '../../fiscal/fiscal-operation.ts'
import { operationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import { toFecha, toImporte } from '../../fiscal/literals.ts'
import type { InvoiceReference } from '../../fiscal/references.ts'
import { type Refuse, shared } from '../model/sii-items.ts'
import { isVat } from '../model/sii-keys.ts'
import type { FacturaExpedida, FacturaRecibida } from '../model/sii-record-types.ts'

/** Facts that the caller knows and the invoice does not state. */
export interface SiiRecordOptions {
  /** Filing period `YYYY-MM`, if it does not follow from the dates. */
  readonly period?: string
  /** True if the other party's NIF is known not to be in the census (IDType 07). */
  readonly counterparty_not_in_census?: boolean
  /** Further corrected invoices, besides the corrected invoice that the document names. */
  readonly corrects?: readonly InvoiceReference[]
  /**
   * The corrected invoice, as the result of `validate` or its `data`. A correction by substitution reverses the amounts
   * of that invoice's record.
   */
  readonly corrected?: CanonicalInvoice | Validated
  /** Surcharge of the corrected invoice, in euros, in a correction by substitution. */
  readonly corrected_surcharge_amount?: number
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** Types of the options that both books share. */
export const RECORD_OPTIONS: OptionKinds<SiiRecordOptions> = {
  period: 'month',
  counterparty_not_in_census: 'boolean',
  corrects: 'list',
  corrected: 'object',
  corrected_surcharge_amount: 'number',
  locale: LOCALE,
}

const numbered = (number: unknown): boolean => typeof number === 'string' && number.trim() !== ''

/** Returns the invoice of a document from `validate`. Throws a `TypeError` for anything else. */
export function calculatedInvoice(document: CanonicalInvoice): InvoiceBlock {
  const missing = missingOf(document)
  if (missing !== undefined)
    throw new TypeError(
      `cuadra: the invoice is ${isObject(document) ? `without ${missing}` : displayTextOf(document)}; pass the data of validate`,
    )
  return document.invoice
}

/** Returns the corrected invoice of the options. Throws a `TypeError` for a document that is not from `validate`. */
export function correctedBlock(corrected: SiiRecordOptions['corrected']): InvoiceBlock | undefined {
  const data = corrected && 'data' in corrected ? corrected.data : corrected
  return data ? calculatedInvoice(data) : undefined
}

/** Returns the document if it is normalised, has this direction, and has a number and a date; otherwise null. */
export function documentForBook(
  input: CanonicalInvoice | Validated,
  direction: 'issued' | 'received' | null,
  refuse: Refuse,
): CanonicalInvoice | null {
  const document = documentOf(input, shared(refuse))
  if (!document) return null
  const received = document.meta.direction ?? ''
  if (direction !== null && received !== direction)
    refuse('sii.direction', '/meta/direction', { received, expected: direction })
  const { header, issue_data: data } = document.invoice
  if (!numbered(header.invoice_number)) refuse('sii.number', '/invoice/header/invoice_number')
  if (!data.issue_date) refuse('sii.issue_date', '/invoice/issue_data/issue_date')
  return numbered(header.invoice_number) && data.issue_date ? document : null
}

/** Returns the members of `IDFactura` for a referenced invoice. */
export const referenceOf = (reference: InvoiceReference) => ({
  NumSerieFacturaEmisor: reference.invoice_number.trim(),
  FechaExpedicionFacturaEmisor: toFecha(reference.issue_date),
})

/**
 * `Macrodato` is S if the absolute total is above this value (Orden HFP/417/2017, annex I). In VeriFactu, the value
 * itself is included.
 */
const MACRODATO: Minor = 100_000_000_00

/**
 * Returns `ImporteTotal`: the amount that the invoice charges, without foreign tax, withholding and disbursements. If
 * the tax of the invoice is not VAT (IPSI, IGIC), that tax is not included either.
 */
export const totalOf = (block: InvoiceBlock): Minor =>
  isVat(block) ? chargedTotal(block) : toMinor(block.totals.total_gross_amount_before_taxes)

type Shared = Pick<FacturaExpedida & FacturaRecibida, 'FechaOperacion' | 'RefExterna' | 'Macrodato'>

/** Returns the members that both books fill in the same way. */
export function commonMembers(
  document: CanonicalInvoice,
  { corrects }: Pick<SiiRecordOptions, 'corrects'>,
  total: Minor,
): Shared & Pick<FacturaExpedida, 'DescripcionOperacion'> & { ImporteTotal: string } {
  const day = operationDateOf(document.invoice, corrects)
  const reference = externalRefOf(document)
  return {
    ...(day === undefined ? {} : { FechaOperacion: toFecha(day) }),
    ImporteTotal: toImporte(total),
    DescripcionOperacion: descriptionOf(document.invoice),
    ...(reference === undefined ? {} : { RefExterna: reference }),
    ...(Math.abs(total) > MACRODATO ? { Macrodato: 'S' as const } : {}),
  }
}
