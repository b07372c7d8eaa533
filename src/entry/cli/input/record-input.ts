/** Reads the files of `cuadra record` and `cuadra verify-chain`: records, links and systems, as JSON or XML. */

import { UsageError } from '#core/errors/index.ts'
import { faultOf, LineIndex } from '#core/json/index.ts'
import type { Locale, Text, ValidationItem } from '#engine/index.ts'
import { isObject } from '#records/fiscal/index.ts'
import {
  type FiscalRecord,
  RecordReader,
  type RegistroAnterior,
  type RegistroEvento,
  type SistemaInformatico,
} from '#records/verifactu/index.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from './cli.ts'
import { errorItemWith, faultText } from './input-faults.ts'
import { jsonIn, looksLikeXml, openStream, parsedJson, readAll, shownName, utf8Of } from './inputs.ts'
import { MAX_LINE_BYTES, splitLines } from './split-lines.ts'

const RECORD_ROOTS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento'] as const

type Members = Readonly<Record<string, unknown>>

/** Returns the record in a value: the value itself, or the record that `cuadra record` prints beside its hash. */
export function recordIn(value: unknown): FiscalRecord | undefined {
  if (!isObject(value)) return undefined
  const root = RECORD_ROOTS.find((name) => isObject(value[name]))
  if (root) return { [root]: value[root] } as unknown as FiscalRecord
  return isObject(value.record) ? recordIn(value.record) : undefined
}

/** The recipient of the records of a file, and of the problems of the file itself. */
export interface RecordReceiver {
  /** Receives a record, or the value found instead, with the items of the XML reader. */
  readonly record: (record: unknown, items: readonly ValidationItem[]) => void
  readonly problem: (item: ValidationItem) => void
}

const withFile = (item: ValidationItem, file: string): ValidationItem => ({
  ...item,
  extra: { ...item.extra, file: shownName(file) },
})

const RESTORE: Text = { en: 'Restore it from a copy.', es: 'Recupérelo de una copia.' }

type JsonFaultCode = 'json.syntax' | 'json.encoding' | 'json.too_large'

/** Returns the problem of a document that begins on `line`. */
function jsonItem(code: JsonFaultCode, source: string, line: number, locale: Locale): ValidationItem {
  const fault = code === 'json.syntax' ? faultOf(source) : null
  const at = new LineIndex(source).positionOf(fault?.offset ?? 0)
  const position = { line: at.line + line - 1, column: at.column }
  const text = faultText(code, { max_bytes: MAX_LINE_BYTES }, locale, fault?.reason)
  const where = locale === 'es' ? `Línea ${position.line}` : `Line ${position.line}`
  return errorItemWith(code, position, `${where}: ${text}`, RESTORE[locale])
}

const NOT_UTF8: Text = { en: 'not UTF-8', es: 'no es UTF-8' }

/** Returns the records of a JSON document: the document itself, or the elements of a list or of a message. */
function recordsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Array.isArray(value.RegistroFactura)) return value.RegistroFactura
  return [value]
}

interface OpenDocument {
  readonly line: number
  readonly close: '}' | ']'
  /** Lines of the document so far; emptied once the document is too long. */
  lines: string[]
  length: number
}

const CLOSING: Readonly<Record<string, OpenDocument['close']>> = { '{': '}', '[': ']' }

/**
 * Joins lines into documents. A document of several lines has only `{` or `[` on its first line, and only `}` or `]` on
 * its last.
 */
class JsonDocuments {
  #open: OpenDocument | null = null

  constructor(
    readonly sink: RecordReceiver,
    readonly locale: Locale,
  ) {}

  /** Adds a line; `bytes` is `null` for a line that is too long. */
  line(line: number, bytes: Uint8Array | null): void {
    const text = bytes && utf8Of(bytes)
    if (text === null) {
      this.#report(bytes === null ? 'json.too_large' : 'json.encoding', '', line)
      return
    }
    const bare = text.trimEnd()
    const open = this.#open
    if (open && (bare !== '{' || open.close === ']')) {
      this.#add(open, text)
      if (bare === open.close) this.end()
      return
    }
    this.end()
    const close = CLOSING[bare]
    if (close) this.#open = { line, close, lines: [text], length: text.length }
    else this.#document(text, line)
  }

