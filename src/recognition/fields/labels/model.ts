/**
 * Texts that invoices print, one file per language in `texts/recognition/labels`.
 *
 * A term is written as printed. Case and accents do not matter; a space stands for any space; a period, an apostrophe
 * and a hyphen are optional; `*` stands for the rest of a word.
 */
export interface Labels {
  /** Where the terms come from. */
  readonly sources: readonly string[]
  /** Names of the months, from January on, each with its variants. */
  readonly months: readonly (readonly string[])[]
  /** What an invoice calls itself. */
  readonly invoice: readonly string[]
  readonly corrective: readonly string[]
  readonly simplified: readonly string[]
  /** States, wherever it stands, that a document is not an invoice. */
  readonly notInvoice: readonly string[]
  /** Titles of other documents, which invoices mention too. */
  readonly otherDocument: readonly string[]
  /** Complete labels of the invoice number. */
  readonly invoiceNumber: readonly string[]
  /** "Number", alone or beside a name of the invoice. */
  readonly number: readonly string[]
  readonly series: readonly string[]
  /** Words that show that a number is of something else. */
  readonly otherNumber: readonly string[]
  /** Labels of the invoice that a corrective one corrects. */
  readonly corrected: readonly string[]
  readonly issueDate: readonly string[]
  /** "Date", alone. */
  readonly date: readonly string[]
  readonly operationDate: readonly string[]
  readonly dueDate: readonly string[]
  readonly base: readonly string[]
  readonly tax: readonly string[]
  readonly surcharge: readonly string[]
  readonly withheld: readonly string[]
  readonly total: readonly string[]
  readonly payable: readonly string[]
  /** The compensation of farmers, printed instead of a tax. */
  readonly compensation: readonly string[]
  /** Names the regime of farmers. */
  readonly farmers: readonly string[]
  /** States that an amount includes the tax. */
  readonly included: readonly string[]
  /** Expenses paid on behalf of the customer, outside of the base (suplidos). */
  readonly disbursement: readonly string[]
  /** Amounts paid before. */
  readonly advance: readonly string[]
  /** Labels of amounts outside of the sums. */
  readonly otherAmount: readonly string[]
  readonly supplier: readonly string[]
  readonly customer: readonly string[]
  readonly taxId: readonly string[]
  /** Begins the entry in a public register, which is not part of a name. */
  readonly register: readonly string[]
  /** Beside ids of third parties, such as a printer or a software vendor. */
  readonly thirdParty: readonly string[]
  /** Texts near a name that are something else. */
  readonly notName: readonly string[]
  readonly reverseCharge: readonly string[]
  readonly exempt: readonly string[]
  readonly notSubject: readonly string[]
}
