/**
 * Encodes a document in the fragment of an address: deflated if the browser supports it, then base64url. Browsers never
 * send the fragment to a server.
 */

import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import type { Operation } from '#engine/index.ts'
import { MAX_CHARACTERS } from '../assess/text-faults.ts'
import { type CompanySettings, filledFieldsOf, readCompanySettings } from '../company/checked-company.ts'

export interface Shared {
  readonly text: string
  readonly operation: Operation | 'auto'
  /** The chosen day; null for the current day. */
  readonly today: string | null
  readonly check: boolean
  /** The company; null unless the user includes it. */
  readonly company: CompanySettings | null
}

export type DecodedLink = { readonly shared: Shared } | { readonly fault: 'broken' | 'huge' }

const OPERATIONS: readonly string[] = ['draft', 'issue', 'import', 'received']

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}

/** Decodes base64 or base64url. Ignores white space. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Reads a stream; null if it exceeds the limit, because a few bytes can inflate to gigabytes. */
async function collect(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    parts.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const through = (bytes: Uint8Array<ArrayBuffer>, transform: GenericTransformStream) =>
  new Blob([bytes])
    .stream()
    .pipeThrough(transform as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>)

/** Returns the fragment, without `#`. */
export async function encodeShared({ text, operation, today, check, company }: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const fragment = new URLSearchParams()
  if (typeof CompressionStream === 'function') {
    const packed = required(await collect(through(bytes, new CompressionStream('deflate-raw')), Infinity))
    fragment.set('z', toBase64(packed))
  } else fragment.set('t', toBase64(bytes))
  if (operation !== 'auto') fragment.set('as', operation)
  if (today) fragment.set('today', today)
  if (check) fragment.set('totals', 'check')
  if (company)
    fragment.set('company', toBase64(new TextEncoder().encode(JSON.stringify(filledFieldsOf(company)))))
  return fragment.toString()
}

/** Returns the company of a link, or `null` if the link has no company. */
function companyOfLink(value: string | null): CompanySettings | null {
  if (value === null) return null
  return readCompanySettings(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(value))))
}

/** Decodes a fragment. Returns `null` for fragments without a document. */
export async function decodeShared(fragment: string): Promise<DecodedLink | null> {
  const values = new URLSearchParams(fragment)
  const packed = values.get('z')
  const bare = values.get('t')
  if (packed === null && bare === null) return null
  if (fragment.length > MAX_CHARACTERS) return { fault: 'huge' }
  try {
    const bytes = fromBase64(packed ?? required(bare))
    const unpacked =
      packed === null
        ? bytes
        : await collect(through(bytes, new DecompressionStream('deflate-raw')), MAX_CHARACTERS)
    if (!unpacked) return { fault: 'huge' }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(unpacked)
    const as = values.get('as') ?? 'auto'
    const today = values.get('today')
    return {
      shared: {
        text,
        operation: OPERATIONS.includes(as) ? (as as Operation) : 'auto',
        today: isDate(today) ? today : null,
        check: values.get('totals') === 'check',
        company: companyOfLink(values.get('company')),
      },
    }
  } catch {
    return { fault: 'broken' }
  }
}
