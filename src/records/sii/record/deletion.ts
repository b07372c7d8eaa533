/** Builds the record that deletes an invoice from a book (`baja`). */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import { externalRefOf } from '../../fiscal/fiscal-operation.ts'
import { checkShape, refusals, resultOf, type SiiResult } from '../model/sii-items.ts'
import { checkOptions } from '../model/sii-options.ts'
import { periodOf } from '../model/sii-period.ts'
import type { RegistroBajaExpedida, RegistroBajaRecibida } from '../model/sii-record-types.ts'
import { ISSUED_OPTIONS, type IssuedRecordOptions, issuedPeriodDate } from './issued-record.ts'
import {
  RECEIVED_OPTIONS,
  type ReceivedRecordOptions,
  receivedIdentity,
  registrationDay,
} from './received-record.ts'
import { documentForBook } from './sii-document.ts'
import { issuerNif, numberAndDateOf } from './sii-identity.ts'

/** The options that determine identity and period of the record. Pass the same values as for the original record. */
export type DeletionOptions = Pick<
  IssuedRecordOptions & ReceivedRecordOptions,
  'period' | 'counterparty_not_in_census' | 'type' | 'registration_date' | 'locale'
>

/** Types of the options. All options of the original record are accepted. */
const OPTIONS = { ...ISSUED_OPTIONS, ...RECEIVED_OPTIONS }

/**
 * Builds the deletion record of a reported invoice, in the book of its direction: `{ PeriodoLiquidacion, IDFactura,
 * RefExterna }`.
 *
 * Use it for a record that should never have existed, or whose identity was wrong. A corrected or cancelled invoice is
 * not deleted: register its corrective invoice, or modify the record (`A1`). Pass the options of the original record.
 * Returns the reasons for a refusal as `issuedRecord` does.
 *
 * Source: art. 69 bis RD 1624/1992; Orden HFP/417/2017, annex I.
 *
 * @example
 * const result = deletionRecord({ schema_version: 'json_1_1', meta: {}, invoice: {} } as never)
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.not_normalised']
 */
export function deletionRecord(
  invoice: CanonicalInvoice | Validated,
  options: DeletionOptions = {},
): SiiResult<RegistroBajaExpedida | RegistroBajaRecibida> {
  checkOptions(options, OPTIONS)
  const found = refusals(options.locale)
  const { items, refuse } = found
  const document = documentForBook(invoice, null, refuse)
  if (!document) return { ok: false, items }
  const block = document.invoice
  const reference = externalRefOf(document)
  const external = reference === undefined ? {} : { RefExterna: reference }
  const issued = document.meta.direction === 'issued'
  const record: RegistroBajaExpedida | RegistroBajaRecibida = issued
    ? {
        PeriodoLiquidacion: periodOf(options.period ?? issuedPeriodDate(block)),
        IDFactura: { IDEmisorFactura: { NIF: issuerNif(block, refuse) }, ...numberAndDateOf(block) },
        ...external,
      }
    : {
        PeriodoLiquidacion: periodOf(options.period ?? registrationDay(block, options)),
        IDFactura: { IDEmisorFactura: receivedIdentity(block, options, refuse), ...numberAndDateOf(block) },
        ...external,
      }
  const [root, member] = issued
    ? (['BajaLRFacturasEmitidas', 'RegistroLRBajaExpedidas'] as const)
    : (['BajaLRFacturasRecibidas', 'RegistroLRBajaRecibidas'] as const)
  if (items.length === 0) checkShape(record, root, member, refuse)
  return resultOf(record, found)
}
