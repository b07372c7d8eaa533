/**
 * Reads XML into the values of a vocabulary, as a stream and with any prefixes. Entities and document types are
 * refused. Elements that do not fit the schema are reported with their location and skipped as a whole.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { required } from '../errors/index.ts'
import { normalised } from './built-in.ts'
import type { Member, Root, Type, Vocabulary } from './shapes.ts'
import type { StrictCheck } from './strict.ts'
import { TEXT, type XmlProblemKind } from './validate-xml.ts'
import { MAX_DEPTH } from './xml-positions.ts'
import { escapeAttribute, escapeText } from './xml-text.ts'

export interface XmlProblem {
  readonly kind: XmlProblemKind
  /** JSON Pointer into the value read. */
  readonly path: string
  readonly line: number
  readonly column: number
  /** Element, namespace or message of the parser. */
  readonly detail: string
  /** Whether reading continued after the problem. */
  readonly tolerated: boolean
}

/** A root element of the vocabulary, or one of the elements in `emit`. */
export interface XmlElement {
  readonly name: string
  readonly value: unknown
  readonly line: number
  readonly problems: readonly XmlProblem[]
}

export interface ReaderOptions {
  /**
   * Elements to emit as soon as they end, instead of keeping them. Files of any size are then read with limited memory.
   */
  readonly emit?: readonly string[]
  readonly onElement: (element: XmlElement) => void
  /**
   * Validates the document against its schema. The reader then does not report the problems of its own, more lenient
   * checks.
   */
  readonly strict?: StrictCheck
}

/** Maximum number of characters of a text. The longest text that a schema allows has 1,500. */
const MAX_TEXT = 100_000
/** Maximum number of characters of a foreign element (a signature with its certificates). */
const MAX_FOREIGN = 1_000_000
/** Maximum number of problems kept for an element. */
const MAX_PROBLEMS = 100

interface Frame {
  readonly name: string
  readonly type: Type
  /** Object that receives the members; null for a text without attributes. */
  readonly block: Record<string, unknown> | null
  readonly path: string
  readonly line: number
  text: string
  /** Order of the last member read. */
  last: number
  /** The parent block and the member that receive the value; null for an element that is emitted. */
  readonly into: { readonly block: Record<string, unknown>; readonly member: Member } | null
}

/** Namespaces that an element declares, by prefix. */
type Scope = Map<string, string>

const SPACES = /^[ \t\r\n]*$/

/** Thrown to stop the parser, which has no method for it. */
const ABORT = new Error('stopped')

/**
 * A push parser: call `write` with chunks of text, then `close`. Elements are emitted as they end.
 *
 * `problems` has the problems that belong to no element: a malformed end, a document type, a document without records.
 */
export class XmlReader {
  readonly problems: XmlProblem[] = []
  readonly #vocabulary: Vocabulary
  readonly #emit: ReadonlySet<string>
  readonly #onElement: (element: XmlElement) => void
  readonly #strict: StrictCheck | null
  readonly #parser: SaxesParser<{ xmlns: true }>
  readonly #stack: Frame[] = []
  #current: XmlProblem[] = []
  /** Number of open elements outside any record (an envelope). */
  #outside = 0
  /** Number of open elements inside a skipped element. */
  #skipped = 0
  #foreign: { scopes: Scope[]; text: string; frame: Frame; member: Member } | null = null
  #found = false
  #stopped = false
  /** Index of the end of the last tag. */
  #tagEnd = 0
  /**
   * Whether the parser can resolve prefixes at this position. It cannot before the first element, nor right after an
   * element that declared namespaces, because it would still apply these declarations.
   */
  #scoped = false
  /** Amount of text skipped by `pass`: lines, and columns in the parser's current line (`line`). */
  #passed = { lines: 0, columns: 0, line: 0 }

