/** Links to the playground that carry an example in the address. */
import { moduleOf } from '../source-module.mjs'

const INTERNALS = `
export { companyOf, NO_COMPANY } from './packages/web/playground/company/checked-company.ts'
export { encodeShared } from './packages/web/playground/share/codec.ts'
`

let internals

/** Returns the functions of the playground, bundled on first use. */
const playground = () => (internals ??= moduleOf(INTERNALS))

/** The day of examples that have none, so that the link has the same result on every day. */
const TODAY = '2026-03-16'

/** Returns the company of the options as the playground stores it. */
function settingsOf({ tax_id, legal_name, default_tax_group, address, cash_basis, oss } = {}, unset) {
  const fields = {
    tax_id,
    legal_name,
    tax_group: default_tax_group,
    post_code: address?.post_code,
    province: address?.province_code,
    cash_basis: Array.isArray(cash_basis) ? cash_basis[0]?.start_date : undefined,
    oss: oss?.status,
    oss_date: oss?.effective_date,
  }
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string')
  return { ...unset, ...Object.fromEntries(texts) }
}

/**
 * Returns the address of an example; null if the playground cannot represent it, so that it does not return the code
 * there.
 */
export async function playgroundLink(input, options, code, validate) {
  const { operation = 'draft', today = TODAY, totals } = options
  const { companyOf, NO_COMPANY, encodeShared } = await playground()
  const company = settingsOf(options.company ?? undefined, NO_COMPANY)
  const check = totals === 'check'
  const shown = { operation, today, company: companyOf(company) ?? null, ...(check && { totals }) }
  if (!validate(input, shown).errors.some((item) => item.code === code)) return null
  const text = JSON.stringify(input, null, 2)
  return `/playground/#${await encodeShared({ text, operation, today, check, company })}`
}
