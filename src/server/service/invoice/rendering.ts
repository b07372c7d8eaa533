/** The PDF of a stored invoice: as it is sent, mailed and printed. */
import { spanishTimestamp } from '../../../fiscal/timestamp.ts'
import { TEMPLATES } from '../../../pdf/designs.ts'
import { legendsOf } from '../../../verifactu/qr/index.ts'
import type { QrView, ViewLanguage, ViewOptions } from '../../../view/index.ts'
import { invoiceFileName } from '../../documents/names.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import { documentOf, type InvoiceRow } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { logoOf } from '../company/logo.ts'
import { isInForce } from './statuses.ts'

/** What a PDF is made with: a call has all of it, and so has whoever sends mail. */
export type RenderingContext = Pick<Call, 'app' | 'store' | 'company'> & Partial<Pick<Call, 'locale'>>

export interface RenderingOptions {
  /** `<design>-<style>`; without it that of the series, then that of the company. */
  readonly template?: string | undefined
  /** Without it the one that suits the customer. */
  readonly language?: ViewLanguage | undefined
  /** As PDF/A-3b with the invoice as CII inside (Factur-X). */
  readonly facturx?: boolean | undefined
}

export interface RenderedInvoice {
  readonly pdf: Uint8Array
  readonly language: ViewLanguage
  readonly fileName: string
}

export const DEFAULT_TEMPLATE = 'classic-blue'

const isKnown = (template: string | null | undefined): template is string =>
  template !== null && template !== undefined && TEMPLATES.includes(template)

/** The template of the series, of the company, or the first there is. Names of earlier versions are passed over. */
async function templateFor({ store, company }: RenderingContext, row: InvoiceRow): Promise<string> {
  const code = row.series ?? row.document_series
  const series =
    row.direction === 'issued' && code !== null
      ? await store.select('series').select('pdf_template').where('series_code', '=', code).executeTakeFirst()
      : undefined
  return [series?.pdf_template, company.data.pdf_template].find(isKnown) ?? DEFAULT_TEMPLATE
}

/** The code of the record that was made when the invoice was issued; null where none was. */
async function qrOf(store: Rows, invoiceId: string): Promise<QrView | null> {
  const record = await store
    .select('verifactu_records')
    .select(['qr_url', 'mode'])
    .where('invoice_id', '=', invoiceId)
    .where('tipo', '=', 'alta')
    .where('qr_url', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!record?.qr_url) return null
  const { above, below } = legendsOf(record.mode === 'verifactu')
  return { content: record.qr_url, above, below: below?.short ?? '' }
}

function statusOf({ status, direction }: InvoiceRow): ViewOptions['status'] {
  if (status === 'cancelled') return 'cancelled'
  if (direction === 'received') return status === 'draft' ? 'draft' : 'received'
  return isInForce(status) ? 'issued' : 'draft'
}

/** A moment of ours, which are in UTC without saying so. */
const inUtc = (stamp: string): string => (/(?:Z|[+-]\d\d:\d\d)$/.test(stamp) ? stamp : `${stamp}Z`)

const dayInSpain = (stamp: string): string => spanishTimestamp(Date.parse(inUtc(stamp))).slice(0, 10)

/** An issued invoice does not change, nor does its PDF when it is sent: its day is its moment. */
const timestampOf = ({ direction, issue_date, status, updated_at }: InvoiceRow): string =>
  direction === 'issued' && issue_date !== null && status !== 'draft'
    ? `${issue_date}T00:00:00Z`
    : inUtc(updated_at)

/**
 * The PDF of an invoice of any kind and state, in the language asked for or the customer's.
 *
 * Throws `canonical_not_available` where there is no calculated document, `invalid_status_transition` where a draft or
 * what is cancelled is to be an electronic invoice, and `export_not_possible` where the invoice has what CII cannot say.
 */
export async function renderedInvoice(
  context: RenderingContext,
  row: InvoiceRow,
  { template, language, facturx = false }: RenderingOptions = {},
): Promise<RenderedInvoice> {
  const { app, store, company, locale = 'es' } = context
  const { invoice_id, direction, status, number } = row
  if (facturx && !isInForce(status)) throw wrongStatus(status, 'exported')
  const { canonical } = await documentOf(store, invoice_id)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const isIssued = direction === 'issued'
  const { pdf, language: written } = await app.work.renderInvoice({
    text: canonical,
    address: isIssued ? company.data.address : null,
    language,
    page: {
      direction,
      status: statusOf(row),
      qr: isIssued ? await qrOf(store, invoice_id) : null,
      ...(isIssued ? {} : { registered: dayInSpain(row.created_at) }),
    },
    template: template ?? (await templateFor(context, row)),
    logo: isIssued ? ((await logoOf(store))?.bytes ?? null) : null,
    timestamp: timestampOf(row),
    facturx: facturx ? { locale } : undefined,
  })
  return { pdf, language: written, fileName: invoiceFileName(number ?? invoice_id, 'pdf') }
}
