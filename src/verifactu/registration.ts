/** From a validated invoice to its registration record (`RegistroAlta`). */

import { checkMembers, type OptionKind } from '../fiscal/check-options.ts'
import { invoiceKind } from '../fiscal/kind.ts'
import { toFecha, toImporte } from '../fiscal/literals.ts'
import { descriptionOf, externalRefOf, operationDateOf } from '../fiscal/operation.ts'
import { cut, spanishNif } from '../fiscal/party.ts'
import {
  type CanonicalInvoice,
  EXEMPT,
  type InvoiceBlock,
  isDate,
  type Locale,
  type ValidationItem,
} from '../invoice/index.ts'
import { toMinor } from '../money/index.ts'
import { breakdownOf } from './breakdown.ts'
import { checkRecord } from './check.ts'
import { hashOf, type Sha256 } from './hash.ts'
import { chainTo, checkMoment, type Previous } from './link.ts'
import { type Refuse, refusals } from './record-items.ts'
import type { FiscalRecord, Persona, RegistroAlta, SistemaInformatico } from './types.ts'

/** What every record needs besides its own data. */
export interface RecordOptions {
  /** The issuing system, as its responsible declaration describes it. */
  readonly system: SistemaInformatico
  /** Last record of the chain, or its link; `null` only for the very first one. */
  readonly previous: Previous
  /** Local time of the place of issue with its offset: `2027-01-31T10:00:00+01:00` (`spanishMoment` makes it). */
  readonly moment: string
  /** True where this taxpayer or installation goes on with the chain of another one (a merger). */
  readonly chain_continues?: boolean
  /** A faster SHA-256 of the host. */
  readonly hash?: Sha256
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** Identity of an invoice that this one corrects or replaces; dates `YYYY-MM-DD`. */
export interface InvoiceReference {
  readonly invoice_number: string
  readonly issue_date: string
  /** NIF of its issuer, where it is not this invoice's. */
  readonly issuer_tax_id?: string
}

export interface RegistrationOptions extends RecordOptions {
  /**
   * A record that corrects an earlier one of the same invoice. `none`: the earlier one is at the authority;
   * `rejected`: a correction of it was rejected; `never_registered`: the authority has no record of the invoice.
   */
  readonly correction?: 'none' | 'rejected' | 'never_registered'
  /** Simplified invoices that this full invoice replaces: makes it F3. */
  readonly replaces?: readonly InvoiceReference[]
  /** Further corrected invoices, besides the one that the invoice names. */
  readonly corrects?: readonly InvoiceReference[]
  /** Surcharge of the corrected invoice, in euros, in a correction by substitution. */
  readonly corrected_surcharge_amount?: number
  /** The third party that issued the invoice in the issuer's name. */
  readonly third_party?: Persona
  /** True where the recipient's NIF is known not to be in the census (IDType 07). */
  readonly recipient_not_in_census?: boolean
  /** A full invoice without the recipient's identity, art. 6.1.d RD 1619/2012. */
  readonly without_recipient?: boolean
  /** A corrective for a coupon or discount where only the original is issued. */
  readonly coupon?: boolean
  /** Number of an authorisation of special invoicing, and of a resolution of non-application. */
  readonly invoicing_agreement?: string
  readonly system_agreement?: string
}

/** A record, or the reasons why there is none: never half of one. */
export type RecordResult<R extends FiscalRecord> =
  | {
      readonly ok: true
      readonly record: R
      readonly hash: string
      readonly items: readonly ValidationItem[]
    }
  | {
      readonly ok: false
      readonly record: null
      readonly hash: null
      readonly items: readonly ValidationItem[]
    }

const MACRODATO = 100_000_000_00

const none = (items: readonly ValidationItem[]) => ({ ok: false, record: null, hash: null, items }) as const

/** Options that every record takes. */
export const RECORD_OPTIONS = {
  // These three are refused in words of their own.
  system: 'any',
  previous: 'any',
  moment: 'any',
  hash: 'function',
  locale: ['en', 'es'],
  chain_continues: 'boolean',
} as const satisfies Readonly<Record<string, OptionKind>>

const OPTIONS = {
  ...RECORD_OPTIONS,
  correction: ['none', 'rejected', 'never_registered'],
  replaces: 'list',
  corrects: 'list',
  corrected_surcharge_amount: 'number',
  third_party: 'object',
  recipient_not_in_census: 'boolean',
  without_recipient: 'boolean',
  coupon: 'boolean',
  invoicing_agreement: 'text',
  system_agreement: 'text',
} as const satisfies Readonly<Record<string, OptionKind>>

/** True for a block; what is in it the authority's checks say. */
export const isSystem = (system: unknown): boolean => typeof system === 'object' && system !== null

/** Completes a record with its hash, holds it against the authority's checks, and answers. */
export function finished<R extends FiscalRecord>(
  unhashed: R,
  withHash: (record: R, hash: string) => R,
  warnings: readonly ValidationItem[],
  options: RecordOptions,
): RecordResult<R> {
  const hash = hashOf(unhashed, options.hash)
  const record = withHash(unhashed, hash)
  const items = checkRecord(record, {
    now: options.moment,
    chainStarted: options.previous !== null,
    locale: options.locale ?? 'en',
    ...(options.hash ? { hash: options.hash } : {}),
  })
  const all = [...items, ...warnings]
  return all.some((item) => item.severity === 'error') ? none(all) : { ok: true, record, hash, items: all }
}

/** A correction that does not say how it corrects, or what. */
function refuseIncompleteCorrection({ header }: InvoiceBlock, refuse: Refuse): void {
  if (!header.is_corrective) return
  const path = '/invoice/header/corrective'
  const { correction_type, corrected_taxable_base, corrected_tax_amount } = header.corrective ?? {}
  if (correction_type === undefined) refuse('record.correction', `${path}/correction_type`)
  if (correction_type !== 'S') return
  if (corrected_taxable_base === undefined) refuse('record.correction', `${path}/corrected_taxable_base`)
  if (corrected_tax_amount === undefined) refuse('record.correction', `${path}/corrected_tax_amount`)
}

/** What `validate` answers: a record is only made of an invoice without errors. */
export interface Validated {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
}

const isValidated = (value: unknown): value is Validated =>
  typeof value === 'object' && value !== null && 'is_valid' in value && 'errors' in value

/** References are given by the program, not by the invoice: nothing has checked them. */
function checkReferences(options: RegistrationOptions, refuse: Refuse): void {
  for (const option of ['replaces', 'corrects'] as const)
    options[option]?.forEach((reference: Partial<InvoiceReference> | null, i) => {
      const path = `/${option}/${i}`
      if (typeof reference?.invoice_number !== 'string' || reference.invoice_number.trim() === '')
        refuse('record.reference', `${path}/invoice_number`, { received: reference?.invoice_number ?? null })
      if (typeof reference?.issue_date !== 'string' || !isDate(reference.issue_date))
        refuse('record.reference', `${path}/issue_date`, { received: reference?.issue_date ?? null })
    })
}

const isIntraCommunity = ({ taxes_outputs: entries }: InvoiceBlock): boolean =>
  (entries ?? []).some((entry) => entry.tax_treatment_code === EXEMPT && entry.exemption_reason_code === 'E5')

/** The record before is the first registration of this same invoice: the authority would answer 3000. */
function refuseSecondRegistration(
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
function refuseIdleOptions(
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

/** `Subsanacion` and `RechazoPrevio` (reference, section 7.1). */
const CORRECTIONS: Readonly<Record<NonNullable<RegistrationOptions['correction']>, Partial<RegistroAlta>>> = {
  none: { Subsanacion: 'S' },
  rejected: { Subsanacion: 'S', RechazoPrevio: 'S' },
  never_registered: { Subsanacion: 'S', RechazoPrevio: 'X' },
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
 * have looked at its errors yourself: of an answer with errors no record is made. Amounts are euros; the record says them as texts with two decimals. `ImporteTotal` is the invoice total
 * without foreign one-stop-shop tax, withholding and outlays; `CuotaTotal` is the Spanish tax with the surcharge.
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
  checkMembers(options, OPTIONS, 'options of registrationRecord')
  const found = refusals(options.locale ?? 'en')
  const { items, refuse } = found
  if (isValidated(invoice)) {
    const errors = invoice.errors.filter((item) => item.severity === 'error')
    if (invoice.data && errors.length === 0) return registrationRecord(invoice.data, options)
    refuse('record.invalid_invoice', '', {
      count: errors.length,
      first: errors[0] ? `${errors[0].code} ${errors[0].path}` : 'schema',
    })
    return none(items)
  }
  const block = invoice?.invoice
  if (
    !block?.totals ||
    !Array.isArray(block.taxes_outputs) ||
    typeof block.totals.invoice_total !== 'number'
  ) {
    refuse('record.not_normalised', !block?.totals ? '/invoice/totals' : '/invoice/taxes_outputs')
    return none(items)
  }
  if (invoice.meta.direction !== 'issued')
    refuse('record.direction', '/meta/direction', { received: invoice.meta.direction })
  const { supplier, header, issue_data: data, totals } = block
  const issuer = spanishNif(supplier.tax_id)
  if (!issuer) refuse('record.issuer_nif', '/invoice/supplier/tax_id', { received: supplier.tax_id ?? null })
  if (!header.invoice_number?.trim()) refuse('record.required', '/invoice/header/invoice_number')
  if (!data.issue_date) refuse('record.required', '/invoice/issue_data/issue_date')
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
    if (kind.recipient && kind.recipient.IDOtro?.IDType !== '02' && isIntraCommunity(block))
      found.warn('record.intra_community', '/invoice/customer/tax_id')
  }
  refuseIncompleteCorrection(block, refuse)

  const breakdown = breakdownOf(block)
  const foreign = toMinor(totals.total_consumption_taxes ?? 0)
  const total = toMinor(totals.invoice_total) - foreign
  const tax = toMinor(totals.total_tax_outputs)
  const differ = (field: string, received: number, expected: number) =>
    refuse('record.totals_differ', `/invoice/totals/${field}`, {
      received: received / 100,
      expected: expected / 100,
    })
  if (tax !== breakdown.tax) differ('total_tax_outputs', tax, breakdown.tax)
  if (total !== breakdown.total && !breakdown.margin) differ('invoice_total', total, breakdown.total)
  if (link && !options.correction) refuseSecondRegistration(options.previous, block, issuer, refuse)
  if (items.length > 0 || !link || !issuer || !kind) return none([...items, ...found.warnings])

  const operationDate = operationDateOf(block)
  const reference = externalRefOf(invoice)
  const record: RegistroAlta = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFactura: issuer,
      NumSerieFactura: header.invoice_number!.trim(),
      FechaExpedicionFactura: toFecha(data.issue_date!),
    },
    ...(reference === undefined ? {} : { RefExterna: reference }),
    NombreRazonEmisor: cut(supplier.name, 120),
    ...(options.correction ? CORRECTIONS[options.correction] : {}),
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