  constructor(vocabulary: Vocabulary, { emit = [], onElement, strict }: ReaderOptions) {
    this.#vocabulary = vocabulary
    this.#emit = new Set(emit)
    this.#onElement = onElement
    this.#strict = strict ?? null
    const parser = new SaxesParser({ xmlns: true, position: true })
    this.#parser = parser
    parser.on('doctype', () => this.#stop('doctype', 'a document type is not allowed'))
    parser.on('error', (error) => this.#stop('malformed', error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, '')))
    parser.on('xmldecl', ({ encoding }) => {
      // In strict mode, the bytes were already decoded with the declared encoding.
      if (!this.#strict && encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
        this.#stop('encoding', encoding)
    })
    parser.on('opentag', (tag) => this.#open(tag))
    parser.on('closetag', (tag) => this.#close(tag))
    parser.on('text', (text) => this.#text(text))
    parser.on('cdata', (text) => this.#text(text))
  }

  /** Whether a problem ended the reading. */
  get stopped(): boolean {
    return this.#stopped
  }

  /** Index of the end of the last tag, in characters written. */
  get tagEnd(): number {
    return this.#tagEnd
  }

  write(chunk: string): void {
    this.#run(() => this.#parser.write(chunk))
  }

  /** Resolves the namespace of a prefix; null if it cannot be resolved here. */
  get resolve(): ((prefix: string) => string | undefined) | null {
    return this.#scoped ? (prefix) => this.#parser.resolve(prefix) : null
  }

  /**
   * Returns the type of an element if it may begin here without a problem and would be emitted. A caller that reads the
   * element itself then calls `pass`. Only blanks may stand between the last tag and that element.
   */
  mayBegin(local: string, namespace: string): Type | undefined {
    const depth = this.#stack.length + this.#outside
    if (this.#stopped || this.#strict || this.#skipped > 0 || this.#foreign || depth === 0) return undefined
    if (depth > MAX_DEPTH / 2) return undefined
    const frame = this.#stack.at(-1)
    if (!frame) {
      const root = this.#vocabulary.roots.get(local)
      return root?.namespace === namespace ? root.type : undefined
    }
    const member = frame.type.members === null ? undefined : frame.type.byName.get(local)
    return member?.namespace === namespace && member.order >= frame.last && this.#emit.has(local)
      ? member.type
      : undefined
  }

  /**
   * Emits an element that the caller has read from `text`, and skips this text. `mayBegin` must have accepted the
   * element.
   */
  pass(name: string, value: unknown, text: string): void {
    const frame = this.#stack.at(-1)
    if (frame) frame.last = Math.max(frame.last, required(frame.type.byName.get(name)).order)
    else {
      this.#found = true
      this.#current = []
    }
    const { line } = this
    this.#passOver(text)
    this.#handOver(name, line, value)
  }

  #passOver(text: string): void {
    const { line, column } = this.#parser
    const lines = text.split('\n').length - 1
    const here = this.#passed.line === line ? this.#passed.columns : 0
    this.#passed = {
      lines: this.#passed.lines + lines,
      columns: lines === 0 ? here + text.length : text.length - text.lastIndexOf('\n') - 1 - column,
      line,
    }
  }

  /** Current line in the whole text. */
  get line(): number {
    return this.#parser.line + this.#passed.lines
  }

  get #column(): number {
    const { line, column } = this.#parser
    return column + (line === this.#passed.line ? this.#passed.columns : 0)
  }

  close(): void {
    this.#run(() => this.#parser.close())
    if (!this.#stopped && !this.#found) this.#report('no_record', 'none of its elements is known', '', false)
    if (this.#stopped && this.#stack.length > 0) {
      // An element that is still open is lost. Its problems become problems of the document.
      this.problems.push(...this.#current)
      this.#current = []
      this.#stack.length = 0
    }
  }

  #run(step: () => void): void {
    if (this.#stopped) return
    try {
      step()
    } catch (error) {
      if (error === ABORT) return
      // The parser throws a `RangeError` on a lone surrogate at the end of a text.
      if (!(error instanceof RangeError)) throw error
      this.#report('malformed', 'disallowed character', this.#stack.at(-1)?.path ?? '', false)
      this.#stopped = true
    }
  }

  #report(kind: XmlProblemKind, detail: string, path: string, tolerated: boolean): void {
    if (tolerated && this.#strict) return
    const problem = { kind, path, line: this.line, column: this.#column, detail, tolerated }
    const list = this.#stack.length > 0 && tolerated ? this.#current : this.problems
    if (list.length < MAX_PROBLEMS) list.push(problem)
  }

  #stop(kind: XmlProblemKind, detail: string): never {
    this.#report(kind, detail, this.#stack.at(-1)?.path ?? '', false)
    this.#stopped = true
    throw ABORT
  }

  #open(tag: SaxesTagNS): void {
    this.#tagEnd = this.#parser.position
    this.#scoped = true
    if (this.#stack.length + this.#outside + this.#skipped + (this.#foreign?.scopes.length ?? 0) > MAX_DEPTH)
      this.#stop('limit', `more than ${MAX_DEPTH} levels`)
    if (this.#strict) {
      if (!this.#found && !this.#vocabulary.roots.has(tag.local)) this.#stop('no_record', tag.local)
      this.#strict.open(tag, this.#parser.position)
    }
    if (this.#skipped > 0) {
      this.#skipped++
      return
    }
    if (this.#foreign) {
      this.#openForeign(tag)
      return
    }
    const frame = this.#stack.at(-1)
    if (!frame) {
      const root = this.#vocabulary.roots.get(tag.local)
      if (root) this.#openRoot(root, tag)
      else this.#outside++
      return
    }
    this.#openMember(frame, tag)
  }

  #openRoot(root: Root, tag: SaxesTagNS): void {
    this.#found = true
    this.#current = []
    this.#push(root.name, root.type, '', null, tag)
    if (tag.uri !== root.namespace)
      this.#report('namespace', `${tag.name} in ${tag.uri || 'no namespace'}`, '', true)
  }

  #openMember(frame: Frame, tag: SaxesTagNS): void {
    const { block } = frame
    const member = frame.type.members === null ? undefined : frame.type.byName.get(tag.local)
    if (block === null || !member) {
      this.#report('unknown_element', tag.local, frame.path, true)
      this.#skipped = 1
      return
    }
    const kept = block[member.name]
    // In strict mode, locations are determined only for problems.
    const path = this.#strict ? '' : `${frame.path}/${member.name}`
    if (tag.uri !== member.namespace)
      this.#report('namespace', `${tag.name} in ${tag.uri || 'no namespace'}`, path, true)
    if (member.order < frame.last) this.#report('order', tag.local, path, true)
    frame.last = Math.max(frame.last, member.order)
    if (kept !== undefined && !member.repeated) {
      this.#report('repeated', tag.local, path, true)
      this.#skipped = 1
      return
    }
    if (member.type.foreign) {
      this.#foreign = { scopes: [], text: '', frame, member }
      this.#openForeign(tag)
      return
    }
    if (this.#emit.has(member.name)) {
      this.#push(member.name, member.type, '', null, tag)
      return
    }
    const at =
      member.repeated && !this.#strict ? `${path}/${(kept as unknown[] | undefined)?.length ?? 0}` : path
    this.#push(member.name, member.type, at, { block, member }, tag)
  }

  #push(name: string, type: Type, path: string, into: Frame['into'], tag: SaxesTagNS): void {
    const block: Record<string, unknown> | null =
      type.members !== null ? {} : type.attributes ? { [TEXT]: '' } : null
    if (block !== null && type.attributes)
      for (const attribute of type.attributes.values()) {
        const value = tag.attributes[attribute.name]?.value
        if (value !== undefined)
          block[`@${attribute.name}`] = normalised(value, attribute.type.builtIn.spaces)
      }
    this.#stack.push({ name, type, block, path, line: this.line, text: '', last: -1, into })
  }

  #close(tag: SaxesTagNS): void {
    this.#tagEnd = this.#parser.position
    this.#scoped = Object.keys(tag.ns).length === 0
    const text = this.#strict?.close(this.#parser.position)
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    if (this.#foreign) {
      this.#closeForeign(tag)
      return
    }
    const frame = this.#stack.pop()
    if (!frame) {
      this.#outside--
      return
    }
    const value = this.#valueOf(frame, text ?? frame.text)
    if (frame.into) setMember(frame.into.block, frame.into.member, value)
    else this.#handOver(frame.name, frame.line, value)
  }

  #valueOf({ block, type }: Frame, text: string): unknown {
    if (block === null) return text
    if (type.members === null) block[TEXT] = text
    return block
  }

  #handOver(name: string, line: number, value: unknown): void {
    const problems = this.#current
    this.#current = []
    this.#onElement({ name, value, line, problems })
  }

  #text(text: string): void {
    this.#strict?.text(text)
    if (this.#skipped > 0) return
    if (this.#foreign) {
      this.#addForeign(escapeText(text))
      return
    }
    const frame = this.#stack.at(-1)
    if (!frame) return
    if (frame.type.members === null) {
      if (this.#strict) return
      frame.text += text
      if (frame.text.length > MAX_TEXT) this.#stop('limit', `a text of more than ${MAX_TEXT} characters`)
    } else if (!SPACES.test(text)) this.#report('stray_text', text.trim().slice(0, 40), frame.path, true)
  }

  #addForeign(text: string): void {
    const foreign = required(this.#foreign)
    foreign.text += text
    if (!this.#strict && foreign.text.length > MAX_FOREIGN)
      this.#stop('limit', `a block of more than ${MAX_FOREIGN} characters`)
  }

  /**
   * Keeps the element as self-contained XML text, in which prefixes declared outside the element are declared again.
   */
  #openForeign(tag: SaxesTagNS): void {
    const { scopes } = required(this.#foreign)
    const scope: Scope = new Map()
    scopes.push(scope)
    let attributes = ''
    for (const { name, prefix, local, value } of Object.values(tag.attributes)) {
      attributes += ` ${name}="${escapeAttribute(value)}"`
      if (prefix === 'xmlns' || name === 'xmlns') scope.set(name === 'xmlns' ? '' : local, value)
    }
    const declare = (prefix: string, uri: string): void => {
      if (prefix === 'xml' || prefix === 'xmlns') return
      const known = scopes.findLast((outer) => outer.has(prefix))
      if (known?.get(prefix) === uri) return
      scope.set(prefix, uri)
      attributes = ` xmlns${prefix ? `:${prefix}` : ''}="${escapeAttribute(uri)}"${attributes}`
    }
    declare(tag.prefix, tag.uri)
    for (const { prefix, uri } of Object.values(tag.attributes)) if (prefix !== '') declare(prefix, uri)
    this.#addForeign(`<${tag.name}${attributes}>`)
  }

  #closeForeign(tag: SaxesTagNS): void {
    const foreign = required(this.#foreign)
    this.#addForeign(`</${tag.name}>`)
    foreign.scopes.pop()
    if (foreign.scopes.length > 0) return
    this.#foreign = null
    setMember(required(foreign.frame.block), foreign.member, foreign.text)
  }
}

function setMember(block: Record<string, unknown>, member: Member, value: unknown): void {
  if (!member.repeated) {
    block[member.name] = value
    return
  }
  const list = block[member.name] as unknown[] | undefined
  if (list) list.push(value)
  else block[member.name] = [value]
}

/** Reads a whole document without a byte order mark. Returns its first record, or null. */
export function readFirst(
  vocabulary: Vocabulary,
  text: string,
  strict?: StrictCheck,
): { readonly element: XmlElement | null; readonly reader: XmlReader } {
  const found: XmlElement[] = []
  const onElement = (read: XmlElement): void => {
    if (found.length === 0) found.push(read)
  }
  const reader = new XmlReader(vocabulary, { onElement, ...(strict && { strict }) })
  reader.write(text)
  reader.close()
  return { element: reader.stopped ? null : (found[0] ?? null), reader }
}

/**
 * Reads a whole document. `element` is the first record of the vocabulary, or null.
 *
 * Never throws for any text: errors are in `problems`. The caller decodes the bytes as UTF-8.
 */
export function readXml(
  vocabulary: Vocabulary,
  text: string,
): { element: XmlElement | null; problems: readonly XmlProblem[] } {
  const { element, reader } = readFirst(vocabulary, text.replace(/^\uFEFF/, ''))
  return { element, problems: [...reader.problems, ...(element?.problems ?? [])] }
}
