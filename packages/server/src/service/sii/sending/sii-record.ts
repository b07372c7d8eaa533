/** Builds the record of an invoice, and its identity in the book. */
import type { CanonicalInvoice, Locale } from '#core/invoice/index.ts'
import {
  issuedRecord,
  type RegistroBajaExpedida,
  type RegistroBajaRecibida,
  type RegistroEmitida,
  type RegistroRecibida,
  type ResponseLine,
  receivedRecord,
  type SiiRecord,
  type SiiResult,
} from '#records/sii/index.ts'
import type { Rows } from '../../../store/store.ts'
import { correctedInvoices } from '../../invoice/replaced-invoice.ts'
import { storedReplacement } from '../../invoice/replacements.ts'
import { correctedSurcharge } from '../../verifactu/corrected-surcharge.ts'
import { withZeroAmounts } from './cancelled.ts'

/** Returns the record that registers or modifies an invoice, or the problems that prevent it. */
export async function recordFor(
  db: Rows,
  invoiceId: string,
  data: CanonicalInvoice,
  status: string,
  locale: Locale = 'en',
): Promise<SiiResult<RegistroEmitida | RegistroRecibida>> {
  const [original] = await correctedInvoices(db, data, invoiceId)
  const corrected = original && { corrected: original.data }
  if (data.meta.direction === 'received') return receivedRecord(data, { ...corrected, locale })
  const made = issuedRecord(data, {
    ...corrected,
    ...(await correctedSurcharge(db, data)),
    ...(await storedReplacement(db, invoiceId, data)),
    locale,
  })
  return made.ok && status === 'cancelled' ? { ...made, record: withZeroAmounts(made.record) } : made
}

export type Deletion = RegistroBajaExpedida | RegistroBajaRecibida

/** Returns the record that deletes a sent record from the book, with the identity and period that the authority has. */
export function deletionOf(record: SiiRecord): Deletion {
  const { IDFactura } = record
  const PeriodoLiquidacion = 'PeriodoLiquidacion' in record ? record.PeriodoLiquidacion : undefined
  if ('FacturaRecibida' in record && record.FacturaRecibida.Contraparte)
    return {
      PeriodoLiquidacion,
      IDFactura: { ...IDFactura, IDEmisorFactura: record.FacturaRecibida.Contraparte },
    } as Deletion
  return { PeriodoLiquidacion, IDFactura } as Deletion
}

/** Returns the identity of a record in the books of the SII: issuer, number and date. */
export function identityIn({ IDFactura: id }: Pick<SiiRecord, 'IDFactura'>): string {
  const issuer: { NIF?: string; IDOtro?: { ID: string } } = id.IDEmisorFactura
  return JSON.stringify([
    (issuer.NIF ?? issuer.IDOtro?.ID ?? '').trim(),
    id.NumSerieFacturaEmisor.trim(),
    id.FechaExpedicionFacturaEmisor.trim(),
  ])
}

/** Returns the identity of a response line or a query result, in the form of `identityIn`. */
export const identityOfLine = ({
  issuer_id,
  invoice_number,
  issue_date,
}: Pick<ResponseLine, 'issuer_id' | 'invoice_number' | 'issue_date'>): string =>
  JSON.stringify([issuer_id ?? '', invoice_number ?? '', (issue_date ?? '').split('-').reverse().join('-')])
