/** Checks the invoice, the previous record and the options of a registration. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import type { ItemCollector } from '#core/messages/index.ts'
import { toleranceOf, toMinor } from '#core/money/index.ts'
import { checkCorrection, refuseUnusedOptions } from '../../fiscal/correction.ts'
import { chargedTotal } from '../../fiscal/fiscal-operation.ts'
import type { FiscalType } from '../../fiscal/fiscal-type.ts'
import { toFecha, toTipo } from '../../fiscal/literals.ts'
import { checkReferences, REFERENCE } from '../../fiscal/references.ts'
import { refuseSharedAs } from '../../fiscal/shared-codes.ts'
import type { Previous } from '../chain/chain-link.ts'
import type { RecordCode, Refuse } from '../model/record-items.ts'
import type { Breakdown } from './record-breakdown.ts'
import type { RegistrationOptions } from './registration-options.ts'

const isIntraCommunity = ({ taxes_outputs: entries }: InvoiceBlock): boolean =>
  required(entries).some((entry) => entry.exemption_reason_code === 'E5')

/**
 * Checks the referenced invoices, the options and the recipient against the type of the invoice, then the correction.
 */
export function checkInvoiceType(
  block: InvoiceBlock,
  kind: FiscalType | undefined,
  options: RegistrationOptions,
  { refuse, warn }: ItemCollector<RecordCode>,
): void {
  const { header, customer } = block
  const fail = refuseSharedAs('record', refuse)
  checkReferences(block, options, { ...REFERENCE, issuer_tax_id: 'text' }, fail)
  if (!kind) refuse('record.recipient_unidentified', '/invoice/customer')
  else {
    const { type, recipient } = kind
    refuseUnusedOptions(type, block, options, fail)
    if (options.third_party && header.invoice_type_code === '05')
      fail('option', '/third_party', { received: type })
    // A customer that has a tax id but cannot be a recipient must not be dropped without an error.
    if (!recipient && !options.without_recipient && customer?.tax_id?.trim())
      refuse('record.recipient_unidentified', '/invoice/customer/tax_id')
    if (recipient && type === 'R5') warn('record.recipient_omitted', '/invoice/customer')
    if (recipient && recipient.IDOtro?.IDType !== '02' && isIntraCommunity(block))
      warn('record.intra_community', '/invoice/customer/tax_id')
  }
  checkCorrection(block, options, true, fail, refuseSharedAs('record', warn))
}

/** Refuses bases at cost that no line of the record uses. Of several bases for one rate, refuses all but the last. */
export function refuseUnusedCostBases(
  { lines }: Breakdown,
  { cost_bases: all = [] }: RegistrationOptions,
  refuse: Refuse,
): void {
  const atCost = lines.filter((line) => line.BaseImponibleACoste !== undefined)
  const carried = new Set(atCost.map((line) => line.TipoImpositivo))
  all.forEach(({ tax_rate }, index) => {
    const isRepeated = all.slice(index + 1).some((later) => later.tax_rate === tax_rate)
    if (isRepeated || !carried.has(toTipo(tax_rate)))
      refuse('record.cost_base', `/cost_bases/${index}/tax_rate`, { received: tax_rate })
  })
}

/** Refuses totals that differ from the breakdown by more than the tolerance. */
export function checkTotals(block: InvoiceBlock, breakdown: Breakdown, refuse: Refuse): void {
  const total = chargedTotal(block)
  const tax = toMinor(block.totals.total_tax_outputs)
  const differ = (field: string, received: number, expected: number): void => {
    if (Math.abs(received - expected) > toleranceOf(block))
      refuse('record.totals_differ', `/invoice/totals/${field}`, {
        received: received / 100,
        expected: expected / 100,
      })
  }
  differ('total_tax_outputs', tax, breakdown.tax)
  if (!breakdown.margin) differ('invoice_total', total, breakdown.total)
}

/**
 * Refuses an invoice that the previous record already registers: the authority would reject the new record (code 3000).
 */
export function refuseSecondRegistration(
  previous: Previous,
  { header, issue_data: data }: InvoiceBlock,
  issuer: string | undefined,
  refuse: Refuse,
): void {
  if (!previous || !('RegistroAlta' in previous)) return
  const { IDFactura: id } = previous.RegistroAlta
  const same =
    id.IDEmisorFactura === issuer &&
    id.NumSerieFactura === header.invoice_number?.trim() &&
    id.FechaExpedicionFactura === toFecha(data.issue_date ?? '')
  if (same)
    refuse('record.already_registered', '/invoice/header/invoice_number', { received: id.NumSerieFactura })
}
