/** Builds the record of a received invoice. */
import { taxRateOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, InvoiceBlock, Line, TaxOutput } from '#core/invoice/index.ts'
import {
  EXEMPT,
  GENERAL_REGIME,
  isMarginKey,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
} from '#core/invoice/terms.ts'
import { displayTextOf, type OptionKinds } from '../../fiscal/check-options.ts'
import {
  checkCorrection,
  correctionOf,
  type ReversedAmounts,
  refuseUnusedOptions,
  replacedBy,
} from '../../fiscal/correction.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import { correctiveType } from '../../fiscal/fiscal-operation.ts'
import { operationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import type { FiscalParty } from '../../fiscal/fiscal-party.ts'
import { toFecha, toImporte } from '../../fiscal/literals.ts'
import { checkReferences, REFERENCE } from '../../fiscal/references.ts'
import { checkShape, type Refuse, refusals, resultOf, type SiiResult, shared } from '../model/sii-items.ts'
import { isVat, receivedRegimeKey, regimeKeysOfRecord } from '../model/sii-keys.ts'
import { checkOptions, fieldsOf } from '../model/sii-options.ts'
import { periodOf } from '../model/sii-period.ts'
import type { FacturaRecibida, RegistroRecibida } from '../model/sii-record-types.ts'
import { checkReceived } from './consistency.ts'
import { isNorthernIrish, withAcquiredGoods } from './northern-ireland.ts'
import {
  isDeductible,
  namesRecipient,
  type ReceivedBreakdown,
  receivedBreakdown,
} from './received-breakdown.ts'
import { INTRA_COMMUNITY } from './received-details.ts'
import {
  commonMembers,
  correctedBlock,
  documentForBook,
  RECORD_OPTIONS,
  referenceOf,
  type SiiRecordOptions,
  totalOf,
} from './sii-document.ts'
import { idOf, numberAndDateOf, receivedIssuer } from './sii-identity.ts'
import { bookedAmounts, bookedAmountsFromCorrection } from './taken-back.ts'

/** Members of the official record that the caller passes, because the invoice has no data for them. */
export type ReceivedFields = Partial<
  Pick<
    FacturaRecibida,
    | 'NumRegistroAcuerdoFacturacion'
    | 'BaseImponibleACoste'
    | 'EntidadSucedida'
    | 'RegPrevioGGEEoREDEMEoCompetencia'
    | 'FacturaSimplificadaArticulos7.2_7.3'
  >
>

export interface ReceivedRecordOptions extends SiiRecordOptions {
  /** `F6`: an accounting document that is not an invoice; `LC`: a complementary customs settlement. */
  readonly type?: 'F6' | 'LC'
  /** Date of the accounting registration. Default: the receipt date or, without one, the date of issue. */
  readonly registration_date?: string
  /** The company's provisional general pro rata, a whole number from 0 to 100. */
  readonly pro_rata?: number
  /** Month `YYYY-MM` in which the tax is deducted, if later than the period of the record. */
  readonly deduct_in?: string
  /** Members of `FacturaRecibida` to copy unchanged. */
  readonly fields?: ReceivedFields
}

const FIELDS: Readonly<Record<keyof ReceivedFields, true>> = {
  NumRegistroAcuerdoFacturacion: true,
  BaseImponibleACoste: true,
  EntidadSucedida: true,
  RegPrevioGGEEoREDEMEoCompetencia: true,
  'FacturaSimplificadaArticulos7.2_7.3': true,
}

/** Types of the options. `deletionRecord` accepts them too. */
export const RECEIVED_OPTIONS: OptionKinds<ReceivedRecordOptions> = {
  ...RECORD_OPTIONS,
  type: ['F6', 'LC'],
  registration_date: 'day',
  pro_rata: 'any',
  deduct_in: 'month',
  fields: 'object',
}

const COMPENSATION = '02'
const SIMPLIFIED = '02'

/** Returns the type of a received invoice: the option `type` or, without it, the type that follows from the invoice. */
export function receivedTypeOf(
  block: InvoiceBlock,
  options: Pick<ReceivedRecordOptions, 'type'>,
): FacturaRecibida['TipoFactura'] {
  if (options.type) return options.type
  if (block.issue_data.is_dua) return 'F5'
  const corrective = correctiveType(block)
  if (corrective) return corrective
  // A farmer under the special regime issues no invoice: the buyer's receipt is an accounting document.
  if (required(block.taxes_outputs).some((entry) => receivedRegimeKey(entry, block) === COMPENSATION))
    return 'F6'
  return block.header.invoice_type_code === SIMPLIFIED && !namesRecipient(block) ? 'F2' : 'F1'
}

/** Whether a type is that of a customs document, whose record names the holder of the book as supplier. */
export const isCustoms = (type: string): boolean => type === 'F5' || type === 'LC'

const isEuropean = ({ IDOtro }: FiscalParty): boolean => IDOtro?.IDType === '02'

/**
 * Whether an entry of a supplier in another member state is an acquisition taxed in Spain: reverse charge, an exempt
 * intra-Community supply, or a service located in Spain.
 */
export const isAcquisition = (entry: Line | TaxOutput): boolean => {
  const { tax_treatment_code: treatment } = entry
  if (treatment === EXEMPT) return entry.exemption_reason_code === 'E5'
  if (treatment === NON_TAXABLE) return entry.non_taxable_reason === 'LOCATION_RULES'
  return treatment === REVERSE_CHARGE
}

/**
 * Returns a function that returns the regime key of an entry. An acquisition from another member state has key 09
 * instead of 01.
 */
export const regimeKeyFor =
  (issuer: FiscalParty) =>
  (entry: TaxOutput, block: InvoiceBlock): string | undefined => {
    const key = receivedRegimeKey(entry, block)
    const european = isEuropean(issuer) && !isNorthernIrish(issuer)
    return european && key === GENERAL_REGIME && isAcquisition(entry) ? INTRA_COMMUNITY : key
  }

/**
 * Refuses the tax of another country, which these books cannot state: on the invoice of a foreign supplier, a rate that
 * does not exist in Spain or, if the supplier has an EU VAT number, the rate 0.
 */
function refuseForeignTax(
  block: InvoiceBlock,
  issuer: FiscalParty,
  keyOf: ReturnType<typeof regimeKeyFor>,
  refuse: Refuse,
): void {
  const { IDOtro } = issuer
  if (!IDOtro || IDOtro.IDType === '07' || !isVat(block)) return
  const day = operationDateOf(block) ?? block.issue_data.issue_date
  required(block.taxes_outputs).forEach((entry, index) => {
    const key = keyOf(entry, block)
    if (entry.tax_treatment_code !== TAXED || isMarginKey(key)) return
    const spanish = taxRateOf('IVA', entry.tax_rate, day) !== undefined
    if (entry.tax_rate === 0 ? isEuropean(issuer) : !spanish)
      refuse('sii.foreign_tax', `/invoice/taxes_outputs/${index}/tax_rate`, { received: entry.tax_rate })
  })
}

function checkProRata(value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= 100)) return
  // The pro rata is rounded up to a whole percentage (art. 104.Dos.2 Ley 37/1992).
  const meant =
    value > 0 && value < 1 ? `; ${value} probably means ${Math.ceil(+(value * 100).toFixed(6))}` : ''
  throw new TypeError(
    `cuadra: option "pro_rata" is ${displayTextOf(value)}; pass a percentage, a whole number from 0 to 100${meant}`,
  )
}

