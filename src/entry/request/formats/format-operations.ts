/** The operations that read and write documents of other formats. */

import {
  type CanonicalInvoiceInput,
  computedFieldsIn,
  type Extra,
  type Locale,
  OptionError,
} from '#core/invoice/index.ts'
import { segmentsOf, valueAt } from '#core/invoice/pointer.ts'
import {
  type EmbeddedFile,
  type FormatCode,
  type ProfileCode,
  type ReadOptions,
  readInvoice,
  writeInvoice,
} from '#formats/index.ts'
import { displayTextOf, isObject } from '#records/fiscal/index.ts'
import { FORMAT_REFUSALS } from '../generated/texts/refusals.ts'
import { type Operation, shortened } from '../operations.ts'
import { type Refusal, refusalOf, withTypeNames } from '../refusal.ts'
import { knownOptions } from '../request-options.ts'
import { decodeBase64 } from './base64.ts'

const READ = { format: 'text', direction: 'text', locale: 'text' } as const
const WRITE = {
  format: 'text',
  profile: 'text',
  indent: 'number',
  attachments: 'list',
  locale: 'text',
} as const

/** Maximum number of spaces per level, so that no request can cause a huge response. */
const MOST_INDENT = 8

const refuse = (reason: keyof typeof FORMAT_REFUSALS, locale: Locale, extra: Extra): Refusal =>
  refusalOf(
    { code: 'request_validation_error', ...FORMAT_REFUSALS[reason] },
    locale,
    extra,
    withTypeNames(extra, locale),
  )

/** Returns the XML as a string or bytes, or a refusal. */
function xmlOf(document: unknown, locale: Locale) {
  if (typeof document === 'string') return { xml: document }
  const members = isObject(document) ? Object.keys(document) : []
  const base64 = isObject(document) ? document.base64 : undefined
  if (members.length !== 1 || typeof base64 !== 'string')
    return { refused: refuse('xml', locale, { received: shortened(document) }) }
  const { bytes, wrong } = decodeBase64(base64)
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
    en: `option "attachments" contains ${displayTextOf(wrong)}; each entry needs file_name, content_type and data (base64)`,
    es: `la opción «attachments» contiene ${displayTextOf(wrong)}; cada elemento necesita file_name, content_type y data (base64)`,
  })
}

function indentOf(value: unknown): number {
  if (value === undefined) return 0
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_INDENT)
    return value as number
  throw new OptionError({
    en: `option "indent" is ${displayTextOf(value)}; pass an integer from 0 to ${MOST_INDENT}`,
    es: `la opción «indent» es ${displayTextOf(value)}; indique un entero de 0 a ${MOST_INDENT}`,
  })
}

const isMarked = (document: unknown): boolean =>
  typeof valueAt(document, '/invoice/header/is_simplified') === 'boolean'

/** Removes the member at a path, if present. */
function removeMember(document: unknown, path: string): void {
  const at = path.lastIndexOf('/')
  const parent = valueAt(document, path.slice(0, at))
  const [name = ''] = segmentsOf(path.slice(at))
  if (isObject(parent)) delete (parent as Record<string, unknown>)[name]
}

/**
 * Removes the computed fields from a calculated document, so that it can be sent. Documents of other programs are not
 * trusted: the engine recalculates them and compares the stated amounts.
 */
export function withoutComputedFields(document: unknown): unknown {
  if (!isMarked(document)) return document
  const copy: unknown = JSON.parse(JSON.stringify(document))
  const { direction } = (isObject(copy) && isObject(copy.meta) ? copy.meta : {}) as { direction?: unknown }
  const operation = direction === 'received' ? 'received' : 'import'
  for (const path of computedFieldsIn(copy, operation, Number.POSITIVE_INFINITY)) removeMember(copy, path)
  return copy
}

const write: Operation = (document, options, locale) => {
  const { format = null, profile, indent, attachments } = knownOptions(options, WRITE)
  return writeInvoice(withoutComputedFields(document) as CanonicalInvoiceInput, format as FormatCode, {
    locale,
    profile: profile as ProfileCode | undefined,
    indent: indentOf(indent),
    attachments: filesOf(attachments),
  })
}

/** The operations on documents of other formats. */
export const FORMAT_OPERATIONS = { read, write } as const satisfies Readonly<Record<string, Operation>>
