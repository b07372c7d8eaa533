/** Writes lines. Prices are without tax; prices that include tax are converted. */
import { exemptionReasonOf } from '#core/catalogs/index.ts'
import type { Line } from '#core/invoice/index.ts'
import {
  EXEMPT,
  isMarginKey,
  NON_TAXABLE,
  ONE_STOP_SHOP,
  REVERSE_CHARGE,
  TAXED,
} from '#core/invoice/terms.ts'
import { exact, exactText, percentOf, toMinor, toNumber } from '#core/money/index.ts'
import { isInconsistentPrice, quotient } from '../model/index.ts'
import {
  EXEMPT_EVENT,
  NOT_SUBJECT_EVENT,
  TAX_TYPE_OF,
  type TaxGroupCode,
  WITHHELD_TYPE,
} from './facturae-codes.ts'
import { undefinedIfEmpty } from './facturae-cursor.ts'
import { EXEMPT_TEXT, NOT_SUBJECT_TEXTS, REVERSE_CHARGE_TEXT, reasonOf } from './facturae-treatment.ts'
import { decimal, twoDecimals, type Writer } from './write-context.ts'

export const taxGroupOf = (writer: Writer): TaxGroupCode => writer.invoice.issue_data.tax_group_code ?? 'IVA'

/** Travel agencies have their own tax type under IVA and IGIC. */
const TRAVEL_TYPES: Readonly<Partial<Record<TaxGroupCode, string>>> = { IVA: '17', IGIC: '18' }

export const taxTypeOf = (writer: Writer, key: string | undefined): string => {
  const group = taxGroupOf(writer)
  return (key === '05' ? TRAVEL_TYPES[group] : undefined) ?? TAX_TYPE_OF[group]
}

/** Returns the amounts of a line without tax, in the currency of the invoice. */
function amountsOf(writer: Writer, line: Line, path: string) {
  const gross = writer.amount(line, 'gross_amount_without_tax', path)
  const withTax = line.unit_price_with_tax !== undefined
  if (withTax) {
    const price = line.quantity === 0 ? 0 : quotient(gross, line.quantity)
    return { gross, cost: gross, price, discount: 0, charge: 0 }
  }
  const cost = writer.amount(line, 'total_cost_without_tax', path)
  const stated = writer.amount(line, 'unit_price_without_tax', path)
  // The rules do not check the price of a currency block. If the cost does not result from it, the price is calculated.
  const price =
    writer.isForeign &&
    line.quantity !== 0 &&
    isInconsistentPrice(stated, line.quantity, cost, writer.decimals)
      ? quotient(cost, line.quantity)
      : stated
  const own = (writer.isForeign ? line.invoice_currency : line) ?? {}
  const part = (amount: number | undefined, rate: number | undefined): number =>
    amount ??
    (rate === undefined ? 0 : toNumber(percentOf(toMinor(cost, writer.decimals), rate), writer.decimals))
  return {
    gross,
    cost,
    price,
    discount: part(own.discount_amount, line.discount_rate),
    charge: part(own.charge_amount, line.charge_rate),
  }
}

const adjustment = (name: 'Discount' | 'Charge', reason: string, rate: number | undefined, amount: number) =>
  amount === 0 && rate === undefined
    ? undefined
    : {
        [name]: [
          {
            [`${name}Reason`]: reason,
            [`${name}Rate`]: rate === undefined ? undefined : decimal(rate),
            [`${name}Amount`]: decimal(amount),
          },
        ],
      }

/** Returns the text of an exemption. The text cites the article, so that a reader finds the same exemption reason. */
function exemptText(line: Line, group: TaxGroupCode): string {
  const code = line.exemption_reason_code ?? ''
  const text = line.exemption_reason_text ?? EXEMPT_TEXT
  if (reasonOf(text, group) === code) return text
  const { law, name } = exemptionReasonOf(group, code) ?? {}
  const texts = [law, name].flatMap((part) => (part ? `${text} (${part})` : []))
  return texts.find((one) => reasonOf(one, group) === code) ?? text
}

