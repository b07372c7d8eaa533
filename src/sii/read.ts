/** Reads any message of the SII, any answer, and the faults of its service. */
import { fill, type Locale, type ValidationItem } from '../invoice/index.ts'
import { type Fault, readFault, readXml, type XmlProblem } from '../xml/index.ts'
import { localeOf } from './items.ts'
import { checkOptions, shown } from './options.ts'
import { vocabulary } from './vocabulary.ts'
import { SII_CODES } from './words.ts'

export type SiiDocument =
  | {
      readonly ok: true
      /** Root element, or `Fault`. */
      readonly root: string
      /** Members carry the element names; of `Fault` a `FaultReading` (`{ code, text, client }`). */
      readonly value: unknown
      /** What was tolerated (an unknown element, a wrong order), as warnings. */
      readonly items: readonly ValidationItem[]
    }
  | { readonly ok: false; readonly items: readonly ValidationItem[] }

/** The reader's own words are English; names of elements are what they are. */
const SPANISH: Readonly<Record<XmlProblem['kind'], string>> = {
  malformed: 'el XML no está bien formado',
  doctype: 'no se admite un tipo de documento',
  encoding: 'la codificación no es UTF-8',
  no_record: 'ningún elemento es conocido',
  unknown_element: 'elemento desconocido',
  namespace: 'elemento en un espacio de nombres que no es el suyo',
  order: 'elemento fuera de su orden',
  repeated: 'elemento repetido',
  stray_text: 'texto suelto entre elementos',
  limit: 'más profundo o más largo que cualquier registro',
}

const NAMED: readonly XmlProblem['kind'][] = [
  'encoding',
  'unknown_element',
  'order',
  'repeated',
  'stray_text',
]

const spanishDetail = ({ kind, detail }: XmlProblem): string =>
  NAMED.includes(kind) ? `${SPANISH[kind]}: «${detail}»` : SPANISH[kind]

function itemOf(problem: XmlProblem, locale: Locale): ValidationItem {
  const { message, mend, law } = SII_CODES['sii.xml']
  const { kind, path, line, column, detail, tolerated } = problem
  const extra = { kind, line, column, detail }
  return {
    source: 'business',
    code: 'sii.xml',
    message: fill(`${message[locale]} ${mend[locale]} (${law})`, {
      ...extra,
      detail: locale === 'es' ? spanishDetail(problem) : detail,
    }),
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
 * read.ok && read.value // => { code: 4102, text: 'Falta un campo', client: true }
 */
export function readSii(xml: string, options: { readonly locale?: Locale } = {}): SiiDocument {
  checkOptions(options, { locale: 'any' })
  const locale = localeOf(options)
  if (typeof xml !== 'string')
    throw new TypeError(`cuadra: the XML is ${shown(xml)}; pass a text, its bytes decoded as UTF-8`)
  const read = readXml(vocabulary(), xml)
  const toItems = (problems: readonly XmlProblem[]) => problems.map((problem) => itemOf(problem, locale))
  if (!read.element) return { ok: false, items: toItems(read.problems) }
  const { name: root, value } = read.element
  const items = toItems(read.problems)
  if (items.some((item) => item.severity === 'error')) return { ok: false, items }
  return { ok: true, root, value: root === 'Fault' ? readFault(value as Fault) : value, items }
}
