/** `render`: writes an invoice from the database or a file as PDF. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import type { ViewLanguage } from '#view/index.ts'
import type { App } from '../../src/app/app.ts'
import {
  DEFAULT_TEMPLATE,
  type RenderingOptions,
  renderedInvoice,
} from '../../src/service/invoice/rendering.ts'
import { findInvoice } from '../../src/store/invoices.ts'
import { print } from '../admin-output.ts'
import { readJson } from '../input.ts'
import type { Io } from '../io.ts'
import { parsePdfTemplate, parseViewLanguage } from '../known-values.ts'
import { companyOfInvoice, requireCompany, withApp } from '../session.ts'
import { withoutComputed } from '../verify/verify-amounts.ts'
import type { Flags } from './commands.ts'

interface RenderFlags extends Flags {
  readonly out: string
  readonly file?: string
  readonly template?: string
  readonly language?: ViewLanguage
  readonly facturx?: true
}

/** Returns the PDF of an invoice of any company. */
async function renderInvoice(app: App, invoiceId: string, wishes: RenderingOptions) {
  const companyId = await app.store.transaction((all) => companyOfInvoice(app, all, invoiceId))
  const store = app.store.of(companyId)
  const company = await requireCompany(app, store)
  const row = await findInvoice(store, invoiceId)
  if (!row) throw new CuadraError(`Invoice ${invoiceId} no longer exists.`)
  const { pdf, language } = await renderedInvoice({ app, store, company, locale: 'en' }, row, wishes)
  return { pdf, language, invoice_id: invoiceId, company_id: companyId, number: row.number }
}

/** A document from a file is rendered without a company. */
const CLIENT = { company: '' }

interface Read {
  readonly meta?: { readonly direction?: unknown }
  readonly invoice?: { readonly header?: { readonly invoice_number?: unknown } }
}

/**
 * Returns the operation to validate a document for. It depends on the direction, and on whether the document has a
 * number.
 */
function operationOf({ meta, invoice }: Read): 'received' | 'import' | 'draft' {
  if (meta?.direction === 'received') return 'received'
  return invoice?.header?.invoice_number === undefined ? 'draft' : 'import'
}

/** Returns the PDF of a document from a file. An invalid document is printed as a draft. */
async function renderFile(app: App, read: unknown, { template, language, facturx }: RenderingOptions) {
  const document: unknown = withoutComputed(JSON.stringify(read))
  const operation = operationOf(Object(document) as Read)
  const direction = operation === 'received' ? operation : 'issued'
  const isFinal = operation !== 'draft'
  const size = Buffer.byteLength(JSON.stringify(document))
  const { data, errors, is_valid } = await app.work.validate(
    { document, options: { operation } },
    CLIENT,
    size,
  )
  if (data === null)
    throw new CuadraError(
      `The file is not an invoice that can be printed.\n${errors.map(({ path, message }) => `${path || '/'}: ${message}`).join('\n')}`,
    )
  const { pdf, language: usedLanguage } = await app.work.renderInvoice(
    {
      text: JSON.stringify(data),
      language,
      page: { direction, status: isFinal && is_valid ? direction : 'draft' },
      template: template ?? DEFAULT_TEMPLATE,
      logo: null,
      timestamp: `${data.invoice.issue_data.issue_date ?? '1970-01-01'}T00:00:00Z`,
      facturx: facturx ? { locale: 'en' } : undefined,
    },
    CLIENT,
  )
  return { pdf, language: usedLanguage, number: data.invoice.header.invoice_number ?? null }
}

async function writePdf(out: string, pdf: Uint8Array): Promise<void> {
  try {
    await writeFile(out, pdf, { mode: PRIVATE_MODES.file })
  } catch (error) {
    throw new UsageError(`${out}: ${ioReason(error)}`)
  }
}

export function add(render: Command, io: Io): void {
  render
    .requiredOption('--out <file>', 'PDF file to write or replace')
    .option('--file <file>', 'canonical invoice to print instead of a stored one; - reads the standard input')
    .option(
      '--template <name>',
      '<design>-<style> (default: that of the series or company)',
      parsePdfTemplate,
    )
    .option('--language <language>', 'es, en or es-en (default: by the customer)', parseViewLanguage)
    .option('--facturx', 'write PDF/A-3a with the invoice embedded as CII (Factur-X)')
    .action(async (id: string | undefined, { out, file, json, ...wishes }: RenderFlags) => {
      if ((id === undefined) === (file === undefined))
        throw new UsageError('Use either the id of an invoice or --file.')
      const document = file === undefined ? undefined : await readJson(io, file)
      const { pdf, ...facts } = await withApp(io, (app) =>
        id === undefined ? renderFile(app, document, wishes) : renderInvoice(app, id, wishes),
      )
      await writePdf(out, pdf)
      print(
        io,
        json,
        { ...facts, out, bytes: pdf.length },
        () => `${facts.number ?? 'A draft'} is in ${out} (${pdf.length} bytes, ${facts.language}).`,
      )
    })
}