function eventOf(writer: Writer, line: Line, path: string) {
  const event = (code: string, reason: string, at: string) => ({
    SpecialTaxableEventCode: code,
    SpecialTaxableEventReason: writer.need(reason, 2500, at),
  })
  if (line.tax_treatment_code === EXEMPT)
    return event(EXEMPT_EVENT, exemptText(line, taxGroupOf(writer)), `${path}/exemption_reason_text`)
  if (line.tax_treatment_code !== NON_TAXABLE) return undefined
  const own = line.legal_literals?.[0]?.legal_reference
  const text = own ?? NOT_SUBJECT_TEXTS[line.non_taxable_reason ?? 'LOCATION_RULES'] ?? 'Operación no sujeta'
  return event(NOT_SUBJECT_EVENT, text, `${path}/legal_literals/0`)
}

function taxOf(writer: Writer, line: Line, path: string, surcharge: number | undefined) {
  const rate = line.tax_treatment_code === TAXED ? (line.tax_output_rate ?? 0) : 0
  const base = writer.amount(line, 'tax_output_base', path)
  const tax = writer.amount(line, 'tax_output_amount', path)
  const surchargeOn = (amount = 0, decimals = 2): number =>
    toNumber(percentOf(toMinor(amount, decimals), surcharge ?? 0), decimals)
  return {
    TaxTypeCode: taxTypeOf(writer, line.tax_regime_key),
    TaxRate: decimal(rate),
    TaxableBase: writer.block(base, line.tax_output_base),
    TaxAmount: writer.block(tax, line.tax_output_amount),
    EquivalenceSurcharge: surcharge === undefined ? undefined : twoDecimals(surcharge),
    EquivalenceSurchargeAmount:
      surcharge === undefined
        ? undefined
        : writer.block(surchargeOn(base, writer.decimals), surchargeOn(line.tax_output_base)),
  }
}

function withheldOf(writer: Writer, line: Line, path: string) {
  if (line.tax_withheld_rate === undefined) return undefined
  return {
    Tax: [
      {
        TaxTypeCode: WITHHELD_TYPE,
        TaxRate: decimal(line.tax_withheld_rate),
        TaxableBase: writer.block(writer.amount(line, 'tax_withheld_base', path), line.tax_withheld_base),
        TaxAmount: writer.block(writer.amount(line, 'tax_withheld_amount', path), line.tax_withheld_amount),
      },
    ],
  }
}

function referencesOf(writer: Writer, line: Line, index: number, path: string) {
  const references = line.references ?? {}
  const text = (name: 'receiver_contract_reference' | 'receiver_transaction_reference' | 'file_reference') =>
    writer.text(references[name], 20, `${path}/references/${name}`)
  // Facturae has the issuer's contract reference only on lines, so the first line gets the reference of the document.
  const inherited = index === 0 ? writer.invoice.header.references?.issuer_contract_reference : undefined
  const contract = writer.text(
    references.issuer_contract_reference ?? inherited,
    20,
    `${path}/references/issuer_contract_reference`,
  )
  const notes = undefinedIfEmpty(
    (references.delivery_notes ?? []).map((note, at) => ({
      DeliveryNoteNumber: writer.needOf(note, 'number', 30, `${path}/references/delivery_notes/${at}`),
      DeliveryNoteDate: note.date,
    })),
  )
  return {
    IssuerContractReference: contract,
    IssuerContractDate: references.issuer_contract_date,
    ReceiverContractReference: text('receiver_contract_reference'),
    ReceiverTransactionReference: text('receiver_transaction_reference'),
    FileReference: text('file_reference'),
    DeliveryNotesReferences: notes && { DeliveryNote: notes },
  }
}

