/** Invoices for tests: valid, small, and different in each call. */
import { type FormatCode, writeInvoice } from '#formats/index.ts'

let references = 0
/** References of constant length, so that messages are equally long in every process. */
const PROCESS = String(process.pid).padStart(7, '0')

export const nextRef = (prefix = 'REF'): string => `${prefix}-${PROCESS}-${++references}`

export interface DraftOptions {
  readonly series?: string
  readonly ref?: string
  readonly taxId?: string
  /** Changes to `invoice`, by block. */
  readonly invoice?: Readonly<Record<string, unknown>>
}

/** The customer of the invoices. */
export const CUSTOMER = {
  person_type_code: 'J',
  tax_id: 'B12345674',
  name: 'Cliente de Pruebas, S.L.',
  country_code: 'ES',
  company: {
    legal_name: 'Cliente de Pruebas, S.L.',
    address: {
      address: 'Avenida de los Naranjos, 120',
      post_code: '12001',
      town: 'Castellón de la Plana',
      country_code: 'ES',
      country_subdivision: { code: '12' },
    },
  },
}

export type Document = any

const supplierOf = (taxId?: string) => ({
  person_type_code: 'J',
  name: 'Empresa de Pruebas, S.L.',
  country_code: 'ES',
  ...(taxId ? { tax_id: taxId } : {}),
})

/** A draft of one line, 100 at 21 %, by default with the tax id of the company. */
export const draft = ({
  series = 'F',
  ref = nextRef(),
  taxId,
  invoice = {},
}: DraftOptions = {}): Document => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'tests', external_ref: ref },
  invoice: {
    supplier: supplierOf(taxId),
    customer: CUSTOMER,
    header: { invoice_type_code: '01', invoice_series_code: series },
    issue_data: { invoice_description: 'Servicios de prueba' },
    totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 121 },
    lines: [{ item_description: 'Servicio', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 21 }],
    ...invoice,
  },
})

/** A draft with a business error: a rate that does not exist. */
export const wrongDraft = (options: DraftOptions = {}): Document =>
  draft({
    ...options,
    invoice: {
      lines: [
        { item_description: 'Servicio', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 20 },
      ],
      totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 20, invoice_total: 120 },
      ...options.invoice,
    },
  })

/** An invoice issued elsewhere. */
export const imported = ({
  taxId,
  number,
  series = 'OLD',
  date = '2026-03-02',
  ref,
  invoice = {},
}: DraftOptions & { taxId: string; number: string; date?: string }): Document => {
  const document = draft({ series, taxId, invoice })
  document.meta = { direction: 'issued', source_system: 'tests', ...(ref ? { external_ref: ref } : {}) }
  document.invoice.header = { ...document.invoice.header, invoice_number: number }
  document.invoice.issue_data = { ...document.invoice.issue_data, issue_date: date }
  return document
}

/** An invoice of a supplier to the company with this tax id. */
export const received = ({
  taxId,
  number,
  supplier = 'B12345674',
  date = '2026-03-02',
  invoice = {},
}: {
  taxId: string
  number: string
  supplier?: string
  date?: string
  invoice?: Record<string, unknown>
}): Document => ({
  schema_version: 'json_1_1',
  meta: { direction: 'received', source_system: 'tests' },
  invoice: {
    supplier: { ...CUSTOMER, tax_id: supplier, name: 'Proveedor de Pruebas, S.L.' },
    customer: { ...CUSTOMER, tax_id: taxId, name: 'Empresa de Pruebas, S.L.' },
    header: { invoice_type_code: '01', invoice_number: number },
    issue_data: { issue_date: date, invoice_description: 'Compra de prueba' },
    totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 121 },
    lines: [{ item_description: 'Material', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 21 }],
    ...invoice,
  },
})

const ADDRESS = {
  address: 'Calle Mayor, 1',
  post_code: '28013',
  town: 'Madrid',
  country_subdivision: { code: '28' },
}

/** The same as XML from the supplier. */
export function receivedXml(options: Parameters<typeof received>[0], format: FormatCode): string {
  const document = received(options)
  for (const party of ['supplier', 'customer'])
    Object.assign(document.invoice[party] ?? {}, { person_type_code: 'J', company: { address: ADDRESS } })
  const { xml, errors } = writeInvoice(document, format)
  if (xml === null) throw new Error(JSON.stringify(errors))
  return xml
}
