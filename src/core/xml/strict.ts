/**
 * Validates a document against its shape while it is read. Reports all violations of the official schema, with path,
 * line and column of the element. Reading continues after a problem, so that all problems are found.
 */
import type { SaxesTagNS } from 'saxes'
import { required } from '../errors/index.ts'
import { normalised } from './built-in.ts'
import type { Attribute, Member, Type, Vocabulary } from './shapes.ts'
import { checkText, type ViolationKind, type XmlProblemKind } from './validate-xml.ts'
import { advance, allowedNext, type Model, missing, missingBefore, skipTo, WILDCARD } from './xml-content.ts'
import { type Position, TagPositions } from './xml-positions.ts'
import { pointerOf } from './xml-text.ts'

export type DocumentProblemKind = ViolationKind | XmlProblemKind

export interface DocumentProblem {
  readonly kind: DocumentProblemKind
  /** XPath of local names, `/Facturae/Invoices/Invoice[1]/InvoiceTotals`; for an attribute, `…/@name`. */
  readonly element: string
  /** JSON Pointer into the value read. */
  readonly path: string
  /** Local names of the element or attribute concerned, and of the element that contains it. */
  readonly field: string
  readonly parent: string
  /**
   * Start of the element's tag, from 1. For a missing element, the start of the tag before which the element should
   * stand.
   */
  readonly line: number
  readonly column: number
  /** The text with the problem, shortened. */
  readonly received?: string
  /** What the schema allows: a list of values, a length, a pattern or a type such as `xs:date`. */
  readonly allowed?: unknown
  /** Message of the parser about a document that it cannot read. */
  readonly detail?: string
}

/** Maximum number of problems kept for a document. Further problems are counted. */
const MAX_PROBLEMS = 100
/** Maximum number of characters of a text in a problem. */
const MAX_SHOWN = 80
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
const LOCATIONS = new Set(['schemaLocation', 'noNamespaceSchemaLocation'])
const SPACES = /^[ \t\r\n]*$/

interface Frame {
  readonly name: string
  /** Null for an element that the schema does not describe. */
  readonly type: Type | null
  /** True if the content is not checked, because the element itself was refused. */
  readonly ignored: boolean
  readonly parent: Frame | null
  readonly member: Member | null
  /** Index among the siblings with the same name, from 1; 0 if the element is not repeatable. */
  readonly index: number
  /** Index in the text where the element's start tag ends. */
  readonly at: number
  /** Remaining content model; null for a text. */
  content: Model | null
  text: string
  last: Member | null
  counts: Map<Member, number> | null
  /** Elements reported as missing. They may still follow later, out of order. */
  absent: Map<string, number> | null
}

/** The part of a frame that depends on what the schema allows for the element. */
type Accepted = Pick<Frame, 'type' | 'member' | 'ignored'>

const IGNORED: Accepted = { type: null, member: null, ignored: true }

export class StrictCheck {
  readonly problems: DocumentProblem[] = []
  /** Number of problems that are not kept. */
  more = 0
  readonly #vocabulary: Vocabulary
  readonly #tags: TagPositions
  readonly #ids = new Set<string>()
  #top: Frame | null = null

  constructor(vocabulary: Vocabulary, text: string) {
    this.#vocabulary = vocabulary
    this.#tags = new TagPositions(text)
  }

