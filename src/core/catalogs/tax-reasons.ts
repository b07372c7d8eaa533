import { rows as exemptionData } from './generated/exemption-reasons.ts'
import { rows as nonDeductibleData } from './generated/non-deductible-reasons.ts'
import { rows as nonTaxableData } from './generated/non-taxable-reasons.ts'
import { rows as regimeData } from './generated/tax-regimes.ts'
import { rows as treatmentData } from './generated/tax-treatments.ts'
import { deepFreeze, EMPTY_LIST, groupBy, indexBy, lazy } from './lazy.ts'

/** A reason for exemption in a tax group. */
export interface ExemptionReason {
  readonly tax_group_code: string
  readonly code: string
  readonly name: string
  readonly name_en: string
  readonly law?: string
}

/** A regime key of a tax group, with the directions and records that allow it. */
export interface TaxRegime {
  readonly tax_group_code: string
  readonly code: string
  readonly name: string
  readonly name_en: string
  /** Whether issued invoices may have the key. */
  readonly issued: boolean
  /** Whether received invoices may have the key. */
  readonly received: boolean
  /** Whether VeriFactu records may have the key. */
  readonly verifactu: boolean
  /** Whether SII books may have the key. */
  readonly sii: boolean
  /** Name of the key on received invoices, if it has another meaning there. */
  readonly name_received?: string
  readonly name_received_en?: string
}

/** A tax treatment: whether and how an operation is taxed. */
export interface TaxTreatment {
  readonly code: 'TAXABLE_NON_EXEMPT' | 'TAXABLE_EXEMPT' | 'TAXABLE_NON_EXEMPT_RC' | 'NON_TAXABLE'
  readonly name: string
  readonly name_en: string
  /** The field that a line with this treatment must have. */
  readonly needs?: string
}

const exemptions = /* @__PURE__ */ lazy((): readonly ExemptionReason[] => deepFreeze(exemptionData))
const exemptionsByKey = /* @__PURE__ */ indexBy(exemptions, (row) => `${row.tax_group_code} ${row.code}`)
const exemptionGroups = /* @__PURE__ */ lazy(() => {
  const byCode = groupBy(exemptions, (row) => row.code)()
  return new Map(
    [...byCode].map(([code, rows]) => [code, Object.freeze(rows.map((row) => row.tax_group_code))]),
  )
})

const regimes = /* @__PURE__ */ lazy((): readonly TaxRegime[] => deepFreeze(regimeData))
const regimesByKey = /* @__PURE__ */ indexBy(regimes, (row) => `${row.tax_group_code} ${row.code}`)

const treatments = /* @__PURE__ */ lazy(() => deepFreeze(treatmentData) as readonly TaxTreatment[])
const treatmentsByCode = /* @__PURE__ */ indexBy(treatments, (row) => row.code)

const nonTaxable = /* @__PURE__ */ lazy(() => new Set(nonTaxableData.map((row) => row.code)))
const nonDeductible = /* @__PURE__ */ lazy(() => new Set(nonDeductibleData.map((row) => row.code)))

/**
 * Returns the tax groups that have an exemption reason; for an unknown code, an empty list.
 *
 * @example
 * exemptionReasonGroups('E1') // => ['IVA', 'IGIC', 'IPSI']
 * exemptionReasonGroups('E7') // => ['IGIC']
 * exemptionReasonGroups('X9') // => []
 */
export function exemptionReasonGroups(code: string): readonly string[] {
  return exemptionGroups().get(code) ?? EMPTY_LIST
}

/**
 * Returns the exemption reason of a tax group. Source: articles 20 to 25 of Ley 37/1992 for `IVA`.
 *
 * @example
 * exemptionReasonOf('IVA', 'E5')?.law // => 'art. 25 Ley 37/1992'
 * exemptionReasonOf('IVA', 'E7') // => undefined
 */
export function exemptionReasonOf(group: string, code: string): ExemptionReason | undefined {
  return exemptionsByKey().get(`${group} ${code}`)
}

/**
 * Returns the regime key of a tax group, if invoices of that direction may have it. Source: the tax authority's key
 * lists of VeriFactu (L8A, L8B) and of the SII books.
 *
 * @example
 * regimeOf('IVA', '17', 'issued')?.name_en // => 'One-stop shop (OSS and IOSS)'
 * regimeOf('IVA', '17', 'received') // => undefined
 * regimeOf('IVA', '09', 'received')?.name_received_en // => 'Intra-Community acquisitions of goods and services'
 */
export function regimeOf(
  group: string,
  code: string,
  direction: 'issued' | 'received',
): TaxRegime | undefined {
  const regime = regimesByKey().get(`${group} ${code}`)
  return regime?.[direction] ? regime : undefined
}

/**
 * Whether a value is one of the four tax treatments.
 *
 * @example
 * isTreatment('NON_TAXABLE') // => true
 * isTreatment('non_taxable') // => false
 */
export function isTreatment(code: string): boolean {
  return treatmentsByCode().has(code)
}

/**
 * Whether a value is a reason why an operation is not subject to tax.
 *
 * @example
 * isNonTaxableReason('LOCATION_RULES') // => true
 * isNonTaxableReason('E1') // => false
 */
export function isNonTaxableReason(code: string): boolean {
  return nonTaxable().has(code)
}

/**
 * Whether a value is a reason why input tax is not deductible.
 *
 * @example
 * isNonDeductibleReason('ENTERTAINMENT') // => true
 * isNonDeductibleReason('LUNCH') // => false
 */
export function isNonDeductibleReason(code: string): boolean {
  return nonDeductible().has(code)
}
