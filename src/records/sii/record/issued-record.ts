/** Builds the record of an issued invoice. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, InvoiceBlock } from '#core/invoice/index.ts'
import { sum, toMinor } from '#core/money/index.ts'
import type { OptionKinds } from '../../fiscal/check-options.ts'
import {
  checkCorrection,
  correctionOf,
  isCorrectedTaxAtRates,
  type ReversedAmounts,
  refuseUnusedOptions,
  replacedBy,
  statedAmounts,
} from '../../fiscal/correction.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import type { FiscalParty } from '../../fiscal/fiscal-party.ts'
import { fiscalTypeOf } from '../../fiscal/fiscal-type.ts'
import { checkReferences, type InvoiceReference, idsOf, REFERENCE } from '../../fiscal/references.ts'
import { checkShape, type Refuse, refusals, resultOf, type SiiResult, shared } from '../model/sii-items.ts'
import { issuedRegimeKey, isVat, regimeKeysOfRecord } from '../model/sii-keys.ts'
import { checkOptions, fieldsOf } from '../model/sii-options.ts'
import { periodOf } from '../model/sii-period.ts'
import type { FacturaExpedida, RegistroEmitida } from '../model/sii-record-types.ts'
import { checkIssued, warnIssued } from './consistency.ts'
import { issuedBreakdown } from './issued-breakdown.ts'
import {
  commonMembers,
  correctedBlock,
  documentForBook,
  RECORD_OPTIONS,
  referenceOf,
  type SiiRecordOptions,
  totalOf,
} from './sii-document.ts'
import { issuerNif, numberAndDateOf } from './sii-identity.ts'

/** Members of the official record that the caller passes, because the invoice has no data for them. */
export type IssuedFields = Partial<
  Pick<
    FacturaExpedida,
    | 'NumRegistroAcuerdoFacturacion'
    | 'BaseImponibleACoste'
    | 'EntidadSucedida'
    | 'RegPrevioGGEEoREDEMEoCompetencia'
    | 'DatosInmueble'
    | 'ImporteTransmisionInmueblesSujetoAIVA'
    | 'FacturacionDispAdicionalTerceraYsextayDelMercadoOrganizadoDelGas'
    | 'VariosDestinatarios'
    | 'Cupon'
  >
>

export interface IssuedRecordOptions extends SiiRecordOptions {
  /** Simplified invoices, already reported, that this full invoice replaces (type F3). */
  readonly replaces?: readonly InvoiceReference[]
  /** True if a third party issued the invoice in the company's name. */
  readonly third_party?: boolean
  /**
   * True for a full invoice without the recipient's identity (art. 6.1.d RD 1619/2012), even if the invoice names it.
   */
  readonly without_recipient?: boolean
  /**
   * Members of `FacturaExpedida` to copy unchanged, such as `DatosInmueble` (leased property), `BaseImponibleACoste` or
   * `Cupon`.
   */
  readonly fields?: IssuedFields
}

const FIELDS: Readonly<Record<keyof IssuedFields, true>> = {
  NumRegistroAcuerdoFacturacion: true,
  BaseImponibleACoste: true,
  EntidadSucedida: true,
  RegPrevioGGEEoREDEMEoCompetencia: true,
  DatosInmueble: true,
  ImporteTransmisionInmueblesSujetoAIVA: true,
  FacturacionDispAdicionalTerceraYsextayDelMercadoOrganizadoDelGas: true,
  VariosDestinatarios: true,
  Cupon: true,
}

/** Types of the options. `deletionRecord` accepts them too. */
export const ISSUED_OPTIONS: OptionKinds<IssuedRecordOptions> = {
  ...RECORD_OPTIONS,
  replaces: 'list',
  third_party: 'boolean',
  without_recipient: 'boolean',
  fields: 'object',
}

/** Types whose breakdown is by invoice even with a foreign recipient. Invoices of all other types have a recipient. */
const ALWAYS_BY_INVOICE: readonly string[] = ['F2', 'F4', 'R5']

const isForeign = ({ NIF }: FiscalParty): boolean => NIF === undefined || NIF.startsWith('N')

/**
 * Returns the date that determines the period: the operation date or, for a corrective invoice, its own date of issue.
 */
export const issuedPeriodDate = ({ header, issue_data: data }: InvoiceBlock): string =>
  header.is_corrective ? data.issue_date! : (data.operation_date ?? data.issue_date!)

