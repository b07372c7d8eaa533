/** Requests to the handler, as clients send them. */
import { readFileSync } from 'node:fs'
import { createHandler, type HandlerOptions } from '#entry/edge/index.ts'

export const ROOT = new URL('../../../', import.meta.url)

export const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

/** A valid draft, as text. */
export const DRAFT = read('examples/02-shop-prices-with-tax.json')

/** The same with number and date: what a QR code can be made of. */
export const NUMBERED = (() => {
  const document = JSON.parse(DRAFT)
  document.invoice.header.invoice_number = 'WEB-000041'
  document.invoice.issue_data.issue_date = '2026-03-05'
  return JSON.stringify(document)
})()

/** 5 March 2026, half past midnight in Madrid: in UTC it is still the day before. */
export const NOW = Date.UTC(2026, 2, 4, 23, 30)
export const TODAY = '2026-03-05'

/** A body that the address has an answer for. */
export const bodyFor = (path: string): string => (path.startsWith('/qr') ? NUMBERED : DRAFT)

export const HOST = 'https://cuadra.invalid'

export const FIXED: HandlerOptions = { clock: () => NOW, requestId: () => 'made-here' }

export const JSON_TYPE = { 'content-type': 'application/json' }

export type Fetch = (request: Request) => Promise<Response>

export const { fetch: fixed } = createHandler(FIXED)

/** POST of a text as JSON. */
export const post = (
  path: string,
  body: BodyInit | null = DRAFT,
  headers: Record<string, string> = {},
  fetch: Fetch = fixed,
): Promise<Response> =>
  fetch(new Request(HOST + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body }))

export const get = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  fetch: Fetch = fixed,
): Promise<Response> => fetch(new Request(HOST + path, { method, headers }))

/** A request whose body comes in pieces, as HTTP without a Content-Length brings it. */
export const streamed = (
  path: string,
  body: ReadableStream,
  headers: Record<string, string> = JSON_TYPE,
): Request => new Request(HOST + path, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)

interface Detail extends Readonly<Record<string, unknown>> {
  readonly code: string
  readonly message: string
  readonly request_id: string
}

/** `detail` of an error, which has the shape of the specification whatever it is about. */
export async function detailOf(response: Response): Promise<Detail> {
  const { detail, ...rest }: { detail: Detail } = await response.json()
  if (Object.keys(rest).length > 0) throw new Error('an error has members beside detail')
  if (detail.request_id !== response.headers.get('x-request-id')) throw new Error('the ids differ')
  if (typeof detail.message !== 'string' || /\{(?!name\})|undefined|—/.test(detail.message))
    throw new Error(`the message has a hole: ${detail.message}`)
  if (Object.keys(detail).slice(0, 3).join() !== 'code,message,request_id') throw new Error('another order')
  return detail
}