/**
 * Returns the date of the accounting registration: the option, otherwise the receipt date, otherwise the date of issue
 * (for example for invoices imported from XML, which have no receipt date).
 */
export const registrationDay = (
  { issue_data: data }: InvoiceBlock,
  { registration_date: given }: Pick<ReceivedRecordOptions, 'registration_date'>,
): string => given ?? data.receipt_date ?? data.issue_date!

function deductedLater(month: string | undefined) {
  if (month === undefined) return {}
  const { Ejercicio, Periodo } = periodOf(month)
  return {
    ADeducirEnPeriodoPosterior: 'S' as const,
    EjercicioDeduccion: Ejercicio,
    PeriodoDeduccion: Periodo,
  }
}

/** Returns the issuer of a received invoice with its name, as records of deletions and payments require it. */
export function receivedIdentity(
  block: InvoiceBlock,
  options: Pick<ReceivedRecordOptions, 'type' | 'counterparty_not_in_census'>,
  refuse: Refuse,
): FiscalParty {
  const notInCensus = options.counterparty_not_in_census ?? false
  return receivedIssuer(block, { customs: isCustoms(receivedTypeOf(block, options)), notInCensus }, refuse)
}

/** Returns the breakdown of an invoice with the regime keys of this book. */
function breakdownFor(
  block: InvoiceBlock,
  issuer: FiscalParty,
  proRata: number | undefined,
  refuse: Refuse,
): { readonly keyed: InvoiceBlock; readonly breakdown: ReceivedBreakdown } {
  const keyOf = regimeKeyFor(issuer)
  const keyed = isNorthernIrish(issuer) ? withAcquiredGoods(block, isAcquisition) : block
  return { keyed, breakdown: receivedBreakdown(keyed, (entry) => keyOf(entry, block), proRata, refuse) }
}

