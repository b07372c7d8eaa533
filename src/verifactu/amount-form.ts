/** Amounts that the schema lets pass and the service document forbids: zeros in front, a point with nothing behind. */
import type { Violation } from '../xml/index.ts'

const AMOUNTS = new Set([
  'BaseImponibleOimporteNoSujeto',
  'BaseImponibleACoste',
  'CuotaRepercutida',
  'CuotaRecargoEquivalencia',
  'CuotaTotal',
  'ImporteTotal',
  'BaseRectificada',
  'CuotaRectificada',
  'CuotaRecargoRectificado',
  'SumaCuotaTotalAlta',
  'SumaImporteTotalAlta',
])

/** What is of no such form has been found by the schema. */
const BY_SCHEMA = /^[+-]?\d{1,12}(\.\d{0,2})?$/
const RIGHT = /^[+-]?(0|[1-9]\d*)(\.\d{1,2})?$/

/** Depth of the deepest amount in a record, and of a message around it. */
const MAX_DEPTH = 8

const isWrong = (field: string, own: string): boolean =>
  AMOUNTS.has(field) && !RIGHT.test(own) && BY_SCHEMA.test(own)

function collect(value: object, parent: string, path: string, depth: number, found: Violation[]): void {
  const list = Array.isArray(value)
  for (const field in value) {
    const own: unknown = (value as Readonly<Record<string, unknown>>)[field]
    if (typeof own === 'string') {
      if (isWrong(field, own))
        found.push({ kind: 'pattern', path: `${path}/${field}`, field, parent, received: own })
    } else if (typeof own === 'object' && own !== null && depth < MAX_DEPTH)
      collect(own, list ? parent : field, `${path}/${field}`, depth + 1, found)
  }
}

/** These amounts of a document, as the schema would report a wrong form. */
export function amountViolations(value: unknown, parent: string): Violation[] {
  const found: Violation[] = []
  if (typeof value === 'object' && value !== null) collect(value, parent, '', 0, found)
  return found
}
