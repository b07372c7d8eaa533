/** Why an invoice, with what the caller says of it, gives no registration record. */
import { checkMembers, isObject } from '../fiscal/check-options.ts'
import { toFecha } from '../fiscal/literals.ts'
import { correctedLater } from '../fiscal/operation-day.ts'
import { EXEMPT, type InvoiceBlock, isDate } from '../invoice/index.ts'
import type { Previous } from './link.ts'
import type { Refuse } from './record-items.ts'
import type { InvoiceReference, RegistrationOptions } from './registration-options.ts'
import type { RegistroAlta } from './types.ts'

/** A correction that does not say how it corrects, or what, or of what day that was. */
export function refuseIncompleteCorrection(
  block: InvoiceBlock,
  { corrects }: RegistrationOptions,
  refuse: Refuse,
): void {
  const { header } = block
  if (!header.is_corrective) return
  const later = correctedLater(block, corrects)
  if (later) refuse('record.corrected_later', later.path, later)
  const path = '/invoice/header/corrective'
  const { correction_type, corrected_taxable_base, corrected_tax_amount } = header.corrective ?? {}
  if (correction_type === undefined) refuse('record.correction', `${path}/correction_type`)
  if (correction_type !== 'S') return
  if (corrected_taxable_base === undefined) refuse('record.correction', `${path}/corrected_taxable_base`)
  if (corrected_tax_amount === undefined) refuse('record.correction', `${path}/corrected_tax_amount`)
}

/** Each value is refused in words of its own; a member by another name would be left out in silence. */
const REFERENCE = { invoice_number: 'any', issue_date: 'any', issuer_tax_id: 'text' } as const

/** References are given by the program, not by the invoice: nothing has checked them. */
export function checkReferences(options: RegistrationOptions, refuse: Refuse): void {
  for (const option of ['replaces', 'corrects'] as const)
    options[option]?.forEach((reference: Partial<InvoiceReference> | null, i) => {
      const path = `/${option}/${i}`
      if (isObject(reference)) checkMembers(reference, REFERENCE, `${option}[${i}]`)
      if (typeof reference?.invoice_number !== 'string' || reference.invoice_number.trim() === '')
        refuse('record.reference', `${path}/invoice_number`, { received: reference?.invoice_number ?? null })
      if (typeof reference?.issue_date !== 'string' || !isDate(reference.issue_date))
        refuse('record.reference', `${path}/issue_date`, { received: reference?.issue_date ?? null })
    })
}

export const isIntraCommunity = ({ taxes_outputs: entries }: InvoiceBlock): boolean =>
  (entries ?? []).some((entry) => entry.tax_treatment_code === EXEMPT && entry.exemption_reason_code === 'E5')

/** The record before is the first registration of this same invoice: the authority would answer 3000. */
export function refuseSecondRegistration(
  previous: Previous,
  { header, issue_data: data }: InvoiceBlock,
  issuer: string | undefined,
  refuse: Refuse,
): void {
  if (!previous || !('RegistroAlta' in previous)) return
  const { IDFactura: id } = previous.RegistroAlta
  const same =
    id?.IDEmisorFactura === issuer &&
    id?.NumSerieFactura === header.invoice_number?.trim() &&
    id?.FechaExpedicionFactura === toFecha(data.issue_date ?? '')
  if (same)
    refuse('record.already_registered', '/invoice/header/invoice_number', { received: id.NumSerieFactura })
}

/** Options that would be left out in silence. */
export function refuseIdleOptions(
  type: RegistroAlta['TipoFactura'],
  { header }: InvoiceBlock,
  options: RegistrationOptions,
  refuse: Refuse,
): void {
  const idle = (option: keyof RegistrationOptions): void =>
    refuse('record.option', `/${option}`, { received: type })
  if ((options.replaces?.length ?? 0) > 0 && type !== 'F3') idle('replaces')
  if ((options.corrects?.length ?? 0) > 0 && !header.is_corrective) idle('corrects')
  if (options.corrected_surcharge_amount !== undefined && header.corrective?.correction_type !== 'S')
    idle('corrected_surcharge_amount')
  if (options.third_party && header.invoice_type_code === '05') idle('third_party')
}