  /** Ends the open document, complete or not. */
  end(): void {
    const open = this.#open
    this.#open = null
    if (open && open.lines.length > 0) this.#document(open.lines.join('\n'), open.line)
  }

  #add(open: OpenDocument, text: string): void {
    if (open.lines.length === 0) return
    open.lines.push(text)
    open.length += text.length
    if (open.length <= MAX_LINE_BYTES) return
    open.lines = []
    this.#report('json.too_large', '', open.line)
  }

  #document(text: string, line: number): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      this.#report('json.syntax', text, line)
      return
    }
    for (const one of recordsIn(value)) this.sink.record(recordIn(one) ?? one, [])
  }

  #report(code: JsonFaultCode, text: string, line: number): void {
    this.sink.problem(jsonItem(code, text, line, this.locale))
  }
}

/** Reads the records of one format and passes them to a receiver. */
type Feed = (
  cli: Cli,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: RecordReceiver,
  locale: Locale,
) => Promise<void>

const feedJson: Feed = async (_, file, chunks, sink, locale) => {
  const documents = new JsonDocuments(sink, locale)
  for await (const { bytes, lines } of splitLines(file, chunks))
    for (const { line, start, end } of lines)
      documents.line(line, start === end ? null : bytes.subarray(start, end))
  documents.end()
}

const feedXml: Feed = async (cli, file, chunks, sink, locale) => {
  const reader = new RecordReader(({ record, items }) => sink.record(record, items), { locale })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw cli.usageErrorAbout(shownName(file), NOT_UTF8)
    }
  }
  for await (const chunk of chunks) reader.write(decode(chunk))
  reader.write(decode())
  for (const item of reader.close()) sink.problem(item)
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/**
 * Passes the records of a file of any size to a receiver, in order. The file has XML, JSON, or concatenated JSON
 * documents. Throws a `UsageError` if the file cannot be read.
 */
export async function feedRecords(
  cli: Cli,
  file: string,
  sink: RecordReceiver,
  locale: Locale,
): Promise<void> {
  const chunks = openStream(cli, file)
  const first = await chunks.next()
  if (first.done) return
  const named: RecordReceiver = {
    record: (record, items) =>
      sink.record(
        record,
        items.map((item) => withFile(item, file)),
      ),
    problem: (item) => sink.problem(withFile(item, file)),
  }
  const feed = looksLikeXml(first.value) ? feedXml : feedJson
  await feed(cli, file, prepend(first.value, chunks), named, locale)
}

const IDENTITY = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'] as const

/** Returns the identity and hash that a record or a link states. Any of these values may be missing. */
function linkIn(cli: Cli, about: string, value: unknown): Members {
  const record = recordIn(value)
  if (!record) {
    if (isObject(value) && 'Huella' in value) return value
    throw cli.usageErrorAbout(about, USAGE.not_a_record)
  }
  if ('RegistroEvento' in record) throw cli.usageErrorAbout(about, USAGE.is_an_event)
  const [body, suffix] =
    'RegistroAlta' in record ? [record.RegistroAlta, ''] : [record.RegistroAnulacion, 'Anulada']
  const id: Members = isObject(body.IDFactura) ? body.IDFactura : {}
  return {
    ...Object.fromEntries(IDENTITY.map((name) => [name, id[`${name}${suffix}`]])),
    Huella: body.Huella,
  }
}

/** Returns the members `names` of a link. Throws a `UsageError` if one of them is missing. */
function linkWith<Name extends keyof RegistroAnterior>(
  cli: Cli,
  about: string,
  value: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const link = linkIn(cli, about, value)
  const isThere = (text: unknown) => typeof text === 'string' && text.trim() !== ''
  const missing = names.filter((name) => !isThere(link[name])).join(', ')
  if (missing !== '')
    throw cli.usageErrorAbout(about, {
      en: `its record has no ${missing}`,
      es: `su registro no tiene ${missing}`,
    })
  return Object.fromEntries(names.map((name) => [name, link[name]])) as Record<Name, string>
}

