/** Documents of other systems, read and written: what a request may ask beside the invoice's own operations. */
import { isObject, shown } from '../../fiscal/check-options.ts'
import {
  type EmbeddedFile,
  type FormatCode,
  type ReadOptions,
  readInvoice,
  writeInvoice,
} from '../../formats/index.ts'
import { type CanonicalInvoiceInput, type Locale, OptionError } from '../../invoice/index.ts'
import { type Operation, shortened } from '../operations.ts'
import { knownOptions } from '../options.ts'
import { bytesOf } from './base64.ts'
import { refuse } from './words.ts'

const READ = { format: 'text', direction: 'text', locale: 'text' } as const
const WRITE = { format: 'text', indent: 'number', attachments: 'list', locale: 'text' } as const

/** Spaces for each level; more would be a way to ask for a huge answer. */
const MOST_INDENT = 8

/** The XML itself, or its bytes; or why it is neither. */
function xmlOf(document: unknown, locale: Locale) {
  if (typeof document === 'string') return { xml: document }
  const members = isObject(document) ? Object.keys(document) : []
  const base64 = isObject(document) ? document.base64 : undefined
  if (members.length !== 1 || typeof base64 !== 'string')
    return { refused: refuse('xml', locale, { received: shortened(document) }) }
  const { bytes, wrong } = bytesOf(base64)
  return bytes ? { xml: bytes } : { refused: refuse('base64', locale, { position: wrong }) }
}

const read: Operation = (document, options, locale) => {
  const known = knownOptions(options, READ) as ReadOptions
  const { xml, refused } = xmlOf(document, locale)
  return refused ?? readInvoice(xml, known)
}

const isFile = (value: unknown): value is EmbeddedFile =>
  isObject(value) &&
  ['file_name', 'content_type', 'data'].every((name) => typeof value[name] === 'string') &&
  ['undefined', 'string'].includes(typeof value.description)

function filesOf(list: unknown): readonly EmbeddedFile[] {
  const files = (list ?? []) as readonly unknown[]
  const wrong = files.find((file) => !isFile(file))
  if (wrong === undefined) return files as readonly EmbeddedFile[]
  throw new OptionError({
    en: `option "attachments" has ${shown(wrong)}; each has file_name, content_type and data (base64)`,
    es: `la opción «attachments» tiene ${shown(wrong)}; cada uno tiene file_name, content_type y data (base64)`,
  })
}

function indentOf(value: unknown): number {
  if (value === undefined) return 0
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_INDENT)
    return value as number
  throw new OptionError({
    en: `option "indent" is ${shown(value)}; pass a whole number from 0 to ${MOST_INDENT}`,
    es: `la opción «indent» es ${shown(value)}; indique un entero de 0 a ${MOST_INDENT}`,
  })
}

/**
 * The document without the mark by which a calculated one is known: what comes from outside only says that it is, and the
 * engine calculates it again, comparing what it states.
 */
export function asSent(document: unknown): CanonicalInvoiceInput {
  const invoice = isObject(document) ? document.invoice : undefined
  const header = isObject(invoice) ? invoice.header : undefined
  if (!isObject(document) || !isObject(invoice) || !isObject(header)) return document as CanonicalInvoiceInput
  const { is_simplified: _, ...rest } = header
  return { ...document, invoice: { ...invoice, header: rest } } as unknown as CanonicalInvoiceInput
}

const write: Operation = (document, options, locale) => {
  const { format = null, indent, attachments } = knownOptions(options, WRITE)
  return writeInvoice(asSent(document), format as FormatCode, {
    locale,
    indent: indentOf(indent),
    attachments: filesOf(attachments),
  })
}

/** The operations on documents of other systems. */
export const FORMAT_OPERATIONS = { read, write } as const satisfies Readonly<Record<string, Operation>>