/** Returns the amounts that a correction by substitution takes back: those in the record of the replaced invoice. */
function takenBack(
  block: InvoiceBlock,
  { corrected }: Pick<IssuedRecordOptions, 'corrected'>,
  refuse: Refuse,
): ReversedAmounts {
  const replaced = replacedBy(block)
  const original = correctedBlock(corrected)
  if (replaced && original) {
    const entries = required(original.taxes_outputs)
    const tax = isVat(original) ? sum(entries.map(({ tax_amount }) => toMinor(tax_amount))) : 0
    return { base: sum(entries.map(({ taxable_base }) => toMinor(taxable_base))), tax }
  }
  if (replaced && !isVat(block) && !isCorrectedTaxAtRates(block))
    refuse('sii.replaced_unknown', '/invoice/header/corrective/invoice_number', { received: replaced.number })
  return statedAmounts(block, isVat(block))
}

/** Returns the simplified invoices that an F3 replaces. */
const groupedOf = (type: string, { replaces = [] }: IssuedRecordOptions) =>
  type === 'F3' ? { FacturasAgrupadas: { IDFacturaAgrupada: idsOf(replaces, referenceOf) } } : {}

/**
 * Builds the record of an issued invoice, `{ PeriodoLiquidacion, IDFactura, FacturaExpedida }`, with the element names
 * of the official schema.
 *
 * `invoice` is the result of `validate`, with number and date, or its `data` if you have handled its errors. A result
 * with errors gives no record. Amounts are in euros; the record states them as texts with two decimals. `ImporteTotal`
 * is the invoice total without foreign one-stop-shop tax, withholding and disbursements. An invoice with IPSI is an
 * operation outside the territory of VAT (regime key 08, not subject); its `ImporteTotal` does not include the IPSI.
 *
 * If the record is refused, the items state what to correct. Their paths point into the invoice (those of `sii.schema`
 * into the record). A returned record always matches the official schema. Throws a `TypeError` only for wrong options.
 *
 * Source: arts. 62.6, 63 and 69 bis RD 1624/1992; Orden HFP/417/2017, annex I.
 *
 * @example
 * const result = issuedRecord({ schema_version: 'json_1_1', meta: {}, invoice: {} } as never)
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.not_normalised']
 */
export function issuedRecord(
  invoice: CanonicalInvoice | Validated,
  options: IssuedRecordOptions = {},
): SiiResult<RegistroEmitida> {
  checkOptions(options, ISSUED_OPTIONS)
  const fields = fieldsOf(options.fields, FIELDS)
  const found = refusals(options.locale)
  const { items, refuse } = found
  const document = documentForBook(invoice, 'issued', refuse)
  if (!document) return { ok: false, items }
  const block = document.invoice
  const nif = issuerNif(block, refuse)
  checkReferences(block, options, REFERENCE, shared(refuse))
  const kind = fiscalTypeOf(block, {
    notInCensus: options.counterparty_not_in_census ?? false,
    withoutRecipient: options.without_recipient ?? false,
    replaces: (options.replaces?.length ?? 0) > 0,
  })
  if (!kind) {
    refuse('sii.counterparty', '/invoice/customer')
    return { ok: false, items }
  }
  refuseUnusedOptions(kind.type, block, options, shared(refuse))
  checkIssued(
    block,
    {
      type: kind.type,
      anonymous: kind.anonymous ?? false,
      agreement: fields.NumRegistroAcuerdoFacturacion !== undefined,
      costBase: fields.BaseImponibleACoste !== undefined,
    },
    refuse,
  )
  checkCorrection(block, options, true, shared(refuse), shared(found.warn))
  const perOperation = !ALWAYS_BY_INVOICE.includes(kind.type) && isForeign(required(kind.recipient))
  const factura: FacturaExpedida = {
    TipoFactura: kind.type,
    ...correctionOf(block, options, referenceOf, takenBack(block, options, refuse)),
    ...groupedOf(kind.type, options),
    ...regimeKeysOfRecord(block, issuedRegimeKey, found, 'issued'),
    ...commonMembers(document, options, totalOf(block)),
    ...(kind.qualified ? { 'FacturaSimplificadaArticulos7.2_7.3': 'S' as const } : {}),
    ...(block.header.invoice_type_code === '05' || options.third_party
      ? { EmitidaPorTercerosODestinatario: 'S' as const }
      : {}),
    ...(kind.anonymous ? { 'FacturaSinIdentifDestinatarioAritculo6.1.d': 'S' as const } : {}),
    ...fields,
    ...(kind.recipient ? { Contraparte: kind.recipient } : {}),
    TipoDesglose: issuedBreakdown(block, perOperation, refuse),
  }
  const record: RegistroEmitida = {
    PeriodoLiquidacion: periodOf(options.period ?? issuedPeriodDate(block)),
    IDFactura: { IDEmisorFactura: { NIF: nif }, ...numberAndDateOf(block) },
    FacturaExpedida: factura,
  }
  if (items.length === 0)
    checkShape(record, 'SuministroLRFacturasEmitidas', 'RegistroLRFacturasEmitidas', refuse)
  if (items.length === 0) warnIssued(record, found.warn)
  return resultOf(record, found)
}
