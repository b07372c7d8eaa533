/** Required fields that a mapping omits. They are missing in every invoice, and are reported once for the file. */
import { withoutIndexes } from '../spreadsheet/fields.ts'
import type { Mapping } from '../spreadsheet/mapping.ts'
import { FIRST_CELL_POSITION } from '../spreadsheet/problem.ts'
import type { Conversion } from './convert-settings.ts'
import { errorItem } from './input-faults.ts'
import type { Settings } from './input-settings.ts'

const MISSING: ReadonlySet<string> = new Set(['missing_required_field', 'schema.required'])

type Item = Conversion['result']['outcome']['errors'][number]

/** Returns the field of an item about a missing value that no column and no constant states. */
function omittedField({ code, path }: Item, mapped: ReadonlySet<string>): string | undefined {
  const field = withoutIndexes(path)
  const isMapped = [...mapped].some((one) => one === field || one.startsWith(`${field}/`))
  return MISSING.has(code) && !isMapped ? field : undefined
}

/** Returns the conversion without the items that `isKept` rejects, and their positions. */
function withItems(conversion: Conversion, isKept: (item: Item) => boolean): Conversion {
  const { result } = conversion
  const { errors } = result.outcome
  return {
    ...conversion,
    result: {
      ...result,
      outcome: { ...result.outcome, errors: errors.filter(isKept) },
      positions: (result.positions ?? []).filter((_, index) => isKept(errors[index] as Item)),
    },
  }
}

/** Whether the invoice was validated. Cells that cannot be read prevent it. */
const isValidated = ({ result: { outcome } }: Conversion): boolean =>
  outcome.is_valid || outcome.errors.some(({ code }) => !code.startsWith('csv.'))

/**
 * Moves errors about fields that the mapping omits, and that are missing in every validated invoice, to one result for the file.
 */
export function omissionsOnce(
  conversions: readonly Conversion[],
  { columns, constants }: Mapping,
  { locale }: Settings,
): Conversion[] {
  const mapped = new Set([...columns.map(({ field }) => field), ...constants.keys()].map(withoutIndexes))
  const omitted = conversions
    .filter(isValidated)
    .map(({ result }) => new Set(result.outcome.errors.map((item) => omittedField(item, mapped))))
  const [first = new Set()] = omitted
  const fields = [...first].filter((field) => field !== undefined && omitted.every((one) => one.has(field)))
  const [sample] = conversions
  if (fields.length === 0 || !sample) return [...conversions]
  const errors = fields.map((field) => {
    const extra = { field, count: omitted.length }
    return { ...errorItem('csv.not_mapped', extra, locale), path: String(field) }
  })
  const outcome = { is_valid: false, errors }
  const positions = errors.map(() => FIRST_CELL_POSITION)
  const ofFile: Conversion = {
    ...sample,
    result: { ...sample.result, outcome, document: undefined, positions },
    part: null,
    content: null,
    isOfFile: true,
  }
  const others = conversions.map((one) =>
    withItems(one, (item) => !fields.includes(omittedField(item, mapped))),
  )
  return [ofFile, ...others]
}
