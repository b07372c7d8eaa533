/** The special regimes that a file states by a mention for the whole invoice: cash basis and margin scheme. */
import type { Line } from '#core/invoice/index.ts'
import { CASH_BASIS, EXEMPT, isMarginKey, TAXED } from '#core/invoice/terms.ts'
import type { WritingReport } from './format-types.ts'

type Treated = Pick<Line, 'tax_treatment_code' | 'exemption_reason_code'>

/**
 * Whether the mention of the cash basis applies to a line. It does not apply to reverse charge, to operations that are
 * not subject, and to the exemptions of arts. 21-25 (art. 163 duodecies Ley 37/1992).
 */
export const isUnderCashBasis = ({ tax_treatment_code, exemption_reason_code = '' }: Treated): boolean =>
  tax_treatment_code === TAXED || (tax_treatment_code === EXEMPT && !/^E[2-5]$/.test(exemption_reason_code))

/**
 * Refuses the first line whose special regime a reader would misinterpret. `keys` are the keys that a reader infers.
 */
export function refuseMixedRegimes(
  lines: readonly Line[],
  keys: readonly (string | undefined)[],
  report: WritingReport,
): void {
  const at = lines.findIndex((line, index) => {
    const { tax_regime_key: key } = line
    const isStated = isMarginKey(key) || (key === CASH_BASIS && isUnderCashBasis(line))
    return keys[index] !== (isStated ? key : undefined)
  })
  if (at >= 0)
    report.refuse('regime_mixed', `/invoice/lines/${at}/tax_regime_key`, {
      received: lines[at]?.tax_regime_key,
    })
}
