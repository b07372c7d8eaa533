/** From a validated invoice to its registration record (`RegistroAlta`). */

import { checkMembers } from '../fiscal/check-options.ts'
import { invoiceKind } from '../fiscal/kind.ts'
import { toFecha, toImporte } from '../fiscal/literals.ts'
import { descriptionOf, externalRefOf, roundingOf } from '../fiscal/operation.ts'
import { operationDateOf } from '../fiscal/operation-day.ts'
import { cut, spanishNif } from '../fiscal/party.ts'
import type { CanonicalInvoice, InvoiceBlock } from '../invoice/index.ts'
import { toMinor } from '../money/index.ts'
import { breakdownOf } from './breakdown.ts'
import { issuedInvoice, recordTotal, type Validated } from './issued-invoice.ts'
import { chainTo, checkMoment } from './link.ts'
import { REGISTRATION_MARKS } from './next-step.ts'
import { finished, isSystem, none, type RecordResult } from './record.ts'
import { refusals } from './record-items.ts'
import {
  checkReferences,
  isIntraCommunity,
  refuseIdleOptions,
  refuseIncompleteCorrection,
  refuseSecondRegistration,
} from './registration-checks.ts'
import {
  type InvoiceReference,
  REGISTRATION_OPTIONS,
  type RegistrationOptions,
} from './registration-options.ts'
import type { RegistroAlta } from './types.ts'

const MACRODATO = 100_000_000_00

const referenceOf = (reference: InvoiceReference, issuer: string) => ({
  IDEmisorFactura: spanishNif(reference.issuer_tax_id) ?? issuer,
  NumSerieFactura: reference.invoice_number,
  FechaExpedicionFactura: toFecha(reference.issue_date),
})

/** Corrected invoices, and by substitution what they amounted to. */
function correctionOf(
  { header }: InvoiceBlock,
  options: RegistrationOptions,
  issuer: string,
): Partial<RegistroAlta> {
  const corrective = header.is_corrective ? header.corrective : undefined
  if (!corrective) return {}
  const references = [
    ...(corrective.invoice_number && corrective.invoice_issue_date
      ? [{ invoice_number: corrective.invoice_number, issue_date: corrective.invoice_issue_date }]
      : []),
    ...(options.corrects ?? []),
  ]
  const bySubstitution = corrective.correction_type === 'S'
  const surcharge = options.corrected_surcharge_amount
  return {
    TipoRectificativa: bySubstitution ? 'S' : 'I',
    ...(references.length === 0
      ? {}
      : {
          FacturasRectificadas: { IDFacturaRectificada: references.map((one) => referenceOf(one, issuer)) },
        }),
    ...(bySubstitution
      ? {
          ImporteRectificacion: {
            BaseRectificada: toImporte(toMinor(corrective.corrected_taxable_base ?? 0)),
            CuotaRectificada: toImporte(toMinor(corrective.corrected_tax_amount ?? 0)),
            ...(surcharge === undefined ? {} : { CuotaRecargoRectificado: toImporte(toMinor(surcharge)) }),
          },
        }
      : {}),
  }
}

function issuedBy(invoice: InvoiceBlock, options: RegistrationOptions): Partial<RegistroAlta> {
  if (invoice.header.invoice_type_code === '05') return { EmitidaPorTerceroODestinatario: 'D' }
  if (options.third_party) return { EmitidaPorTerceroODestinatario: 'T', Tercero: options.third_party }
  return {}
}

/**
 * The registration record of an issued invoice, with its hash.
 *
 * `invoice` is the answer of `validate(sent, { operation: 'issue' })`, with number and date, or its `data` if you
 * have looked at its errors yourself: of an answer with errors no record is made. Amounts are euros; the record says
 * them as texts with two decimals. `ImporteTotal` is the invoice total without foreign one-stop-shop tax, withholding
 * and outlays; `CuotaTotal` is the Spanish tax with the surcharge.
 *
 * `items` of a refusal say what to mend; a record that the authority would reject is never returned (the checks of
 * `checkRecord` run on it, with `moment` as the clock). Throws a `TypeError` only for options of the wrong kind.
 * Source: RD 1007/2023 arts. 10 to 13; Orden HAC/1177/2024 arts. 10 to 13; AEAT record design 1.0.
 *
 * @example
 * const sent = { schema_version: 'json_1_1', meta: {}, invoice: {} }
 * const result = registrationRecord(sent as never, { system: {} as never, previous: null, moment: '2027-01-15T10:00:00+01:00' })
 * result.items.map((item) => item.code) // => ['record.not_normalised']
 */