  get #full(): boolean {
    return this.problems.length >= MAX_PROBLEMS
  }

  /** Starts an element; `at` is the end of its tag. */
  open(tag: SaxesTagNS, at: number): void {
    const parent = this.#top
    const accepted = parent === null ? this.#root(tag, at) : this.#inside(parent, tag, at)
    if (parent !== null && accepted.member !== null) parent.last = accepted.member
    this.#push(tag, accepted, parent, at)
  }

  #root(tag: SaxesTagNS, at: number): Accepted {
    const root = this.#vocabulary.roots.get(tag.local)
    if (root && root.namespace !== tag.uri) this.#refuse('namespace', tag, at, null, root.namespace)
    return { type: root?.type ?? null, member: null, ignored: false }
  }

  #inside(parent: Frame, tag: SaxesTagNS, at: number): Accepted {
    if (parent.ignored) return IGNORED
    if (parent.type === null)
      return { type: this.#vocabulary.globalType(tag.uri, tag.local), member: null, ignored: false }
    if (parent.content === null) return this.#unknown(parent, tag, at)
    const member = parent.type.byName.get(tag.local) ?? null
    if (member !== null && member.namespace === tag.uri) {
      const way = advance(parent.content, member.name)
      if (way !== null) parent.content = way
      else this.#misplaced(parent, member, tag, at)
      return { type: member.type, member, ignored: false }
    }
    if (this.#byWildcard(parent, tag)) return this.#anything(parent, tag, at)
    if (member === null)
      return this.#unknown(parent, tag, at, this.#full ? undefined : allowedNext(parent.content))
    this.#refuse('namespace', tag, at, parent, member.namespace)
    parent.content = advance(parent.content, member.name) ?? parent.content
    return { type: member.type, member, ignored: false }
  }

  /** Accepts an element that a wildcard allows. */
  #anything(parent: Frame, tag: SaxesTagNS, at: number): Accepted {
    const type = this.#vocabulary.globalType(tag.uri, tag.local)
    const passes = type !== null || required(required(parent.type).wildcard).lax
    return passes ? { type, member: null, ignored: false } : this.#unknown(parent, tag, at)
  }

  #unknown(parent: Frame, tag: SaxesTagNS, at: number, allowed?: readonly string[]): Accepted {
    this.#refuse('unknown_element', tag, at, parent, allowed)
    return IGNORED
  }

  #push(tag: SaxesTagNS, { type, member, ignored }: Accepted, parent: Frame | null, at: number): void {
    let index = 0
    if (parent && member?.repeated) {
      parent.counts ??= new Map()
      index = (parent.counts.get(member) ?? 0) + 1
      parent.counts.set(member, index)
    }
    const frame: Frame = {
      name: tag.local,
      type,
      ignored,
      parent,
      member,
      index,
      at,
      content: type === null ? null : type.content,
      text: '',
      last: null,
      counts: null,
      absent: null,
    }
    this.#top = frame
    if (type !== null) this.#attributes(frame, type, tag)
  }

  text(text: string): void {
    const frame = this.#top
    if (frame === null || frame.type === null) return
    if (frame.content === null) frame.text += text
    else if (!frame.type.mixed && !SPACES.test(text))
      this.#report('stray_text', frame, frame.at, { received: text.trim() })
  }

  /** Ends an element; `at` is the end of its tag. Returns the text of a text element, normalised by its type. */
  close(at: number): string {
    const frame = required(this.#top)
    this.#top = frame.parent
    const { type } = frame
    if (type === null) return ''
    if (frame.content !== null) {
      if (!frame.content.complete) for (const name of missing(frame.content)) this.#absent(frame, name, at)
      return ''
    }
    const written = frame.text === '' && frame.member?.value !== undefined ? frame.member.value : frame.text
    const text = normalised(written, type.builtIn.spaces)
    checkText(text, type, (kind, allowed) => this.#report(kind, frame, frame.at, { received: text, allowed }))
    return text
  }

  /** Returns the location of the open element. */
  location(): { readonly element: string; readonly path: string } {
    const top = this.#top
    return top === null ? { element: '', path: '' } : { element: pathOf(top), path: jsonPointer(top) }
  }

  /** Whether a wildcard of the parent allows the element. */
  #byWildcard({ content, type }: Frame, { uri }: SaxesTagNS): boolean {
    const wildcard = required(type).wildcard
    // A wildcard for other namespaces does not allow elements without a namespace.
    if (wildcard === null || (wildcard.not !== null && (uri === wildcard.not || uri === ''))) return false
    const way = advance(required(content), WILDCARD)
    if (way === null) return false
    required(this.#top).content = way
    return true
  }

  #misplaced(parent: Frame, member: Member, tag: SaxesTagNS, at: number): void {
    const reached = skipTo(required(parent.content), member.name)
    const skipped = reached === null ? [] : missingBefore(required(parent.content), member.name)
    if (reached !== null) parent.content = reached
    if (skipped.length > 0) {
      for (const name of skipped) this.#absent(parent, name, at)
      return
    }
    const { last } = parent
    const late = parent.absent?.get(member.name)
    if (late !== undefined) {
      // The element is present, but out of order.
      required(parent.absent).delete(member.name)
      this.problems[late] = this.#problem('order', parent, {
        field: member.name,
        position: this.#tags.of(at),
      })
    } else if (last !== null && last !== member && last.choice >= 0 && last.choice === member.choice)
      this.#refuse('exclusive', tag, at, parent, [last.name, member.name])
    else this.#refuse(last === member ? 'repeated' : 'order', tag, at, parent)
  }

  #absent(parent: Frame, names: string, at: number): void {
    const alternatives = names.split('|')
    const allowed = alternatives.length > 1 ? alternatives : undefined
    if (!this.#full) {
      parent.absent ??= new Map()
      for (const name of alternatives) parent.absent.set(name, this.problems.length)
    }
    this.#report('missing', parent, at, { field: names, allowed })
  }

  #attributes(frame: Frame, type: Type, tag: SaxesTagNS): void {
    const declared = type.attributes
    const given = tag.attributes
    for (const name in given) {
      const { uri, local, value } = required(given[name])
      const attribute = uri === '' ? declared?.get(local) : undefined
      if (attribute) this.#attribute(frame, attribute, value)
      else if (!isXmlAttribute(uri, local, value, type))
        this.#report('unknown', frame, frame.at, { field: `@${local}`, received: value })
    }
    if (declared === null) return
    for (const attribute of declared.values())
      if (attribute.required && given[attribute.name] === undefined)
        this.#report('missing', frame, frame.at, { field: `@${attribute.name}` })
  }

  #attribute(frame: Frame, { name, type, fixed }: Attribute, value: string): void {
    const text = normalised(value, type.builtIn.spaces)
    const report = (kind: DocumentProblemKind, allowed?: unknown): void =>
      this.#report(kind, frame, frame.at, { field: `@${name}`, received: text, allowed })
    checkText(text, type, report)
    if (fixed !== null && text !== fixed) report('value', [fixed])
    if (type.name !== 'xs:ID') return
    if (this.#ids.has(text)) report('repeated')
    this.#ids.add(text)
  }

  /** Reports an element that is not allowed here. */
  #refuse(
    kind: DocumentProblemKind,
    tag: SaxesTagNS,
    at: number,
    parent: Frame | null,
    allowed?: unknown,
  ): void {
    const received = kind === 'namespace' ? tag.uri : undefined
    this.#report(kind, parent, at, { field: tag.local, allowed, received })
  }

  #report(kind: DocumentProblemKind, frame: Frame | null, at: number, what: ProblemDetails): void {
    if (this.#full) this.more++
    else this.problems.push(this.#problem(kind, frame, { ...what, position: this.#tags.of(at) }))
  }

  /** Builds a problem of `field` inside the frame's element or, without `field`, of that element. */
  #problem(
    kind: DocumentProblemKind,
    frame: Frame | null,
    { field, received, allowed, position }: ProblemDetails & { position: Position },
  ): DocumentProblem {
    const inside = field === undefined ? '' : `/${field}`
    return {
      kind,
      element: `${frame === null ? '' : pathOf(frame)}${inside}`,
      path: `${frame === null ? '' : jsonPointer(frame)}${field === undefined || frame === null ? '' : pointerOf(field)}`,
      field: field ?? required(frame).name,
      parent: (field === undefined ? required(frame).parent?.name : frame?.name) ?? '',
      ...position,
      ...(received === undefined ? {} : { received: received.slice(0, MAX_SHOWN) }),
      ...(allowed === undefined ? {} : { allowed }),
    }
  }
}

interface ProblemDetails {
  readonly field?: string | undefined
  readonly received?: string | undefined
  readonly allowed?: unknown
}

/**
 * Whether the attribute is allowed on every element: namespace declarations, schema locations, and `xsi:type` with the
 * type of the element in the schema.
 */
const isXmlAttribute = (uri: string, local: string, value: string, type: Type): boolean =>
  uri === XMLNS || (uri === XSI && (LOCATIONS.has(local) || isOwnType(local, value, type)))

const isOwnType = (local: string, value: string, type: Type): boolean =>
  local === 'type' && value.replace(/^.*:/, '') === `${type.name.replace(/^.*:|Type$/g, '')}Type`

function pathOf({ parent, name, index }: Frame): string {
  return `${parent === null ? '' : pathOf(parent)}/${name}${index > 0 ? `[${index}]` : ''}`
}

function jsonPointer({ parent, member, name, index }: Frame): string {
  if (parent === null) return ''
  return `${jsonPointer(parent)}${member?.pointer ?? pointerOf(name)}${index > 0 ? `/${index - 1}` : ''}`
}
