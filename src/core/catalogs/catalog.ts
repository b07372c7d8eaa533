import { type Dated, inForce } from './dated.ts'
import { rows as correctionReasons } from './generated/correction-reasons.ts'
import { rows as countries } from './generated/countries.ts'
import { rows as exemptionReasons } from './generated/exemption-reasons.ts'
import { rows as invoiceTypes } from './generated/invoice-types.ts'
import { rows as nonDeductibleReasons } from './generated/non-deductible-reasons.ts'
import { rows as nonTaxableReasons } from './generated/non-taxable-reasons.ts'
import { rows as paymentMethods } from './generated/payment-methods.ts'
import { rows as subdivisions } from './generated/subdivisions.ts'
import { rows as taxGroups } from './generated/tax-groups.ts'
import { rows as taxRates } from './generated/tax-rates.ts'
import { rows as taxRegimes } from './generated/tax-regimes.ts'
import { rows as taxTreatments } from './generated/tax-treatments.ts'
import { rows as units } from './generated/units.ts'
import { deepFreeze } from './lazy.ts'

/** One row of a catalog: a code, its official Spanish name, and further fields of the catalog. */
export interface CatalogEntry {
  readonly code: string
  readonly name: string
  readonly [field: string]: unknown
}

const ROWS = {
  'tax-rates': taxRates,
  'tax-groups': taxGroups,
  'tax-treatments': taxTreatments,
  'exemption-reasons': exemptionReasons,
  'non-taxable-reasons': nonTaxableReasons,
  'non-deductible-reasons': nonDeductibleReasons,
  'tax-regimes': taxRegimes,
  'invoice-types': invoiceTypes,
  'payment-methods': paymentMethods,
  'correction-reasons': correctionReasons,
  countries: countries,
  subdivisions: subdivisions,
  units: units,
} as const satisfies Record<string, readonly CatalogEntry[]>

/** The name of one of the thirteen catalogs of the API specification. */
export type CatalogName = keyof typeof ROWS

/**
 * The names of the thirteen catalogs, in the order of the API specification (section "Catalogs").
 *
 * @example
 * CATALOG_NAMES.length // => 13
 * CATALOG_NAMES[0] // => 'tax-rates'
 */
export const CATALOG_NAMES: readonly CatalogName[] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.keys(ROWS) as CatalogName[],
)

const open = new Map<CatalogName, readonly CatalogEntry[]>()

/**
 * Returns the rows of a catalog (API specification, section "Catalogs"), deeply frozen. For a dated catalog
 * (`tax-rates`), returns the rows in force on the day `on` (`YYYY-MM-DD`); without `on`, the rows without an end date.
 *
 * For an unknown name, throws a `RangeError` that lists the names.
 *
 * @example
 * catalog('units').length // => 36
 * catalog('units')[0]?.name // => 'Unidades'
 * catalog('tax-rates').some((rate) => rate.code === 'IVA_5') // => false
 * catalog('tax-rates', { on: '2023-05-02' }).some((rate) => rate.code === 'IVA_5') // => true
 */
export function catalog(name: CatalogName, options?: { on?: string }): readonly CatalogEntry[] {
  if (!Object.hasOwn(ROWS, name)) {
    throw new RangeError(`Unknown catalog "${name}". The catalogs are: ${CATALOG_NAMES.join(', ')}.`)
  }
  const rows: readonly CatalogEntry[] = ROWS[name]
  const on = options?.on
  if (on !== undefined && isDated(rows))
    return Object.freeze(deepFreeze(rows).filter((row) => inForce(row, on)))
  let current = open.get(name)
  if (current === undefined) {
    deepFreeze(rows)
    current = isDated(rows) ? Object.freeze(rows.filter((row) => inForce(row, undefined))) : rows
    open.set(name, current)
  }
  return current
}

function isDated(rows: readonly CatalogEntry[]): rows is readonly (CatalogEntry & Dated)[] {
  return rows[0] !== undefined && 'valid_from' in rows[0]
}