export function registrationRecord(
  invoice: CanonicalInvoice | Validated,
  options: RegistrationOptions,
): RecordResult<{ RegistroAlta: RegistroAlta }> {
  checkMembers(options, REGISTRATION_OPTIONS, 'options of registrationRecord')
  const found = refusals(options.locale ?? 'en')
  const { items, refuse } = found
  const issued = issuedInvoice(invoice, refuse)
  if (!issued) return none(items)
  const { block, issuer } = issued
  const { supplier, header, issue_data: data, totals } = block
  if (!isSystem(options.system)) refuse('record.system', '/system')
  checkMoment(options.moment, refuse)
  const link = chainTo(
    options.previous,
    {
      moment: options.moment,
      taxpayer: issuer,
      system: options.system,
      continues: options.chain_continues ?? false,
      hash: options.hash,
    },
    found,
  )
  checkReferences(options, refuse)
  const kind = invoiceKind(block, {
    notInCensus: options.recipient_not_in_census ?? false,
    withoutRecipient: options.without_recipient ?? false,
    replaces: (options.replaces?.length ?? 0) > 0,
  })
  if (!kind) refuse('record.recipient_unidentified', '/invoice/customer')
  else {
    refuseIdleOptions(kind.type, block, options, refuse)
    // A customer who is named by a tax id is not left out in silence.
    if (!kind.recipient && !options.without_recipient && block.customer?.tax_id?.trim())
      refuse('record.recipient_unidentified', '/invoice/customer/tax_id')
    if (kind.recipient && kind.type === 'R5') found.warn('record.recipient_left_out', '/invoice/customer')
    if (kind.recipient && kind.recipient.IDOtro?.IDType !== '02' && isIntraCommunity(block))
      found.warn('record.intra_community', '/invoice/customer/tax_id')
  }
  refuseIncompleteCorrection(block, options, refuse)

  const breakdown = breakdownOf(block)
  const total = recordTotal(block)
  const tax = toMinor(totals.total_tax_outputs)
  const differ = (field: string, received: number, expected: number) =>
    refuse('record.totals_differ', `/invoice/totals/${field}`, {
      received: received / 100,
      expected: expected / 100,
    })
  if (tax !== breakdown.tax) differ('total_tax_outputs', tax, breakdown.tax)
  if (Math.abs(total - breakdown.total) > roundingOf(block) && !breakdown.margin)
    differ('invoice_total', total, breakdown.total)
  if (link && !options.correction) refuseSecondRegistration(options.previous, block, issuer, refuse)
  if (items.length > 0 || !link || !issuer || !kind) return none([...items, ...found.warnings])

  const operationDate = operationDateOf(block, options.corrects)
  const reference = externalRefOf(issued.invoice)
  const record: RegistroAlta = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFactura: issuer,
      NumSerieFactura: header.invoice_number!.trim(),
      FechaExpedicionFactura: toFecha(data.issue_date!),
    },
    ...(reference === undefined ? {} : { RefExterna: reference }),
    NombreRazonEmisor: cut(supplier.name, 120),
    ...(options.correction ? REGISTRATION_MARKS[options.correction] : {}),
    TipoFactura: kind.type,
    ...correctionOf(block, options, issuer),
    ...(kind.type === 'F3'
      ? {
          FacturasSustituidas: {
            IDFacturaSustituida: options.replaces!.map((one) => referenceOf(one, issuer)),
          },
        }
      : {}),
    ...(operationDate === undefined ? {} : { FechaOperacion: toFecha(operationDate) }),
    DescripcionOperacion: descriptionOf(block),
    ...(kind.qualified ? { FacturaSimplificadaArt7273: 'S' as const } : {}),
    ...(kind.anonymous ? { FacturaSinIdentifDestinatarioArt61d: 'S' as const } : {}),
    ...(Math.abs(total) >= MACRODATO ? { Macrodato: 'S' as const } : {}),
    ...issuedBy(block, options),
    // A corrected simplified invoice (R5) names nobody.
    ...(kind.recipient && kind.type !== 'R5' ? { Destinatarios: { IDDestinatario: [kind.recipient] } } : {}),
    ...(options.coupon ? { Cupon: 'S' as const } : {}),
    Desglose: { DetalleDesglose: breakdown.lines },
    CuotaTotal: toImporte(tax),
    ImporteTotal: toImporte(total),
    Encadenamiento: link,
    SistemaInformatico: { ...options.system },
    FechaHoraHusoGenRegistro: options.moment,
    ...(options.invoicing_agreement ? { NumRegistroAcuerdoFacturacion: options.invoicing_agreement } : {}),
    ...(options.system_agreement ? { IdAcuerdoSistemaInformatico: options.system_agreement } : {}),
    TipoHuella: '01',
    Huella: '',
  }
  return finished(
    { RegistroAlta: record },
    ({ RegistroAlta: unhashed }, Huella) => ({ RegistroAlta: { ...unhashed, Huella } }),
    found.warnings,
    options,
  )
}
