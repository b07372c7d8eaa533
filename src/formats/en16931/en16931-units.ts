/** Maps units of measure between UN/ECE recommendations 20 and 21 and the catalog of units. */
import { rows } from '#catalogs/units.json'

/** Catalog units of UN/ECE codes that are not in the catalog but have an equivalent code there. */
const ALSO: Readonly<Record<string, string>> = { XPU: '07', XCX: '23' }
const OTHER = '05'

let index: ReadonlyMap<string, string> | undefined
let codes: ReadonlyMap<string, string> | undefined

const unitsByCode = (): ReadonlyMap<string, string> => {
  index ??= new Map([
    ...rows.flatMap(({ code, unece, unece_exact, unece_also }) => [
      ...unece_also.map((also) => [also, code] as const),
      ...(unece_exact ? [[unece, code] as const] : []),
    ]),
    ...Object.entries(ALSO),
  ])
  return index
}

export interface Unit {
  readonly unit: string
  /** The UN/ECE code, if the catalog has no unit for it. */
  readonly original?: string
}

/**
 * Returns the unit of a UN/ECE code.
 *
 * @example
 * unitOfCode('KGM') // => { unit: '03' }
 * unitOfCode('MTK') // => { unit: '05', original: 'MTK' }
 */
export function unitOfCode(code: string): Unit {
  const unit = unitsByCode().get(code)
  return unit === undefined ? { unit: OTHER, original: code } : { unit }
}

/**
 * Returns the UN/ECE code of a unit; `C62` (one) if the line has no unit.
 *
 * @example
 * codeOfUnit('12') // => 'XBO'
 * codeOfUnit(undefined) // => 'C62'
 */
export function codeOfUnit(unit: string | undefined): string {
  codes ??= new Map(rows.map(({ code, unece }) => [code, unece]))
  return (unit === undefined ? undefined : codes.get(unit)) ?? 'C62'
}
