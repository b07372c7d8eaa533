/** Builds `DesgloseFactura` of a received invoice and calculates its deductible tax. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, TaxOutput } from '#core/invoice/index.ts'
import { type Minor, sum } from '#core/money/index.ts'
import type { Refuse } from '../model/sii-items.ts'
import { isVat } from '../model/sii-keys.ts'
import type { FacturaRecibida } from '../model/sii-record-types.ts'
import { checkTax } from './consistency.ts'
import { deductibleOf, deductionOf } from './deductible.ts'
import { divideEntries } from './divided-entries.ts'
import { type Detail, detailsOf, receivedCategoryOf, writeDetail } from './received-details.ts'

const MAX_VAT = 6

/** Regime key of imports without a customs document, whose tax is not deductible (AEAT 1212). */
const WITHOUT_DUA = '13'

export interface ReceivedBreakdown {
  readonly DesgloseFactura: FacturaRecibida['DesgloseFactura']
  /** Self-assessed tax of the recipient. It is part of the total of the record, but not of that of the invoice. */
  readonly selfAssessed: Minor
  readonly deductible: Minor
  readonly details: readonly Detail[]
}

type Block = FacturaRecibida['DesgloseFactura']
type ReverseDetails = NonNullable<Block['InversionSujetoPasivo']>['DetalleIVA']

function blockOf(details: readonly Detail[], refuse: Refuse): Block {
  const reversed = details.filter((detail) => detail.class === 'reverse')
  const ordinary = details.filter((detail) => detail.class !== 'reverse')
  for (const [list, block] of [
    [reversed, 'InversionSujetoPasivo'],
    [ordinary, 'DesgloseIVA'],
  ] as const)
    if (list.length > MAX_VAT)
      refuse('sii.too_many_details', '/invoice/taxes_outputs', {
        block,
        received: list.length,
        allowed: MAX_VAT,
      })
  return {
    ...(reversed.length > 0
      ? { InversionSujetoPasivo: { DetalleIVA: reversed.map(writeDetail) as ReverseDetails } }
      : {}),
    ...(ordinary.length > 0 ? { DesgloseIVA: { DetalleIVA: ordinary.map(writeDetail) } } : {}),
  }
}

/**
 * Whether an invoice identifies its recipient. The tax of a simplified invoice is deductible only then (arts. 7.2 and
 * 7.3 RD 1619/2012).
 */
export const namesRecipient = ({ customer }: InvoiceBlock): boolean => Boolean(customer?.tax_id?.trim())

/**
 * Whether the tax is deductible. The tax of three documents is not: a simplified invoice that does not identify the
 * company, the correction of such an invoice (art. 97.Uno Ley 37/1992), and an import without a customs document.
 */
export const isDeductible = (block: InvoiceBlock): boolean =>
  (!block.header.is_simplified || namesRecipient(block)) &&
  !required(block.taxes_outputs).some((entry) => entry.tax_regime_key === WITHOUT_DUA)

/** Returns the breakdown of a received invoice. `keyOf` returns the regime key of an entry in this book. */
export function receivedBreakdown(
  invoice: InvoiceBlock,
  keyOf: (entry: TaxOutput) => string | undefined,
  proRata: number | undefined,
  refuse: Refuse,
): ReceivedBreakdown {
  const { pieces } = divideEntries(invoice, receivedCategoryOf)
  const details = detailsOf(pieces, keyOf, isVat(invoice))
  for (const { checked, parts, rate, index } of details)
    if (checked)
      checkTax(
        {
          rate,
          base: sum(parts.map((part) => part.base)),
          tax: sum(parts.map((part) => part.tax)),
          count: parts.length,
          index,
        },
        refuse,
      )
  const parts = details.flatMap((detail) => detail.parts)
  const isNever = !isDeductible(invoice)
  const open = parts.some(({ tax, deduction }) => tax !== 0 && deduction.needsProRata)
  if (open && proRata === undefined && !isNever) {
    const index = invoice.lines.findIndex((line) => deductionOf(line).needsProRata)
    refuse('sii.pro_rata', `/invoice/lines/${index}/deduction_rate`)
  }
  return {
    DesgloseFactura: blockOf(details, refuse),
    selfAssessed: sum(parts.map(({ selfAssessed, tax }) => (selfAssessed ? tax : 0))),
    deductible: isNever ? 0 : deductibleOf(parts, proRata),
    details,
  }
}
