/** Reads the files of `cuadra record` and `cuadra verify-chain`: records, links and systems, as JSON or XML. */
import type { Locale, Text, ValidationItem } from '../../api/index.ts'
import { required, UsageError } from '../../errors/index.ts'
import { faultOf } from '../../json/places.ts'
import { Lines } from '../../json/position.ts'
import {
  type FiscalRecord,
  RecordReader,
  type RegistroAnterior,
  type RegistroEvento,
  type SistemaInformatico,
} from '../../verifactu/index.ts'
import type { Cli } from './cli.ts'
import { faultText, itemOfFault } from './faults.ts'
import { looksLikeXml, openStream, readAll, shownName } from './inputs.ts'
import { MAX_LINE_BYTES, splitLines } from './split-lines.ts'

const ROOTS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento'] as const

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The record that a value is or holds (`cuadra record` prints it beside its hash). */
export function recordIn(value: unknown): FiscalRecord | undefined {
  if (!isObject(value)) return undefined
  const root = ROOTS.find((name) => isObject(value[name]))
  if (root) return { [root]: value[root] } as unknown as FiscalRecord
  return isObject(value.record) ? recordIn(value.record) : undefined
}

/** Where the records of a file go, and what is wrong with the file itself. */
export interface Sink {
  /** A record, or whatever stands in its place; with what its XML reader says of it. */
  readonly record: (record: unknown, items: readonly ValidationItem[]) => void
  readonly problem: (item: ValidationItem) => void
}

const placed = (item: ValidationItem, file: string): ValidationItem => ({
  ...item,
  extra: { ...item.extra, file: shownName(file) },
})

const MEND: Text = {
  en: 'Restore it from a copy.',
  es: 'Recupérelo de una copia.',
}

type JsonFaultCode = 'json.syntax' | 'json.encoding' | 'json.too_large'

/** What is wrong with a document that begins on `line`. */
function jsonItem(code: JsonFaultCode, source: string, line: number, locale: Locale): ValidationItem {
  const fault = code === 'json.syntax' ? faultOf(source) : null
  const at = new Lines(source).positionOf(fault?.offset ?? 0)
  const place = { line: at.line + line - 1, column: at.column }
  const text = faultText(code, { max_bytes: MAX_LINE_BYTES }, locale, fault?.reason)
  const where = locale === 'es' ? `Línea ${place.line}` : `Line ${place.line}`
  return itemOfFault(code, place, `${where}: ${text}`, MEND[locale])
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

/** Records of a JSON document: itself, the elements of a list, or those of a message. */
function recordsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Array.isArray(value.RegistroFactura)) return value.RegistroFactura
  return [value]
}

interface Open {
  readonly line: number
  readonly close: '}' | ']'
  /** Empty once there is too much of it. */
  lines: string[]
  length: number
}

const CLOSING: Readonly<Record<string, Open['close']>> = { '{': '}', '[': ']' }

/** Documents of one line each, or of several: then `{` or `[` stands alone on the first, `}` or `]` on the last. */
class JsonDocuments {
  readonly #sink: Sink
  readonly #locale: Locale
  #open: Open | null = null

  constructor(sink: Sink, locale: Locale) {
    this.#sink = sink
    this.#locale = locale
  }

  /** `null` for a line that is too long. */
  line(line: number, bytes: Uint8Array | null): void {
    const text = bytes && decoded(bytes)
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

  /** Takes what is open as it is. */
  end(): void {
    const open = this.#open
    this.#open = null
    if (open && open.lines.length > 0) this.#document(open.lines.join('\n'), open.line)
  }

  #add(open: Open, text: string): void {
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
    for (const one of recordsIn(value)) this.#sink.record(recordIn(one) ?? one, [])
  }

  #report(code: JsonFaultCode, text: string, line: number): void {
    this.#sink.problem(jsonItem(code, text, line, this.#locale))
  }
}

