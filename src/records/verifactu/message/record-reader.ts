/**
 * Reads the records of a file of any size. A fast path reads *plain* records: those written like the records of this
 * package, with any line breaks, indentation and comments. The XML parser reads all other records.
 */

import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import {
  PlainReader,
  plainStarts,
  skipBlanks,
  skipComments,
  type XmlElement,
  XmlReader,
} from '#core/xml/index.ts'
import { type XmlItemCode, xmlItems } from '../../fiscal/xml-problems.ts'
import type { FiscalRecord } from '../model/verifactu-record-types.ts'
import { vocabulary } from '../model/verifactu-vocabulary.ts'
import { XML_CODES } from './xml.ts'

const RECORDS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento']

/** Maximum number of characters that the fast path buffers for a start tag, and for a record. */
const LONGEST_TAG = 1000
const LONGEST_RECORD = 50_000

export interface RecordReading {
  readonly record: FiscalRecord
  /** Line of the file where the record begins. */
  readonly line: number
  readonly items: readonly ValidationItem<XmlItemCode>[]
}

/**
 * Reads the records of a file of any size: call `write` with each chunk of the text, then `close`. Each record is
 * delivered as soon as its end has been read. Records may stand alone, in messages, or within any other element.
 */
export class RecordReader {
  readonly #reader: XmlReader
  readonly #locale: Locale
  readonly #plain = new PlainReader()
  readonly #starts = plainStarts(RECORDS)
  /** Text not yet processed. */
  #rest = ''
  /** Number of characters of the record in `#rest` that were already searched for its end tag. */
  #searched = 0
  /** Whether the last chunk ended with a carriage return, which has already been replaced by a line break. */
  #returned = false
  /** Number of characters that the parser has read. `#blank`: whether only blanks and comments follow the last tag. */
  #parsed = 0
  #blank = true

  constructor(onRecord: (reading: RecordReading) => void, { locale = 'en' }: { locale?: Locale } = {}) {
    this.#locale = locale
    this.#reader = new XmlReader(vocabulary(), {
      emit: [...RECORDS, 'RegistroFactura'],
      onElement: ({ name, value, line, problems }: XmlElement) => {
        if (RECORDS.includes(name))
          onRecord({
            record: { [name]: value } as unknown as FiscalRecord,
            line,
            items: xmlItems(problems, XML_CODES, locale),
          })
      },
    })
  }

  write(piece: string): void {
    const text = this.#rest + this.#withLineBreaks(piece)
    let at = 0
    for (;;) {
      this.#starts.lastIndex = at
      const start = this.#starts.exec(text)
      if (!start) break
      this.#parse(text, at, start.index)
      at = start.index
      const end = this.#take(text, start)
      if (end === undefined) {
        this.#rest = text.slice(at)
        return
      }
      if (end === at) {
        // Not plain: the parser reads the tag and everything up to the next record.
        this.#searched = 0
        this.#parse(text, at, at + start[0].length)
        at += start[0].length
      } else at = end
    }
    // A start tag may be split between chunks.
    const open = text.lastIndexOf('<')
    const cut = open > text.lastIndexOf('>') && text.length - open < LONGEST_TAG
    const kept = cut ? open : text.length
    this.#parse(text, at, kept)
    this.#rest = text.slice(kept)
  }

  /** Ends the reading and returns the problems of the file as a whole. */
  close(): ValidationItem<XmlItemCode>[] {
    this.#reader.write(this.#rest)
    this.#rest = ''
    this.#reader.close()
    return xmlItems(this.#reader.problems, XML_CODES, this.#locale)
  }

  /**
   * Replaces each carriage return, and the line feed after it, by a line feed, as an XML parser must (XML 1.0, 2.11).
   * The two characters may be in different chunks.
   */
  #withLineBreaks(piece: string): string {
    if (piece === '') return ''
    const text = this.#returned && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#returned = piece.endsWith('\r')
    return text.replace(/\r\n?/g, '\n')
  }

  #parse(text: string, from: number, to: number): void {
    const part = text.slice(from, to)
    const before = this.#parsed
    this.#reader.write(part)
    this.#parsed += part.length
    const { tagEnd } = this.#reader
    if (tagEnd > before) this.#blank = skipComments(part, tagEnd - before) === part.length
    else if (this.#blank) this.#blank = skipComments(part, 0) === part.length
  }

  /**
   * Reads the plain record that begins at `start` and returns the offset of its end. Returns the offset of its
   * beginning if it is not plain, and undefined if its end has not arrived.
   */
  #take(text: string, start: RegExpExecArray): number | undefined {
    const [tag = '', name = '', prefix = '', local = '', declared = ''] = start as unknown as string[]
    const begin = start.index
    if (!this.#blank) return begin
    const { resolve } = this.#reader
    const plainStart = { name, prefix, local, declared }
    const namespace = this.#plain.namespaceOf(plainStart, resolve)
    const type = namespace ? this.#reader.mayBegin(local, namespace) : undefined
    if (!type) return begin
    const inside = begin + tag.length
    const close = `</${name}>`
    const end = text.indexOf(close, Math.max(inside, begin + this.#searched))
    if ((end < 0 ? text.length : end) - begin > LONGEST_RECORD) return begin
    if (end < 0) {
      this.#searched = Math.max(0, text.length - begin - close.length)
      return undefined
    }
    this.#searched = 0
    const value = this.#plain.read(text.slice(inside, end), type, resolve)
    if (value === undefined) return begin
    const behind = skipBlanks(text, end + close.length)
    this.#reader.pass(local, value, text.slice(begin, behind))
    return behind
  }
}
