/** What a corrective invoice corrects, and how: in both systems under the same names (art. 15 RD 1619/2012). */
import type { InvoiceBlock } from '../invoice/index.ts'
import { messageText } from '../messages/index.ts'
import { toMinor } from '../money/index.ts'
import { toImporte } from './literals.ts'
import { correctiveType, hasSurcharge } from './operation.ts'
import { correctedLater } from './operation-day.ts'
import { type InvoiceReference, isReference } from './references.ts'
import type { RefuseShared } from './shared-codes.ts'

/** What the caller knows of other invoices, and the invoice does not say. */
export interface CorrectionOptions {
  readonly replaces?: readonly InvoiceReference[]
  readonly corrects?: readonly InvoiceReference[]
  readonly corrected_surcharge_amount?: number
}

/**
 * Refuses a correction that does not say what it corrects, of what day that was, or (`mustSay`) how. Warns of a
 * substitution with surcharge that lacks the surcharge of the corrected invoice, which may have had none.
 */
export function checkCorrection(
  block: InvoiceBlock,
  { corrects, corrected_surcharge_amount: surcharge }: CorrectionOptions,
  mustSay: boolean,
  refuse: RefuseShared,
  warn: RefuseShared,
): void {
  if (correctiveType(block) === undefined) return
  const later = correctedLater(block, corrects)
  if (later) refuse('corrected_later', later.path, later)
  const path = '/invoice/header/corrective'
  const {
    correction_type: type,
    corrected_taxable_base,
    corrected_tax_amount,
  } = block.header.corrective ?? {}
  if (type === undefined && mustSay) refuse('correction', `${path}/correction_type`)
  if (type !== 'S') return
  if (corrected_taxable_base === undefined) refuse('correction', `${path}/corrected_taxable_base`)
  if (corrected_tax_amount === undefined) refuse('correction', `${path}/corrected_tax_amount`)
  if (surcharge === undefined && block.taxes_outputs?.some(hasSurcharge))
    warn('corrected_surcharge', '/corrected_surcharge_amount')
}

/** Options that would be left out of a record of this type in silence. */
export function refuseIdleOptions(
  type: string,
  { header }: InvoiceBlock,
  { replaces = [], corrects = [], corrected_surcharge_amount: surcharge }: CorrectionOptions,
  refuse: RefuseShared,
): void {
  const isCorrective = type.startsWith('R')
  const idle = (option: keyof CorrectionOptions) => refuse('option', `/${option}`, { received: type })
  if (replaces.length > 0 && type !== 'F3') idle('replaces')
  if (corrects.length > 0 && !isCorrective) idle('corrects')
  if (surcharge !== undefined && !(isCorrective && header.corrective?.correction_type === 'S'))
    idle('corrected_surcharge_amount')
}

/** Corrected invoices, and by substitution what they amounted to; empty for an invoice that corrects none. */
export function correctionOf<Id>(
  block: InvoiceBlock,
  { corrects = [], corrected_surcharge_amount: surcharge }: CorrectionOptions,
  idOf: (reference: InvoiceReference) => Id,
) {
  if (correctiveType(block) === undefined) return {}
  const { invoice_number, invoice_issue_date, ...corrective } = block.header.corrective ?? {}
  const own = { invoice_number, issue_date: invoice_issue_date }
  const ids = [own, ...corrects].filter(isReference).map((reference) => idOf(reference))
  const references = ids.length > 0 ? { FacturasRectificadas: { IDFacturaRectificada: ids } } : {}
  if (corrective.correction_type !== 'S') return { TipoRectificativa: 'I' as const, ...references }
  return {
    TipoRectificativa: 'S' as const,
    ...references,
    ImporteRectificacion: {
      BaseRectificada: toImporte(toMinor(corrective.corrected_taxable_base ?? 0)),
      CuotaRectificada: toImporte(toMinor(corrective.corrected_tax_amount ?? 0)),
      ...(surcharge === undefined ? {} : { CuotaRecargoRectificado: toImporte(toMinor(surcharge)) }),
    },
  }
}

/** Words that are alike in both systems. */
export const CORRECTION_MESSAGES = {
  reference: messageText(
    'art. 15 RD 1619/2012',
    [
      '{field} of an invoice named in the options is "{received}".',
      'Pass its number with the series and its date as YYYY-MM-DD.',
    ],
    [
      '{field} de una factura indicada en las opciones es «{received}».',
      'Pase su número con la serie y su fecha como AAAA-MM-DD.',
    ],
  ),
  option: messageText(
    'arts. 5, 11 and 15 RD 1619/2012',
    [
      'The option {field} does not apply to an invoice of type {received}.',
      'Leave it out, or correct the type of the invoice.',
    ],
    [
      'La opción {field} no se aplica a una factura de tipo {received}.',
      'Omítala o corrija el tipo de la factura.',
    ],
  ),
  corrected_surcharge: messageText(
    'art. 15 RD 1619/2012',
    [
      'The invoice replaces another one and has equivalence surcharge, but {field} is missing: ImporteRectificacion of the record has no CuotaRecargoRectificado.',
      'Pass the option {field} with the surcharge of the corrected invoice, or 0 if it had none.',
    ],
    [
      'La factura rectifica por sustitución y lleva recargo de equivalencia, pero falta {field}: ImporteRectificacion queda sin CuotaRecargoRectificado en el registro.',
      'Pase la opción {field} con la cuota de recargo de la factura rectificada, o con 0 si no llevaba recargo.',
    ],
  ),
}
