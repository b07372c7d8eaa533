import { rows as data } from './generated/units.ts'
import { lazy } from './lazy.ts'

const index = /* @__PURE__ */ lazy(() => {
  const codes = new Map<string, string>()
  for (const { code, name, name_en, aliases } of data)
    for (const one of [code, name.toLowerCase(), name_en.toLowerCase(), ...aliases]) codes.set(one, code)
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
  const name = value.trim().toLowerCase()
  // Also accepts abbreviations with a full stop, and plurals.
  return index().get(name) ?? index().get(name.replace(/[.s]$/, '')) ?? index().get(name.replace(/s?\.$/, ''))
}
