/** A country of ISO 3166-1, with its EU membership. */
export type Country = {
  /** ISO 3166-1 alpha-2, `ES`. */
  readonly code: string
  /** ISO 3166-1 alpha-3, `ESP`. */
  readonly alpha3: string
  readonly name: string
  /** First day of the country's EU membership. */
  readonly eu_joined?: string
  /** Last day of the country's EU membership. */
  readonly eu_left?: string
  /** Prefix of the country's VAT numbers, `EL` for Greece; only for member states. */
  readonly vat_prefix?: string
  /** Last day on which EU VAT law applied, if it is later than `eu_left` (transition period of the United Kingdom). */
  readonly eu_vat_until?: string
  /** Country whose VAT territory includes this country: France for Monaco, the United Kingdom for the Isle of Man. */
  readonly vat_as?: string
}

/**
 * Parses a text with one country per line: its codes (2 and 3 characters), then its name and the columns that few
 * countries have, separated by vertical bars.
 */
export const countriesOf = (columns: readonly string[], text: string): readonly Country[] =>
  text.split('\n').map((line) => {
    const [name = '', ...values] = line.slice(5).split('|')
    const others = values.flatMap((value, at) => (value === '' ? [] : [[columns[at], value]]))
    return {
      code: line.slice(0, 2),
      alpha3: line.slice(2, 5),
      name,
      ...Object.fromEntries(others),
    }
  })