function periodOf(writer: Writer, line: Line, path: string) {
  const { line_item_period_start_date: start, line_item_period_end_date: end } = line
  if (start === undefined && end === undefined) return undefined
  if (start === undefined) writer.report.refuse('missing', `${path}/line_item_period_start_date`)
  if (end === undefined) writer.report.refuse('missing', `${path}/line_item_period_end_date`)
  return { StartDate: start ?? '', EndDate: end ?? '' }
}

/**
 * Returns the additional information of a line. If the invoice also has a rate of 0, the information identifies the
 * lines under reverse charge.
 */
function informationOf(writer: Writer, line: Line, mixed: boolean, path: string): string | undefined {
  const own = line.additional_line_item_information
  const text =
    mixed && line.tax_treatment_code === REVERSE_CHARGE
      ? [REVERSE_CHARGE_TEXT, own].filter(Boolean).join('. ')
      : own
  return writer.text(text, 2500, `${path}/additional_line_item_information`)
}

/** Returns the equivalence surcharge of a line, if the breakdown has a single surcharge for its rate. */
function surchargeOf(writer: Writer, line: Line): number | undefined {
  if (line.tax_treatment_code !== TAXED) return undefined
  const alike = (writer.invoice.taxes_outputs ?? []).filter(
    ({ tax_rate: rate, tax_treatment_code: treatment }) =>
      rate === line.tax_output_rate && treatment === TAXED,
  )
  const [first, ...others] = alike.map((entry) => entry.equivalence_surcharge)
  return others.every((other) => other === first) ? first : undefined
}

const isZeroRated = (line: Line): boolean =>
  line.tax_treatment_code === TAXED && (line.tax_output_rate ?? 0) === 0

/**
 * Whether the line is sold at a loss under the margin scheme. Facturae states only the margin of the line, which is 0.
 */
const isLoss = ({
  purchase_price_incl: bought,
  tax_regime_key,
  unit_price_with_tax,
  gross_amount_with_tax,
  gross_amount_without_tax,
}: Line): boolean => {
  const price = unit_price_with_tax === undefined ? gross_amount_without_tax : gross_amount_with_tax
  return isMarginKey(tax_regime_key) && bought !== undefined && Math.abs(price ?? 0) < bought
}

export function linesOf(writer: Writer): object[] {
  const { lines, totals } = writer.invoice
  const adjusted = Boolean(totals.total_general_discounts || totals.total_general_surcharges)
  const mixed = lines.some(isZeroRated)
  return lines.map((line, index) => {
    const path = `/invoice/lines/${index}`
    if (line.tax_regime_key === ONE_STOP_SHOP || line.consumption_tax_rate !== undefined)
      writer.report.refuse('one_stop_shop', `${path}/tax_regime_key`)
    if (adjusted && isLoss(line)) writer.report.refuse('margin_loss', `${path}/purchase_price_incl`)
    const { gross, cost, price, discount, charge } = amountsOf(writer, line, path)
    return {
      ...referencesOf(writer, line, index, path),
      SequenceNumber: line.sequence_number === undefined ? undefined : String(line.sequence_number),
      ItemDescription: writer.needOf(line, 'item_description', 2500, path),
      Quantity: exactText(exact(line.quantity + 0)),
      UnitOfMeasure: line.unit_of_measure,
      UnitPriceWithoutTax: decimal(price),
      TotalCost: decimal(cost),
      DiscountsAndRebates: adjustment('Discount', 'Descuento', line.discount_rate, discount),
      Charges: adjustment('Charge', 'Cargo', line.charge_rate, charge),
      GrossAmount: decimal(gross),
      TaxesWithheld: withheldOf(writer, line, path),
      TaxesOutputs: { Tax: [taxOf(writer, line, path, surchargeOf(writer, line))] },
      LineItemPeriod: periodOf(writer, line, path),
      TransactionDate: line.transaction_date,
      AdditionalLineItemInformation: informationOf(writer, line, mixed, path),
      SpecialTaxableEvent: eventOf(writer, line, path),
      ArticleCode: writer.textOf(line, 'article_code', 20, path),
    }
  })
}
