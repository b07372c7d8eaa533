/** Completes a calculated invoice with the single instalment and the legal mentions. */
import { exemptionReasonOf, isEuMember } from '#core/catalogs/index.ts'
import type { InvoiceBlock, LegalLiteral, TaxOutput } from '#core/invoice/index.ts'
import {
  CASH_BASIS,
  EXEMPT,
  isMarginKey,
  ONE_STOP_SHOP,
  REGIME_MENTIONS,
  REVERSE_CHARGE,
} from '#core/invoice/terms.ts'
import type { NormalisationFacts } from '../normalise/index.ts'

/** Sets the amount of the only instalment to the amount to pay; adds the instalment if there is none. */
function completePayments(invoice: InvoiceBlock): void {
  const amount = invoice.totals.total_executable_amount!
  const [first, second] = invoice.payment_details!
  if (!first) invoice.payment_details = [{ installment_amount: amount }]
  else if (!second) first.installment_amount ??= amount
}

/** Mentions that RD 1619/2012 requires, in the wording of the decree. */
const REVERSE_CHARGE_TEXT = 'Inversión del sujeto pasivo'
const SELF_BILLING_TEXT = 'Facturación por el destinatario'

/** Full names of the laws, as invoices cite them. */
const LAW_NAMES: Readonly<Record<string, string>> = {
  'Ley 37/1992': 'Ley 37/1992, de 28 de diciembre, del Impuesto sobre el Valor Añadido',
  'Ley 8/1991': 'Ley 8/1991, de 25 de marzo',
}

/** Matches `art. 20 Ley 37/1992`, `arts. 23-24 Ley 37/1992` and a law without an article. */
const CITATION = /^(?:(arts?)\. (\S+) )?(Ley \S+)$/

/** Returns the mention of an exemption (art. 6.1.j RD 1619/2012), with the article in the catalog for its reason. */
function exemptionText(taxGroup: string, code: string): string {
  const [, kind, articles, law] = CITATION.exec(exemptionReasonOf(taxGroup, code)?.law ?? '') ?? []
  if (law === undefined) return 'Operación exenta'
  const name = LAW_NAMES[law] ?? law
  if (articles === undefined) return `Operación exenta por aplicación de la ${name}`
  return kind === 'art'
    ? `Operación exenta por aplicación del artículo ${articles} de la ${name}`
    : `Operación exenta por aplicación de los artículos ${articles.replace('-', ' y ')} de la ${name}`
}

/** Returns the code of the legal mention for a regime key: a digit for the tax group, followed by the key. */
const literalCode = (taxGroup: string, key: string): string => `${taxGroup === 'IGIC' ? '1' : '0'}${key}`

/** Normalises a mention for comparison: lower case, without the final full stop. */
const plain = (text: string): string => text.trim().toLowerCase().replace(/\.$/, '')

/**
 * Adds a mention with a code, and removes its duplicates. If the client sent its text without the code, adds the code
 * to that mention.
 */
function withCode(sent: readonly LegalLiteral[], wanted: LegalLiteral & { code: string }): LegalLiteral[] {
  const { code, legal_reference: text } = wanted
  const literals = [...sent]
  if (!literals.some((literal) => literal.code === code)) {
    const plainText = plain(text)
    const at = literals.findIndex((literal) => !literal.code && plain(literal.legal_reference) === plainText)
    if (at < 0) literals.push(wanted)
    else literals[at] = { code, legal_reference: literals[at]!.legal_reference }
  }
  const seen = new Set<string>()
  return literals.filter((literal) => {
    if (literal.code !== code) return true
    const plainText = plain(literal.legal_reference)
    return !seen.has(plainText) && seen.add(plainText)
  })
}

/** Adds a mention unless the invoice already has it. */
function withMention(sent: LegalLiteral[], { code, legal_reference }: LegalLiteral): LegalLiteral[] {
  if (code !== undefined) return withCode(sent, { code, legal_reference })
  const plainText = plain(legal_reference)
  const isThere = sent.some((literal) => plain(literal.legal_reference) === plainText)
  return isThere ? sent : [...sent, { legal_reference }]
}

/**
 * Whether the customer is a business in another member state. Operations located there are taxed by reverse charge
 * (art. 6.1.m RD 1619/2012, arts. 141, 196 and 226(11a) Directive 2006/112/EC).
 */
const isBusinessElsewhere = (
  { customer, issue_data: issue }: InvoiceBlock,
  facts: NormalisationFacts,
): boolean =>
  customer !== undefined &&
  issue.is_tai !== false &&
  customer.country_code !== 'ES' &&
  isEuMember(customer.country_code!, facts.accrualDate) &&
  (customer.person_type_code === 'J' || facts.customerId?.kind === 'EU_VAT')

type AddMention = (text: string, code?: string) => void

/** Adds the mentions that an entry of the breakdown requires on an issued invoice. */
function addMentionsOf(
  entry: TaxOutput,
  taxGroup: string,
  add: AddMention,
  isElsewhere: () => boolean,
): void {
  const { tax_regime_key: key, tax_treatment_code: treatment, exemption_reason_code: reason } = entry
  if (key !== undefined && isMarginKey(key)) add(REGIME_MENTIONS[key], literalCode(taxGroup, key))
  const isLocated =
    taxGroup === 'IVA' && entry.non_taxable_reason === 'LOCATION_RULES' && key !== ONE_STOP_SHOP
  if (treatment === REVERSE_CHARGE || (isLocated && isElsewhere())) add(REVERSE_CHARGE_TEXT)
  if (treatment === EXEMPT && reason !== undefined)
    add(entry.exemption_reason_text ?? exemptionText(taxGroup, reason))
}

/**
 * Adds each mention that the law requires and the client did not send. A received invoice is the supplier's document,
 * so only the cash-basis mention is added: it affects when the tax may be deducted.
 */
function completeLiterals(invoice: InvoiceBlock, issued: boolean, facts: NormalisationFacts): void {
  const wanted = new Map<string, LegalLiteral>()
  const add: AddMention = (text, code) =>
    wanted.set(text, code === undefined ? { legal_reference: text } : { code, legal_reference: text })
  const taxGroup = invoice.issue_data.tax_group_code ?? 'IVA'
  for (const group of invoice.taxes_outputs ?? []) {
    if (group.tax_regime_key === CASH_BASIS)
      add(REGIME_MENTIONS[CASH_BASIS], literalCode(taxGroup, CASH_BASIS))
    if (issued) addMentionsOf(group, taxGroup, add, () => isBusinessElsewhere(invoice, facts))
  }
  if (issued && invoice.header.invoice_type_code === '05') add(SELF_BILLING_TEXT)
  if (wanted.size === 0) return
  invoice.legal_literals = [...wanted.values()].reduce(withMention, invoice.legal_literals ?? [])
}

/** Adds the instalment and the legal mentions to the engine's copy of an invoice. */
export function completeInvoice(invoice: InvoiceBlock, issued: boolean, facts: NormalisationFacts): void {
  completePayments(invoice)
  completeLiterals(invoice, issued, facts)
}