async function feedJson(
  _: Cli,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: Sink,
  locale: Locale,
): Promise<void> {
  const documents = new JsonDocuments(sink, locale)
  for await (const { bytes, lines } of splitLines(file, chunks))
    for (const { line, start, end } of lines)
      documents.line(line, start === end ? null : bytes.subarray(start, end))
  documents.end()
}

async function feedXml(
  cli: Cli,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: Sink,
  locale: Locale,
): Promise<void> {
  const reader = new RecordReader(({ record, items }) => sink.record(record, items), { locale })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new UsageError(`${shownName(file)}: ${cli.say({ en: 'not UTF-8', es: 'no es UTF-8' })}`)
    }
  }
  for await (const chunk of chunks) reader.write(decode(chunk))
  reader.write(decode())
  for (const item of reader.close()) sink.problem(item)
}

async function* after(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/**
 * Hands over the records of a file of any size, in order: XML, JSON, or JSON documents one after another. Throws a
 * `UsageError` where the file cannot be read.
 */
export async function feedRecords(cli: Cli, file: string, sink: Sink, locale: Locale): Promise<void> {
  const chunks = openStream(cli, file)[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const named: Sink = {
    record: (record, items) =>
      sink.record(
        record,
        items.map((item) => placed(item, file)),
      ),
    problem: (item) => sink.problem(placed(item, file)),
  }
  const feed = looksLikeXml(first.value) ? feedXml : feedJson
  await feed(cli, file, after(first.value, chunks), named, locale)
}

type Link = Partial<Record<keyof RegistroAnterior, unknown>>

const IDENTITY = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'] as const

/** Identity and hash of a record, or the link itself; nothing in it is certain to be there. */
function linkIn(cli: Cli, value: unknown, refuse: (reason: string) => UsageError): Link {
  const record = recordIn(value) as Record<string, Record<string, unknown>> | undefined
  if (!record) {
    if (isObject(value) && 'Huella' in value) return value
    throw refuse(
      cli.say({
        en: 'holds neither a record nor a link with its Huella',
        es: 'no contiene un registro ni un enlace con su Huella',
      }),
    )
  }
  if (record.RegistroEvento)
    throw refuse(
      cli.say({
        en: 'holds an event; events have a chain of their own',
        es: 'contiene un evento; los eventos tienen su propia cadena',
      }),
    )
  const body = required(record.RegistroAlta ?? record.RegistroAnulacion)
  const id = isObject(body.IDFactura) ? body.IDFactura : {}
  const suffix = record.RegistroAlta ? '' : 'Anulada'
  return {
    ...Object.fromEntries(IDENTITY.map((name) => [name, id[`${name}${suffix}`]])),
    Huella: body.Huella,
  }
}

/** The last record of a file, or its only one; or a link. */
async function found(cli: Cli, option: string, file: string, only: boolean): Promise<unknown> {
  const refuse = (reason: string) => new UsageError(`${option} ${shownName(file)}: ${reason}`)
  let last: { readonly value: unknown } | { readonly problem: string } | undefined
  let count = 0
  const sink: Sink = {
    record: (value) => {
      count++
      last = { value }
    },
    problem: ({ message }) => {
      last = { problem: message }
    },
  }
  await feedRecords(cli, file, sink, cli.locale)
  if (!last) throw refuse(cli.say({ en: 'there is nothing in it', es: 'está vacío' }))
  if ('problem' in last) throw refuse(last.problem)
  if (only && count > 1)
    throw refuse(
      cli.say({
        en: `holds ${count} records; give a file with the one that is meant`,
        es: `contiene ${count} registros; dé un fichero con el que corresponde`,
      }),
    )
  return last.value
}

export interface Found {
  readonly record: FiscalRecord | undefined
  readonly link: RegistroAnterior
}

/** The last record of a file, or a link to it. Throws a `UsageError` where it cannot be linked to. */
export async function readLast(cli: Cli, option: string, file: string): Promise<Found> {
  const value = await found(cli, option, file, false)
  const link = checked(cli, option, file, value, [...IDENTITY, 'Huella'])
  return { record: recordIn(value), link: link as unknown as RegistroAnterior }
}

type EventLink = NonNullable<RegistroEvento['Evento']['Encadenamiento']['EventoAnterior']>

/** A link to the last event of a file. Throws a `UsageError` where there is none. */
export async function readLastEvent(cli: Cli, option: string, file: string): Promise<EventLink> {
  const record = recordIn(await found(cli, option, file, false)) as
    | { RegistroEvento?: RegistroEvento }
    | undefined
  const { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento } = record?.RegistroEvento?.Evento ?? {}
  if (!TipoEvento || !FechaHoraHusoGenEvento || !HuellaEvento)
    throw new UsageError(
      `${option} ${shownName(file)}: ${cli.say({
        en: 'holds no event with its type, moment and hash',
        es: 'no contiene un evento con su tipo, momento y huella',
      })}`,
    )
  return { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento }
}

/** The identity of the one record of a file. Throws a `UsageError` where it is not complete. */
export async function readIdentity(
  cli: Cli,
  option: string,
  file: string,
): Promise<Omit<RegistroAnterior, 'Huella'>> {
  const value = await found(cli, option, file, true)
  return checked(cli, option, file, value, IDENTITY) as unknown as RegistroAnterior
}

function checked(
  cli: Cli,
  option: string,
  file: string,
  value: unknown,
  names: readonly (keyof RegistroAnterior)[],
): Record<string, string> {
  const refuse = (reason: string) => new UsageError(`${option} ${shownName(file)}: ${reason}`)
  const link = linkIn(cli, value, refuse)
  const missing = names.filter((name) => typeof link[name] !== 'string' || link[name].trim() === '')
  if (missing.length > 0)
    throw refuse(
      cli.say({
        en: `its record has no ${missing.join(', ')}`,
        es: `su registro no tiene ${missing.join(', ')}`,
      }),
    )
  return Object.fromEntries(names.map((name) => [name, link[name] as string]))
}

/** A file that holds one JSON document. Throws a `UsageError`. */
export async function readJson(cli: Cli, option: string, file: string): Promise<unknown> {
  const text = decoded(await readAll(cli, file))
  const name = `${option}${option === '' ? '' : ' '}${shownName(file)}`
  if (text === null) throw new UsageError(`${name}: ${cli.say({ en: 'not UTF-8', es: 'no es UTF-8' })}`)
  try {
    return JSON.parse(text)
  } catch {
    const { line, column } = new Lines(text).positionOf(faultOf(text)?.offset ?? 0)
    throw new UsageError(
      `${name}: ${cli.say({ en: `not JSON, line ${line}, column ${column}`, es: `no es JSON, línea ${line}, columna ${column}` })}`,
    )
  }
}

/** The block `SistemaInformatico`: alone, under its name, or in a record. */
export async function readSystem(cli: Cli, file: string): Promise<SistemaInformatico> {
  const value = await readJson(cli, '--system', file)
  const named = isObject(value) && isObject(value.SistemaInformatico) ? value.SistemaInformatico : value
  const block = systemOf(recordIn(value)) ?? named
  if (!isObject(block) || typeof block.IdSistemaInformatico !== 'string')
    throw new UsageError(
      `--system ${shownName(file)}: ${cli.say({
        en: 'must hold the block SistemaInformatico',
        es: 'debe contener el bloque SistemaInformatico',
      })}`,
    )
  return block as unknown as SistemaInformatico
}

/** The system that made a record. */
export function systemOf(record: FiscalRecord | undefined): SistemaInformatico | undefined {
  if (!record || 'RegistroEvento' in record) return undefined
  return 'RegistroAlta' in record
    ? record.RegistroAlta.SistemaInformatico
    : record.RegistroAnulacion.SistemaInformatico
}