/** Returns the last record or link of a file. With `only`, rejects a file with several. */
async function lastValueIn(cli: Cli, about: string, file: string, only: boolean): Promise<unknown> {
  let last: { readonly value: unknown } | { readonly problem: string } | undefined
  let count = 0
  const sink: RecordReceiver = {
    record: (value) => {
      count++
      last = { value }
    },
    problem: ({ message }) => {
      last = { problem: message }
    },
  }
  await feedRecords(cli, file, sink, cli.locale)
  if (!last) throw cli.usageErrorAbout(about, { en: 'is empty', es: 'está vacío' })
  if ('problem' in last) throw new UsageError(`${about}: ${last.problem}`)
  if (only && count > 1)
    throw cli.usageErrorAbout(about, {
      en: `contains ${count} records; use a file with a single record`,
      es: `contiene ${count} registros; use un fichero con un solo registro`,
    })
  return last.value
}

/** Returns the beginning of an error message about the file given with an option. */
const aboutOf = (option: string, file: string): string => `${option} ${shownName(file)}`

/** Returns the last record of a file and the link to it. Throws a `UsageError` if no record can be linked to it. */
export async function readLastRecord(cli: Cli, option: string, file: string) {
  const about = aboutOf(option, file)
  const value = await lastValueIn(cli, about, file, false)
  return { record: recordIn(value), link: linkWith(cli, about, value, [...IDENTITY, 'Huella']) }
}

type EventLink = NonNullable<RegistroEvento['Evento']['Encadenamiento']['EventoAnterior']>

/** Returns a link to the last event of a file. Throws a `UsageError` if there is none. */
export async function readLastEvent(cli: Cli, option: string, file: string): Promise<EventLink> {
  const about = aboutOf(option, file)
  const record = recordIn(await lastValueIn(cli, about, file, false))
  const event: Partial<RegistroEvento['Evento']> | undefined =
    record && 'RegistroEvento' in record ? record.RegistroEvento.Evento : undefined
  const { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento } = event ?? {}
  if (!TipoEvento || !FechaHoraHusoGenEvento || !HuellaEvento)
    throw cli.usageErrorAbout(about, USAGE.not_an_event)
  return { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento }
}

/** Returns the identity of the only record of a file. Throws a `UsageError` if it is incomplete. */
export async function readIdentity(cli: Cli, option: string, file: string) {
  const about = aboutOf(option, file)
  return linkWith(cli, about, await lastValueIn(cli, about, file, true), IDENTITY)
}

/** Reads a file with one JSON document. Throws a `UsageError`. */
export async function readJson(cli: Cli, option: string, file: string): Promise<unknown> {
  const about = aboutOf(option, file).trimStart()
  const text = utf8Of(await readAll(cli, file))
  if (text === null) throw cli.usageErrorAbout(about, NOT_UTF8)
  return parsedJson(cli, about, jsonIn(file, text))
}

/** Reads the block `SistemaInformatico` from a file that contains it alone, under its name, or in a record. */
export async function readSystem(cli: Cli, file: string): Promise<SistemaInformatico> {
  const value = await readJson(cli, '--system', file)
  const named = isObject(value) && isObject(value.SistemaInformatico) ? value.SistemaInformatico : value
  const block = systemOf(recordIn(value)) ?? named
  if (isObject(block) && typeof block.IdSistemaInformatico === 'string')
    return block as unknown as SistemaInformatico
  throw cli.usageErrorAbout(aboutOf('--system', file), USAGE.no_system)
}

/** Returns the system that issued a record. */
export function systemOf(record: FiscalRecord | undefined): SistemaInformatico | undefined {
  if (!record || 'RegistroEvento' in record) return undefined
  return 'RegistroAlta' in record
    ? record.RegistroAlta.SistemaInformatico
    : record.RegistroAnulacion.SistemaInformatico
}
