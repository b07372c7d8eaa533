/** Elements that have no place in the canonical invoice: each is named, once, with how often it occurs. */
import type { ReadingReport, Tree } from '../model/index.ts'

/** Paths from the root; `*` is any element, and lists are walked through. */
const LEFT_OUT: readonly string[] = [
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
      'DiscountsAndRebates/Discount/DiscountReason',
      'Charges/Charge/ChargeReason',
      'Extensions',
    ].map((name) => `Items/InvoiceLine/${name}`),
  ].map((name) => `Invoices/Invoice/${name}`),
]

interface Pattern {
  readonly next: Map<string, Pattern>
  ends: boolean
}

const compile = (): Pattern => {
  const start: Pattern = { next: new Map(), ends: false }
  for (const path of LEFT_OUT) {
    let at = start
    for (const step of path.split('/')) {
      let next = at.next.get(step)
      if (!next) {
        next = { next: new Map(), ends: false }
        at.next.set(step, next)
      }
      at = next
    }
    at.ends = true
  }
  return start
}

let compiled: Pattern | undefined

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** Warns of every element of the tree that is not read. */
export function reportLeftOut(tree: Tree, report: ReadingReport): void {
  compiled ??= compile()
  const found = new Map<Pattern, { path: string; count: number }>()
  const walk = (value: unknown, pattern: Pattern, path: string): void => {
    if (Array.isArray(value)) {
      value.forEach((one, index) => {
        walk(one, pattern, `${path}/${index}`)
      })
      return
    }
    if (pattern.ends) {
      if (isEmpty(value)) return
      const known = found.get(pattern)
      if (known) known.count++
      else found.set(pattern, { path, count: 1 })
      return
    }
    if (typeof value !== 'object' || value === null) return
    const any = pattern.next.get('*')
    for (const [name, inner] of Object.entries(value)) {
      const next = pattern.next.get(name) ?? any
      if (next) walk(inner, next, `${path}/${name}`)
    }
  }
  walk(tree, compiled, '')
  for (const { path, count } of found.values()) report.warn('format.left_out', path, { received: count })
}
