/** Elements for which the canonical invoice has no field. Each is reported once, with its number of occurrences. */
import type { ReadingReport, Tree } from '../model/index.ts'

/**
 * Paths, from the root, of elements without a member in the canonical invoice. `*` matches any element; a path applies
 * to each element of a list.
 */
const UNSUPPORTED: readonly string[] = [
  'Extensions',
  'FileHeader/ThirdParty',
  'FileHeader/FactoringAssignmentData',
  'Parties/*/PartyIdentification',
  'Parties/SellerParty/AdministrativeCentres',
  ...['Name', 'FirstSurname', 'SecondSurname', 'ContactDetails', 'PhysicalGLN'].map(
    (name) => `Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre/${name}`,
  ),
  'Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre/LogicalOperationalPoint',
  'Parties/*/LegalEntity/RegistrationData',
  ...['TeleFax', 'WebAddress', 'CnoCnae', 'INETownCode', 'AdditionalContactDetails'].map(
    (name) => `Parties/*/*/ContactDetails/${name}`,
  ),
  ...[
    'InvoiceIssueData/PlaceOfIssue',
    'InvoiceTotals/ReimbursableExpenses/ReimbursableExpenses/ReimbursableExpensesSellerParty',
    'InvoiceTotals/ReimbursableExpenses/ReimbursableExpenses/ReimbursableExpensesBuyerParty',
    'TaxesOutputs/Tax/SpecialTaxableBase',
    'TaxesOutputs/Tax/SpecialTaxAmount',
    'AdditionalData/Extensions',
    ...['RegulatoryReportingData', 'DebitReconciliationReference'].map(
      (name) => `PaymentDetails/Installment/${name}`,
    ),
    ...[
      'AccountNumber',
      'BankCode',
      'BranchCode',
      'BranchInSpainAddress',
      'OverseasBranchAddress',
      'BIC',
    ].map((name) => `PaymentDetails/Installment/*/${name}`),
    ...[
      'IssuerTransactionReference',
      'IssuerTransactionDate',
      'ReceiverContractDate',
      'ReceiverTransactionDate',
      'FileDate',
      'Extensions',
    ].map((name) => `Items/InvoiceLine/${name}`),
  ].map((name) => `Invoices/Invoice/${name}`),
]

type Predicate = (value: unknown) => boolean

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''
const isFilled: Predicate = (value) => !isEmpty(value)
const otherThan =
  (...known: readonly string[]): Predicate =>
  (value) =>
    !isEmpty(value) && !known.includes(String(value))

const HEADER = 'Invoices/Invoice/InvoiceHeader'
const LINE = 'Invoices/Invoice/Items/InvoiceLine'

/** Elements that are read, with tests for the values that the canonical invoice cannot represent. */
const UNSUPPORTED_VALUES: readonly (readonly [path: string, matches: Predicate])[] = [
  ['Invoices/Invoice/InvoiceIssueData/LanguageName', otherThan('es')],
  ['Invoices/Invoice/TaxesWithheld/Tax/TaxTypeCode', otherThan('04')],
  [`${HEADER}/InvoiceClass`, otherThan('OO', 'OR')],
  [`${HEADER}/Corrective/CorrectionMethod`, otherThan('01', '02')],
  // The writer of this project uses these reasons if an invoice has none, so they are not reported.
  [`${LINE}/DiscountsAndRebates/Discount/DiscountReason`, otherThan('Descuento')],
  [`${LINE}/Charges/Charge/ChargeReason`, otherThan('Cargo')],
  [
    'Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre',
    (value) => (value as Tree).CentreCode === undefined || isEmpty((value as Tree).CentreCode),
  ],
]

interface Pattern {
  readonly next: Map<string, Pattern>
  matches: Predicate | null
}

const compile = (): Pattern => {
  const start: Pattern = { next: new Map(), matches: null }
  const add = (path: string, matches: Predicate): void => {
    let at = start
    for (const step of path.split('/')) {
      const next = at.next.get(step) ?? { next: new Map(), matches: null }
      at.next.set(step, next)
      at = next
    }
    at.matches = matches
  }
  for (const path of UNSUPPORTED) add(path, isFilled)
  for (const [path, matches] of UNSUPPORTED_VALUES) add(path, matches)
  return start
}

let compiled: Pattern | undefined

/** Warns of every element of the tree that is not read. */
export function reportUnsupported(tree: Tree, report: ReadingReport): void {
  compiled ??= compile()
  const found = new Map<Pattern, { path: string; count: number }>()
  const walk = (value: unknown, pattern: Pattern, path: string): void => {
    if (Array.isArray(value)) {
      value.forEach((one, index) => {
        walk(one, pattern, `${path}/${index}`)
      })
      return
    }
    if (pattern.matches?.(value)) {
      const known = found.get(pattern)
      if (known) known.count++
      else found.set(pattern, { path, count: 1 })
    }
    if (typeof value !== 'object' || value === null) return
    const any = pattern.next.get('*')
    for (const [name, inner] of Object.entries(value)) {
      const next = pattern.next.get(name) ?? any
      if (next) walk(inner, next, `${path}/${name}`)
    }
  }
  walk(tree, compiled, '')
  for (const { path, count } of found.values()) report.warn('format.omitted', path, { received: count })
}
