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

/** These amounts of a document, as the schema would report a wrong form. */
export function amountViolations(value: unknown, parent: string, path = '', depth = 0): Violation[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([field, own]): Violation[] => {
    const at = `${path}/${field}`
    const wrong = typeof own === 'string' && AMOUNTS.has(field) && BY_SCHEMA.test(own) && !RIGHT.test(own)
    if (wrong) return [{ kind: 'pattern', path: at, field, parent, received: own }]
    return amountViolations(own, Array.isArray(value) ? parent : field, at, depth + 1)
  })
}
