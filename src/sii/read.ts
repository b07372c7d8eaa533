/** Reads any message of the SII, any answer, and the faults of its service. */
import { fill, type Locale, type ValidationItem } from '../invoice/index.ts'
import { readXml, SOAP_NAMESPACE, type Vocabulary, vocabularyOf, type XmlProblem } from '../xml/index.ts'
import { localeOf } from './items.ts'
import { vocabulary } from './vocabulary.ts'
import { SII_CODES } from './words.ts'

/** A SOAP fault: the whole message was refused. */
export interface SiiFault {
  /** Code of the tax agency (`4102`); null where the fault has none. */
  readonly code: string | null
  readonly text: string
  readonly faultcode: string
}

export type SiiDocument =
  | {
      readonly ok: true
      /** Root element, or `Fault`. */
      readonly root: string
      /** Members carry the element names; of `Fault` an `SiiFault`. */
      readonly value: unknown
      /** What was tolerated (an unknown element, a wrong order), as warnings. */
      readonly items: readonly ValidationItem[]
    }
  | { readonly ok: false; readonly items: readonly ValidationItem[] }

let made: Vocabulary | undefined

/** SOAP 1.1: the members of a fault have no namespace. */
function faults(): Vocabulary {
  made ??= vocabularyOf({
    namespaces: { soapenv: SOAP_NAMESPACE, none: '' },
    roots: { 'soapenv:Fault': 'Fault' },
    types: {
      Fault: {
        members: [
          ['none:faultcode', 'text', 0],
          ['none:faultstring', 'text', 0],
          ['none:faultactor', 'text', 0],
          ['none:detail', 'xml', 0],
        ],
      },
      text: {},
    },
  })
  return made
}

/** `Codigo[4102].Text`, as the service words its faults. */
const FAULT_TEXT = /^\s*Codigo\s*\[\s*(\d+)\s*\]\s*\.?\s*([\s\S]*?)\s*$/i

const faultOf = (value: { faultcode?: string; faultstring?: string }): SiiFault => {
  const text = (value.faultstring ?? '').trim()
  const parts = FAULT_TEXT.exec(text)
  return { code: parts?.[1] ?? null, text: parts?.[2] || text, faultcode: (value.faultcode ?? '').trim() }
}

function itemOf(problem: XmlProblem, locale: Locale): ValidationItem {
  const { message, mend, law } = SII_CODES['sii.xml']
  const { kind, path, line, column, detail, tolerated } = problem
  const extra = { kind, line, column, detail }
  return {
    source: 'business',
    code: 'sii.xml',
    message: fill(`${message[locale]} ${mend[locale]} (${law})`, extra),
    path,
    extra,
    severity: tolerated ? 'warning' : 'error',
  }
}

/**
 * Reads a message, a query, an answer or a SOAP fault, with or without its envelope. Values are as the writer takes
 * them: what `siiXml` wrote reads back equal.
 *
 * Never throws for any text: a document type, broken XML or a foreign document are items (`sii.xml`, with line and
 * column). Source: SII schemas, interface 1.1; SOAP 1.1.
 *
 * @example
 * const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
 * const fault = '<faultcode>Client</faultcode><faultstring>Codigo[4102].Falta un campo</faultstring>'
 * const read = readSii(`<e:Fault xmlns:e="${envelope}">${fault}</e:Fault>`)
 * read.ok && read.value // => { code: '4102', text: 'Falta un campo', faultcode: 'Client' }
 */
export function readSii(xml: string, options: { readonly locale?: Locale } = {}): SiiDocument {
  const locale = localeOf(options)
  const read = readXml(vocabulary(), xml)
  const toItems = (problems: readonly XmlProblem[]) => problems.map((problem) => itemOf(problem, locale))
  if (read.element) {
    const { name: root, value } = read.element
    const items = toItems(read.problems)
    return items.some((item) => item.severity === 'error')
      ? { ok: false, items }
      : { ok: true, root, value, items }
  }
  if (read.problems.some(({ kind }) => kind === 'no_record')) {
    const fault = readXml(faults(), xml)
    if (fault.element)
      return {
        ok: true,
        root: 'Fault',
        value: faultOf(fault.element.value as { faultcode?: string; faultstring?: string }),
        items: [],
      }
  }
  return { ok: false, items: toItems(read.problems) }
}
