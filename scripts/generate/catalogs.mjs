/**
 * Generates the rows of the catalogs that the engine carries: without the members that no code reads, such as the codes
 * of other lists, and without those that are null. `catalogs/*.json`, which the package publishes, has them.
 */
import { readFileSync } from 'node:fs'
import { root, write } from './files.mjs'

/** The catalogs of `catalog()`, with the members that no code reads. */
const UNREAD = {
  'tax-rates': ['law', 'note'],
  'tax-groups': ['verifactu_code', 'facturae_tax_type'],
  'tax-treatments': ['aeat_codes', 'en16931_category'],
  'exemption-reasons': ['vatex'],
  'non-taxable-reasons': ['law', 'aeat_code', 'sii_field'],
  'non-deductible-reasons': ['law', 'typical_deduction_percent'],
  'tax-regimes': [],
  'invoice-types': ['aeat_types', 'untdid_1001'],
  'payment-methods': ['untdid_4461', 'untdid_exact', 'untdid_also'],
  'correction-reasons': ['law', 'facturae_reason_code', 'facturae_exact'],
  countries: [],
  subdivisions: ['community_code'],
  units: ['unece', 'unece_exact', 'unece_also'],
}

/** The day on which the one-stop shop began: the engine knows the rates of other states from then on. */
const ONE_STOP_SHOP = '2021-07-01'

/** The end of a row in force is null, by which dated rows are known; the specification names the other member. */
const KEPT_NULL = ['valid_to', 'name_secondary']

const rowsOf = (name) => JSON.parse(readFileSync(`${root}catalogs/${name}.json`, 'utf8')).rows

const writeRows = (name, rows) =>
  write(`src/catalogs/generated/${name}.json`, `${JSON.stringify({ rows })}\n`)

const withoutNull = (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Rates that were in force when the one-stop shop began have no first day. */
const consumptionRates = () =>
  rowsOf('eu-vat-rates')
    .filter(({ valid_to }) => valid_to === null || valid_to >= ONE_STOP_SHOP)
    .map((row) =>
      withoutNull({ ...row, valid_from: row.valid_from <= ONE_STOP_SHOP ? null : row.valid_from }),
    )

/** Omits official names of provinces that consist of their other names. */
const subdivisionRows = (rows) =>
  rows.map(({ name_official: official, ...row }) =>
    official === [row.name, row.name_secondary].filter(Boolean).join('/')
      ? row
      : { ...row, name_official: official },
  )

/**
 * Omits the names of units that `unitOf` finds without them: the names in the row itself, abbreviations with a full
 * stop, and plurals in `s`.
 */
const unitRows = (rows) =>
  rows.map(({ aliases, ...row }) => {
    const own = [row.name, row.name_en].map((name) => name.toLowerCase())
    const known = new Set([...own, ...aliases])
    const isFound = (alias) => own.includes(alias) || (/[.s]$/.test(alias) && known.has(alias.slice(0, -1)))
    return { ...row, aliases: aliases.filter((alias) => !isFound(alias)) }
  })

const REDUCED = { units: unitRows, subdivisions: subdivisionRows }

export const catalogs = () => {
  writeRows('eu-vat-rates', consumptionRates())
  for (const [name, unread] of Object.entries(UNREAD)) {
    const kept = rowsOf(name).map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([member, value]) => !unread.includes(member) && (value !== null || KEPT_NULL.includes(member)),
        ),
      ),
    )
    writeRows(name, (REDUCED[name] ?? ((all) => all))(kept))
  }
}
