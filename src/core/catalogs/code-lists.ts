/** The codes of short catalogs, in catalog order. Messages list them when a code is unknown. */

import { isEuMember } from './countries.ts'
import { rows as corrections } from './generated/correction-reasons.ts'
import { rows as countries } from './generated/countries.ts'
import { rows as exemptions } from './generated/exemption-reasons.ts'
import { rows as nonDeductible } from './generated/non-deductible-reasons.ts'
import { rows as nonTaxable } from './generated/non-taxable-reasons.ts'
import { rows as payments } from './generated/payment-methods.ts'
import { rows as regimes } from './generated/tax-regimes.ts'
import { rows as units } from './generated/units.ts'
import { EMPTY_LIST, lazy } from './lazy.ts'

const codesOf = (rows: ReadonlyArray<{ readonly code: string }>) =>
  lazy((): readonly string[] => Object.freeze(rows.map((row) => row.code)))

export const correctionReasonCodes = /* @__PURE__ */ codesOf(corrections)
export const nonDeductibleReasonCodes = /* @__PURE__ */ codesOf(nonDeductible)
export const nonTaxableReasonCodes = /* @__PURE__ */ codesOf(nonTaxable)
export const paymentMethodCodes = /* @__PURE__ */ codesOf(payments)
export const unitCodes = /* @__PURE__ */ codesOf(units)

type OfGroup = { readonly code: string; readonly tax_group_code: string }

/**
 * Returns a lazy index of codes by tax group. It is cached, because each wrong line of an invoice looks up its codes.
 */
const byGroup = (rows: readonly OfGroup[]) =>
  lazy(() => {
    const groups = new Map<string, readonly string[]>()
    for (const { tax_group_code: group } of rows)
      if (!groups.has(group))
        groups.set(
          group,
          Object.freeze(rows.filter((row) => row.tax_group_code === group).map((row) => row.code)),
        )
    return groups
  })

const exemptionReasons = /* @__PURE__ */ byGroup(exemptions)
const regimeKeys = {
  issued: /* @__PURE__ */ byGroup(regimes.filter((row) => row.issued)),
  received: /* @__PURE__ */ byGroup(regimes.filter((row) => row.received)),
}

/**
 * Returns the exemption reasons of a tax group.
 *
 * @example
 * exemptionReasonCodes('IVA') // => ['E1', 'E2', 'E3', 'E4', 'E5', 'E6']
 */
export const exemptionReasonCodes = (group: string): readonly string[] =>
  exemptionReasons().get(group) ?? EMPTY_LIST

/**
 * Returns the regime keys of a tax group for issued or received invoices.
 *
 * @example
 * regimeCodes('IVA', 'received').includes('17') // => false
 */
export const regimeCodes = (group: string, direction: 'issued' | 'received'): readonly string[] =>
  regimeKeys[direction]().get(group) ?? EMPTY_LIST

/**
 * Returns the EU member states on a day (`YYYY-MM-DD`); without a day, the current member states.
 *
 * @example
 * memberStates().length // => 27
 */
export const memberStates = (on?: string): readonly string[] =>
  countries.filter((row) => 'eu_joined' in row && isEuMember(row.code, on)).map((row) => row.code)
