/** Golden cases, their near misses and the examples, through every operation that takes an invoice. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from './request.mjs'

const CASES = new URL('../../cases/', import.meta.url)
const EXAMPLES = new URL('../../../examples/', import.meta.url)

const read = (url) => JSON.parse(readFileSync(url, 'utf8'))
const optional = (url) => (existsSync(url) ? read(url) : undefined)
const sorted = (names) => [...names].sort()

/** With number and date, as a service assigns them before there is a QR code. */
const numbered = (document, at, day = '2027-06-30') => {
  const copy = structuredClone(document)
  const { header, issue_data: issueData } = copy?.invoice ?? {}
  if (typeof header === 'object' && header !== null) header.invoice_number = `G-${at + 1}`
  if (typeof issueData === 'object' && issueData !== null) issueData.issue_date ??= day
  return copy
}

/** All that is asked about one invoice; its code with a number only if `drawn`. */
function about(name, document, options, at, { golden, drawn = true } = {}) {
  const { operation: _, explain: __, ...validation } = options ?? {}
  const spanish = { ...options, locale: 'es' }
  return [
    request(name, 'validate', document, options, { golden }),
    request(`${name} (es)`, 'validate', document, spanish),
    request(name, 'explain', document, options),
    request(name, 'reconcile', document, options),
    request(name, 'qr', document, validation),
    ...(drawn
      ? [request(`${name} (numbered)`, 'qr', numbered(document, at, options?.today), validation)]
      : []),
  ]
}

/** Every golden case and its near miss. */
function golden() {
  const names = readdirSync(CASES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return sorted(names.map((entry) => entry.name)).flatMap((name, at) => {
    const file = (part) => new URL(`${name}/${part}`, CASES)
    const golden = existsSync(file('bug.md')) ? undefined : file('expected.json').pathname
    const near = optional(file('near-miss.json'))
    // A code says four things about an invoice, and takes the WebAssembly module a tenth of a second to draw.
    const ofNear = { drawn: at % 3 === 0, golden: file('near-miss-expected.json').pathname }
    return [
      ...about(name, read(file('input.json')), optional(file('options.json')), at, { golden }),
      ...(near ? about(`${name} (near miss)`, near.input, near.options, at, ofNear) : []),
    ]
  })
}

/** Every example, with each operation and with totals that are checked. */
function examples() {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
  return sorted(files.filter((file) => file.endsWith('.json') && !file.startsWith('hosts'))).flatMap(
    (file, at) => {
      const document = read(new URL(file, EXAMPLES))
      return [
        ...about(file, document, undefined, at),
        ...['issue', 'import', 'received'].map((operation) =>
          request(`${file} as ${operation}`, 'validate', document, { operation, totals: 'check' }),
        ),
        request(`${file}, explained`, 'validate', document, { explain: true, today: '2026-06-30' }),
        request(`${file}, drawn otherwise`, 'qr', numbered(document, at), {
          environment: 'test',
          size: 40,
          quiet_zone: 6,
          font_size: 7,
          verifiable: at % 2 === 0,
        }),
      ]
    },
  )
}

export const documentCases = () => [...golden(), ...examples()]
