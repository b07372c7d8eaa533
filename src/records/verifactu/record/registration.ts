/** Builds the registration record of a validated invoice (`RegistroAlta`). */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, InvoiceBlock } from '#core/invoice/index.ts'
import type { Minor } from '#core/money/index.ts'
import { toMinor } from '#core/money/index.ts'
import { checkMembers } from '../../fiscal/check-options.ts'
import { correctionOf, statedAmounts } from '../../fiscal/correction.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import { chargedTotal, descriptionOf, externalRefOf } from '../../fiscal/fiscal-operation.ts'
import { operationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import { spanishNif, truncate } from '../../fiscal/fiscal-party.ts'
import { type FiscalType, fiscalTypeOf } from '../../fiscal/fiscal-type.ts'
import { toFecha, toImporte } from '../../fiscal/literals.ts'
import { idsOf } from '../../fiscal/references.ts'
import { refusals } from '../model/record-items.ts'
import type { RegistroAlta } from '../model/verifactu-record-types.ts'
import { issuedInvoice } from './issued-invoice.ts'
import { checkAndLink, completeRecord, type RecordResult, refusedResult } from './record.ts'
import { type Breakdown, breakdownOf } from './record-breakdown.ts'
import {
  checkInvoiceType,
  checkTotals,
  refuseSecondRegistration,
  refuseUnusedCostBases,
} from './registration-checks.ts'
import {
  checkCostBases,
  type InvoiceReference,
  REGISTRATION_OPTIONS,
  type RegistrationOptions,
} from './registration-options.ts'
import { REGISTRATION_MARKS } from './verifactu-next-step.ts'

/** From this absolute value `Macrodato` is S (record design 1.0, field 16; validations 1.2.2, 1138 and 1139). */
const MACRODATO: Minor = 100_000_000_00

/** Returns `IDFactura` of a referenced invoice. Its issuer is `issuer` unless the reference names another issuer. */
const referenceTo = (issuer: string) => (reference: InvoiceReference) => ({
  IDEmisorFactura: spanishNif(reference.issuer_tax_id) ?? issuer,
  NumSerieFactura: reference.invoice_number.trim(),
  FechaExpedicionFactura: toFecha(reference.issue_date),
})

function issuedBy(invoice: InvoiceBlock, options: RegistrationOptions): Partial<RegistroAlta> {
  if (invoice.header.invoice_type_code === '05') return { EmitidaPorTerceroODestinatario: 'D' }
  if (options.third_party) return { EmitidaPorTerceroODestinatario: 'T', Tercero: options.third_party }
  return {}
}

interface Parts {
  readonly issuer: string
  readonly link: RegistroAlta['Encadenamiento']
  readonly kind: FiscalType
  readonly breakdown: Breakdown
}

/** Builds the record without its hash, with its members in the order of the schema. */
function recordOf(
  invoice: CanonicalInvoice,
  { issuer, link, kind, breakdown }: Parts,
  options: RegistrationOptions,
): RegistroAlta {
  const { invoice: block } = invoice
  const { supplier, header, issue_data: data } = block
  const total = chargedTotal(block)
  const idOf = referenceTo(issuer)
  const operationDate = operationDateOf(block, options.corrects)
  const reference = externalRefOf(invoice)
  return {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFactura: issuer,
      NumSerieFactura: required(header.invoice_number).trim(),
      FechaExpedicionFactura: toFecha(data.issue_date!),
    },
    ...(reference === undefined ? {} : { RefExterna: reference }),
    NombreRazonEmisor: truncate(supplier.name, 120),
    ...(options.correction && REGISTRATION_MARKS[options.correction]),
    TipoFactura: kind.type,
    ...correctionOf(block, options, idOf, statedAmounts(block, true)),
    ...(kind.type === 'F3'
      ? { FacturasSustituidas: { IDFacturaSustituida: idsOf(required(options.replaces), idOf) } }
      : {}),
    ...(operationDate === undefined ? {} : { FechaOperacion: toFecha(operationDate) }),
    DescripcionOperacion: descriptionOf(block),
    ...(kind.qualified ? { FacturaSimplificadaArt7273: 'S' as const } : {}),
    ...(kind.anonymous ? { FacturaSinIdentifDestinatarioArt61d: 'S' as const } : {}),
    ...(Math.abs(total) >= MACRODATO ? { Macrodato: 'S' as const } : {}),
    ...issuedBy(block, options),
    // A corrective invoice of simplified invoices (R5) names no recipient.
    ...(kind.recipient && kind.type !== 'R5' ? { Destinatarios: { IDDestinatario: [kind.recipient] } } : {}),
    ...(options.coupon ? { Cupon: 'S' as const } : {}),
    Desglose: { DetalleDesglose: breakdown.lines },
    CuotaTotal: toImporte(toMinor(block.totals.total_tax_outputs)),
    ImporteTotal: toImporte(total),
    Encadenamiento: link,
    SistemaInformatico: { ...options.system },
    FechaHoraHusoGenRegistro: options.timestamp,
    ...(options.invoicing_agreement ? { NumRegistroAcuerdoFacturacion: options.invoicing_agreement } : {}),
    ...(options.system_agreement ? { IdAcuerdoSistemaInformatico: options.system_agreement } : {}),
    TipoHuella: '01',
    Huella: '',
  }
}

/**
 * Builds the registration record of an issued invoice, with its hash.
 *
 * `invoice` is the result of `validate(sent, { operation: 'issue' })`, with number and date, or its `data` if you have
 * handled its errors. A result with errors gives no record. Amounts are in euros; the record states them as texts with
 * two decimals. `ImporteTotal` is the invoice total without foreign one-stop-shop tax, withholding and disbursements;
 * `CuotaTotal` is the Spanish tax with the surcharge.
 *
 * The `items` of a refusal state what to correct. A record that the authority would reject is never returned:
 * `checkRecord` runs on it, with `timestamp` as the clock. Throws a `TypeError` only for options of the wrong type.
 * Source: RD 1007/2023 arts. 10 to 13; Orden HAC/1177/2024 arts. 10 to 13; AEAT record design 1.0.
 *
 * @example
 * const sent = { schema_version: 'json_1_1', meta: {}, invoice: {} }
 * const result = registrationRecord(sent as never, { system: {} as never, previous: null, timestamp: '2027-01-15T10:00:00+01:00' })
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
  if (!issued) return refusedResult(items)
  const { block, issuer } = issued
  const link = checkAndLink(issuer, options, found)
  const kind = fiscalTypeOf(block, {
    notInCensus: options.recipient_not_in_census ?? false,
    withoutRecipient: options.without_recipient ?? false,
    replaces: (options.replaces?.length ?? 0) > 0,
  })
  checkInvoiceType(block, kind, options, found)
  checkCostBases(options.cost_bases)
  const breakdown = breakdownOf(block, options.cost_bases)
  refuseUnusedCostBases(breakdown, options, refuse)
  checkTotals(block, breakdown, refuse)
  if (link && !options.correction) refuseSecondRegistration(options.previous, block, issuer, refuse)
  if (items.length > 0) return refusedResult([...items, ...found.warnings])
  const parts = { issuer: required(issuer), link: required(link), kind: required(kind), breakdown }
  const record = recordOf(issued.invoice, parts, options)
  return completeRecord(
    { RegistroAlta: record },
    ({ RegistroAlta: unhashed }, Huella) => ({ RegistroAlta: { ...unhashed, Huella } }),
    found.warnings,
    options,
  )
}
