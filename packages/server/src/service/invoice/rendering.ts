/** Renders the PDF of a stored invoice, for downloads, mails and printing. */

import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import { legendsOf } from '#records/verifactu/qr/index.ts'
import type { QrView, ViewLanguage, ViewOptions } from '#view/index.ts'
import { invoiceFileName } from '../../documents/file-names.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import { type Call, clientOf } from '../access/call.ts'
import { type Logo, logoOf } from '../company/company-logo.ts'
import { displayedAddressOf } from './as-stored.ts'
import { readDocument } from './read-document.ts'
import { isInForce } from './statuses.ts'

/** The members of a call that rendering needs. The sender of mails, which has no call, provides the same members. */
export type RenderingContext = Pick<Call, 'app' | 'store' | 'company'> &
  Partial<Pick<Call, 'locale' | 'hasLeft'>>

export interface RenderingOptions {
  /** `<design>-<style>`. Default: the template of the series or, without one, that of the company. */
  readonly template?: string | undefined
  /** Default: the language for this customer. */
  readonly language?: ViewLanguage | undefined
  /** Produces PDF/A-3a with the invoice embedded as CII (Factur-X). */
  readonly facturx?: boolean | undefined
}

export interface RenderedInvoice {
  readonly pdf: Uint8Array
  readonly language: ViewLanguage
  readonly fileName: string
  /** The logo that was printed. */
  readonly logo: Logo | null
}

export const DEFAULT_TEMPLATE = 'classic-blue'

const isKnownTemplate = (template: string | null | undefined): template is string =>
  template !== null && template !== undefined && TEMPLATES.includes(template)

/** Returns the template of the series, else that of the company, else the default. Ignores names that do not exist. */
async function templateFor({ store, company }: RenderingContext, row: InvoiceRow): Promise<string> {
  const code = row.series ?? row.document_series
  const series =
    row.direction === 'issued' && code !== null
      ? await store.select('series').select('pdf_template').where('series_code', '=', code).executeTakeFirst()
      : undefined
  return [series?.pdf_template, company.data.pdf_template].find(isKnownTemplate) ?? DEFAULT_TEMPLATE
}

/** Returns the QR code of the latest registration record of the invoice; null if there is none. */
export async function qrOf(store: Rows, invoiceId: string): Promise<QrView | null> {
  const record = await store
    .find('verifactu_records', { invoice_id: invoiceId, tipo: 'alta' })
    .select(['qr_url', 'mode'])
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

/** Returns the texts that the company prints on its documents. */
export function companyTexts(
  { company }: Pick<Call, 'company'>,
  { number, total }: InvoiceRow,
): Partial<ViewOptions> {
  const { pdf_foot, payment_link } = company.data
  const link = payment_link
    ?.replaceAll('{number}', encodeURIComponent(number ?? ''))
    .replaceAll('{amount}', String(total ?? ''))
  return {
    ...(pdf_foot !== null && { foot: pdf_foot.split('\n') }),
    ...(link !== undefined && number !== null && { paymentLink: link }),
  }
}

/** Appends `Z` to a timestamp without a zone. Stored timestamps are in UTC without a zone. */
const inUtc = (stamp: string): string => (/(?:Z|[+-]\d\d:\d\d)$/.test(stamp) ? stamp : `${stamp}Z`)

const dayInSpain = (stamp: string): string => spanishTimestamp(Date.parse(inUtc(stamp))).slice(0, 10)

/** Returns the creation time for the PDF. For an issued invoice it is the issue date, so that its PDF never changes. */
const timestampOf = ({ direction, issue_date, status, updated_at }: InvoiceRow): string =>
  direction === 'issued' && issue_date !== null && status !== 'draft'
    ? `${issue_date}T00:00:00Z`
    : inUtc(updated_at)

/**
 * Renders an invoice of any kind and status as PDF, in the requested language or the customer's.
 *
 * Throws `canonical_not_available` if no calculated document is stored. With `facturx`, throws
 * `invalid_status_transition` for a draft or cancelled invoice, and `export_not_possible` if CII cannot represent the
 * invoice.
 */
export async function renderedInvoice(
  context: RenderingContext,
  row: InvoiceRow,
  { template, language, facturx = false }: RenderingOptions = {},
): Promise<RenderedInvoice> {
  const { app, store, company, locale = 'es' } = context
  const { invoice_id, direction, status, number } = row
  if (facturx && !isInForce(status)) throw wrongStatus(status, 'exported')
  const { canonical } = await readDocument(context, invoice_id)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const isIssued = direction === 'issued'
  const logo = isIssued ? await logoOf(store) : null
  const {
    pdf,
    language: written,
    logoProblem,
  } = await app.work.renderInvoice(
    {
      text: canonical,
      address: isIssued ? displayedAddressOf(row, company.data) : undefined,
      language,
      page: {
        direction,
        status: statusOf(row),
        qr: isIssued ? await qrOf(store, invoice_id) : null,
        ...(isIssued ? companyTexts(context, row) : { registered: dayInSpain(row.created_at) }),
      },
      template: template ?? (await templateFor(context, row)),
      logo: logo?.bytes ?? null,
      timestamp: timestampOf(row),
      facturx: facturx ? { locale } : undefined,
    },
    clientOf(context),
  )
  if (logoProblem !== null)
    app.log.warn(
      { company_id: company.id, invoice_id, reason: logoProblem },
      'a PDF lacks the logo of its company',
    )
  return {
    pdf,
    language: written,
    fileName: invoiceFileName(number ?? invoice_id, 'pdf'),
    logo: logoProblem === null ? logo : null,
  }
}