/** Returns the amounts that a correction by substitution takes back: those in the record of the replaced invoice. */
function takenBack(
  block: InvoiceBlock,
  { details }: ReceivedBreakdown,
  original: InvoiceBlock | undefined,
  refuse: Refuse,
): ReversedAmounts {
  const replaced = replacedBy(block)
  if (!replaced) return { base: 0, tax: 0 }
  if (original) {
    const ignored = () => {}
    const { breakdown } = breakdownFor(original, receivedIdentity(original, {}, ignored), 100, ignored)
    return bookedAmounts(breakdown.details)
  }
  const stated = bookedAmountsFromCorrection(block, details)
  if (stated === undefined)
    refuse('sii.replaced_unknown', '/invoice/header/corrective/invoice_number', { received: replaced.number })
  return stated ?? { base: 0, tax: 0 }
}

/**
 * Builds the record of a received invoice, `{ PeriodoLiquidacion, IDFactura, FacturaRecibida }`, with the element names
 * of the official schema.
 *
 * `invoice` is the result of `validate`, or its `data`, as for `issuedRecord`. Reverse-charge tax is calculated at the
 * rate of the line or, without one, at 21 %, and is part of `ImporteTotal`. A correction by substitution reverses the
 * record of the replaced invoice, so pass that invoice as `corrected`. Without it, the amounts that the correction
 * states are used, if they determine the amounts of that record. `CuotaDeducible` is the tax of each line times its
 * `deduction_rate`, then times `pro_rata`. A line without `deduction_rate` uses the usual rate of its reason or,
 * without a reason, 100 %. Period and `FechaRegContable` come from the receipt date or, without one, from the date of
 * issue.
 *
 * Returns the reasons for a refusal as `issuedRecord` does. Source: arts. 62.6, 64 and 69 bis RD 1624/1992; Orden
 * HFP/417/2017, annex I.
 *
 * @example
 * const result = receivedRecord({ schema_version: 'json_1_1', meta: {}, invoice: {} } as never)
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.not_normalised']
 */
export function receivedRecord(
  invoice: CanonicalInvoice | Validated,
  options: ReceivedRecordOptions = {},
): SiiResult<RegistroRecibida> {
  checkOptions(options, RECEIVED_OPTIONS)
  checkProRata(options.pro_rata)
  const fields = fieldsOf(options.fields, FIELDS)
  const found = refusals(options.locale)
  const { items, refuse } = found
  const document = documentForBook(invoice, 'received', refuse)
  if (!document) return { ok: false, items }
  const block = document.invoice
  const issued = block.issue_data.issue_date!
  const registered = registrationDay(block, options)
  if (registered < issued)
    refuse(
      'sii.registration_date',
      options.registration_date === undefined ? '/invoice/issue_data/receipt_date' : '/registration_date',
      {
        received: registered,
        expected: issued,
      },
    )
  const type = receivedTypeOf(block, options)
  checkReferences(block, options, REFERENCE, shared(refuse))
  refuseUnusedOptions(type, block, options, shared(refuse))
  const issuer = receivedIdentity(block, options, refuse)
  const keyOf = regimeKeyFor(issuer)
  refuseForeignTax(block, issuer, keyOf, refuse)
  checkReceived(block, refuse)
  const { keyed, breakdown } = breakdownFor(block, issuer, options.pro_rata, refuse)
  if (type.startsWith('R')) checkCorrection(block, options, false, shared(refuse), shared(found.warn))
  else if (replacedBy(block)) refuse('sii.replaced_type', '/invoice/header/corrective', { received: type })
  const original = correctedBlock(options.corrected)
  const factura: FacturaRecibida = {
    TipoFactura: type,
    ...(type.startsWith('R')
      ? correctionOf(block, options, referenceOf, takenBack(block, breakdown, original, refuse))
      : {}),
    ...regimeKeysOfRecord(keyed, keyOf, found, 'received'),
    ...commonMembers(document, options, totalOf(block) + breakdown.selfAssessed),
    ...(type === 'F1' && block.header.invoice_type_code === SIMPLIFIED
      ? { 'FacturaSimplificadaArticulos7.2_7.3': 'S' as const }
      : {}),
    ...fields,
    DesgloseFactura: breakdown.DesgloseFactura,
    Contraparte: issuer,
    FechaRegContable: toFecha(registered),
    CuotaDeducible: toImporte(original && !isDeductible(original) ? 0 : breakdown.deductible),
    ...deductedLater(options.deduct_in),
  }
  const record: RegistroRecibida = {
    PeriodoLiquidacion: periodOf(options.period ?? registered),
    IDFactura: { IDEmisorFactura: idOf(issuer), ...numberAndDateOf(block) },
    FacturaRecibida: factura,
  }
  if (items.length === 0)
    checkShape(record, 'SuministroLRFacturasRecibidas', 'RegistroLRFacturasRecibidas', refuse)
  return resultOf(record, found)
}
