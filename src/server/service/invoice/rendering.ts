/** The PDF of an invoice. */
import PDFDocument from 'pdfkit'
import type { App } from '../../app/app.ts'
import { invoiceFileName } from '../../documents/names.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { CompanyStore } from '../../store/store.ts'
import type { CompanyRecord } from '../company/company.ts'

export interface Rendered {
  readonly pdf: Uint8Array
  readonly language: 'es' | 'en' | 'es-en'
  readonly fileName: string
}

interface Rendering {
  readonly template?: string
  readonly language?: 'es' | 'en' | 'es-en'
  readonly facturx?: boolean
}

export async function renderedInvoice(
  _call: { readonly app: App; readonly store: CompanyStore; readonly company: CompanyRecord },
  row: InvoiceRow,
  { language = 'es' }: Rendering = {},
): Promise<Rendered> {
  const number = row.number ?? row.invoice_id
  const page = new PDFDocument({ info: { Title: number, CreationDate: new Date(0) } })
  const pieces: Buffer[] = []
  page.on('data', (piece: Buffer) => pieces.push(piece))
  page.text(`${number} ${row.total}`).end()
  await new Promise((resolve) => page.once('end', resolve))
  return { pdf: Buffer.concat(pieces), language, fileName: invoiceFileName(number, 'pdf') }
}
