import { rows as data } from './generated/units.json'
import { lazy } from './lazy.ts'

const index = /* @__PURE__ */ lazy(() => {
  const codes = new Map<string, string>()
  for (const { code, aliases } of data) {
    codes.set(code, code)
    for (const alias of aliases) codes.set(alias, code)
  }
  return codes
})

/**
 * Returns the unit code (`01` to `36`) of a code, or of a usual Spanish or English name or abbreviation. Source:
 * Facturae 3.2.2 (`UnitOfMeasureType`); the aliases are cuadra's own.
 *
 * @example
 * unitOf('03') // => '03'
 * unitOf(' Uds ') // => '01'
 * unitOf('kWh') // => '36'
 * unitOf('parsec') // => undefined
 */
export function unitOf(value: string): string | undefined {
  return index().get(value) ?? index().get(value.trim().toLowerCase())
}
