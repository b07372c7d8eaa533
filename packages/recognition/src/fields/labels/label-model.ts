/**
 * Texts that invoices print, one file per language in `texts/recognition/labels`.
 *
 * A term is written as printed. Case and accents do not matter; a space stands for any space; a period, an apostrophe
 * and a hyphen are optional; `*` stands for the rest of a word, and a word in brackets is optional.
 */
export interface Labels {
  /** Sources of the terms. */
  readonly sources: readonly string[]
  /** Names of the months, from January on, with variants after `|`. */
  readonly months: readonly string[]
  /** Names of invoices. */
  readonly invoice: readonly string[]
  /** Names of receipts, some of which are invoices. */
  readonly receipt: readonly string[]
  readonly corrective: readonly string[]
  readonly simplified: readonly string[]
  /** Texts that, anywhere on a document, state that it is not an invoice. */
  readonly notInvoice: readonly string[]
  /** Titles of other documents. Invoices may also mention them. */
  readonly otherDocument: readonly string[]
  /**
   * Texts that state that the invoice is not in force, that demand or announce a payment, or that state a copy. A term of
   * one word counts only as a title or at an angle, a longer term anywhere.
   */
  readonly notInForce: readonly string[]
  readonly paymentDemand: readonly string[]
  readonly duplicate: readonly string[]
  /** Texts that announce another bank account. */
  readonly accountChange: readonly string[]
  /** Complete labels of the invoice number. */
  readonly invoiceNumber: readonly string[]
  /** Words for "number", alone or beside a name of the invoice. */
  readonly number: readonly string[]
  readonly series: readonly string[]
  /** Words that show that a number is not the invoice number. */
  readonly otherNumber: readonly string[]
  /** Labels of the invoice that a corrective invoice corrects. */
  readonly corrected: readonly string[]
  readonly issueDate: readonly string[]
  /** Words for "date" as a label on their own. */
  readonly date: readonly string[]
  readonly operationDate: readonly string[]
  readonly dueDate: readonly string[]
  readonly base: readonly string[]
  readonly tax: readonly string[]
  /** Taxes instead of IVA: those of the Canary Islands, Ceuta and Melilla. */
  readonly otherTax: readonly string[]
  readonly surcharge: readonly string[]
  readonly withheld: readonly string[]
  readonly total: readonly string[]
  readonly payable: readonly string[]
  /** Names of the farmers' compensation, which is printed instead of a tax. */
  readonly compensation: readonly string[]
  /** Names of the special regime of farmers (REAGYP). */
  readonly farmers: readonly string[]
  /** Texts that state that an amount includes the tax. */
  readonly included: readonly string[]
  /** Labels of disbursements (suplidos): expenses paid on behalf of the customer, which are not part of the base. */
  readonly disbursement: readonly string[]
  /** Labels of payments on account. */
  readonly advance: readonly string[]
  /** Labels of amounts that are not part of the invoice's totals. */
  readonly otherAmount: readonly string[]
  readonly supplier: readonly string[]
  readonly customer: readonly string[]
  /** Prepositions at the end of a label after which a name follows without a colon, as in `Vendido por`. */
  readonly by: readonly string[]
  readonly taxId: readonly string[]
  /** Beginnings of a company register entry, which is not part of a name. */
  readonly register: readonly string[]
  /** Words beside tax ids of third parties, such as a printer or a software vendor. */
  readonly thirdParty: readonly string[]
  /** Texts near a name that are not names. */
  readonly notName: readonly string[]
  readonly reverseCharge: readonly string[]
  readonly exempt: readonly string[]
  readonly notSubject: readonly string[]
}
