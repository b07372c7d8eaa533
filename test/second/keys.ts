/** The fields by which lines and entries of the breakdown form groups: as sent, or deduced. */
import countries from '#catalogs/countries.json' with { type: 'json' }
import subdivisions from '#catalogs/subdivisions.json' with { type: 'json' }
import { Fraction } from './fraction.ts'
import type { Entry, GroupFields, Invoice, Line, Party, SentOptions } from './sent.ts'

export const TAXED = 'TAXABLE_NON_EXEMPT'
const EXEMPT = 'TAXABLE_EXEMPT'
const NON_TAXABLE = 'NON_TAXABLE'

/** Where an operation is subject to tax if its line has neither a treatment nor a positive rate. */
export interface Place {
  /** Whether the tax is VAT. */
  readonly isVat: boolean
  isOutside: boolean
  /** Whether a line with key 17 is consumed abroad. */
  isDistanceSale: boolean
}

interface Country {
  code: string
  vat_as?: string
}

/** Returns the country of an alpha-2 or alpha-3 code. */
const countryOf = (code: string): Country | undefined =>
  countries.rows.find((row) => [row.code, row.alpha3].includes(code))

/** Returns the code of a state of consumption. For VAT, Monaco is a part of France. */
function stateOf(code: string | undefined): string | undefined {
  const country = code === undefined ? undefined : countryOf(code)
  return country?.vat_as ?? country?.code ?? code
}

const isAbroad = (party: Party): boolean => (countryOf(party.country_code ?? 'ES')?.code ?? '') !== 'ES'

interface Province {
  code?: string
  name?: string
  post_code?: string
}

/** Whether a province is in the territory of Spanish VAT; undefined if it is unknown. */
function isInTerritory({ code, name, post_code }: Province): boolean | undefined {
  const number = (digits: string | undefined) => (digits === undefined ? Number.NaN : Number(digits))
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const names = (row: (typeof subdivisions.rows)[number]) =>
    [row.name, row.name_secondary ?? '', row.name_official].map(plain)
  const { rows } = subdivisions
  return (
    rows.find((row) => row.code === code || row.ine === number(code)) ??
    rows.find((row) => name !== undefined && names(row).includes(plain(name))) ??
    rows.find((row) => row.ine === number(post_code?.slice(0, 2)))
  )?.is_tai
}

/** Returns the place of an operation, as stated or by the address of its issuer. */
export function placeOf(isIssued: boolean, invoice: Invoice, { company }: SentOptions): Place {
  const { issue_data, supplier, customer } = invoice
  // Undocumented: the tax group and the address of the company apply if the invoice has none.
  const isVat = (issue_data.tax_group_code ?? company?.default_tax_group ?? 'IVA') === 'IVA'
  const address = supplier.company?.address ?? supplier.person?.address
  const own = isIssued ? company?.address : undefined
  const isInside =
    issue_data.is_tai ??
    (!isAbroad(supplier) &&
      (isInTerritory({
        ...(address?.post_code !== undefined && { post_code: address.post_code }),
        ...address?.country_subdivision,
      }) ??
        isInTerritory({
          ...(own?.province_code !== undefined && { code: own.province_code }),
          ...(own?.post_code !== undefined && { post_code: own.post_code }),
        }) ??
        true))
  return {
    isVat,
    isOutside: isVat && !isInside,
    isDistanceSale: isVat && isIssued && (customer === undefined || isAbroad(customer)),
  }
}

const CONSUMPTION = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_tax_amount',
  'consumption_rate_type',
  'supply_type',
] as const

/** Whether a line or an entry has a field about tax of another state. */
const isConsumedAbroad = (sent: Line | Entry): boolean =>
  CONSUMPTION.some((field) => sent[field] !== undefined)

/** Returns the treatment that a line or an entry states, or that its other fields imply. */
const statedTreatment = (sent: Line | Entry): string | undefined =>
  sent.tax_treatment_code ??
  (sent.reverse_charge
    ? 'TAXABLE_NON_EXEMPT_RC'
    : sent.exemption_reason_code !== undefined || sent.exemption_reason_text !== undefined
      ? EXEMPT
      : sent.non_taxable_reason !== undefined || isConsumedAbroad(sent)
        ? NON_TAXABLE
        : undefined)

/** Returns the group fields of a line or of an entry of the breakdown. */
export function fieldsOf(sent: Line | Entry, rate: number | undefined, isElsewhere = false): GroupFields {
  const isPositive = (rate ?? 0) > 0
  const treatment = statedTreatment(sent) ?? (isElsewhere && !isPositive ? NON_TAXABLE : TAXED)
  return {
    tax_treatment_code: treatment,
    tax_rate: treatment === TAXED ? rounded(rate ?? 0) : 0,
    tax_regime_key: sent.tax_regime_key ?? '01',
    exemption_reason_code: treatment === EXEMPT ? sent.exemption_reason_code : undefined,
    non_taxable_reason: treatment === NON_TAXABLE ? (sent.non_taxable_reason ?? 'LOCATION_RULES') : undefined,
    consumption_country_code: stateOf(sent.consumption_country_code),
    consumption_tax_rate:
      sent.consumption_tax_rate === undefined ? undefined : rounded(sent.consumption_tax_rate),
    consumption_rate_type: sent.consumption_rate_type,
    supply_type: sent.supply_type,
  }
}

const rounded = (rate: number): number => Fraction.of(rate).round(8).toNumber()

/** Returns a line, which under the one-stop shop may take its foreign tax from the breakdown, and its group fields. */
export function keyOf(line: Line, invoice: Invoice, place: Place): { sent: Line; key: GroupFields } {
  const tax_regime_key = line.tax_regime_key ?? regimeKeyOf(line, invoice)
  const isOneStop = tax_regime_key === '17'
  const abroad = (invoice.taxes_outputs ?? []).filter(
    (entry) => entry.consumption_country_code !== undefined || entry.consumption_tax_rate !== undefined,
  )
  const isCompleted = isOneStop && abroad.length === 1 && !isConsumedAbroad(line)
  const { consumption_country_code, consumption_tax_rate, consumption_rate_type, supply_type } =
    abroad[0] ?? {}
  const sent: Line = isCompleted
    ? { ...line, consumption_country_code, consumption_tax_rate, consumption_rate_type, supply_type }
    : line
  const isElsewhere = place.isOutside || (isOneStop && place.isDistanceSale)
  return { sent, key: { ...fieldsOf(sent, sent.tax_output_rate, isElsewhere), tax_regime_key } }
}

/** A line without a regime key takes the key that all entries of the breakdown that it could belong to share. */
function regimeKeyOf(line: Line, { taxes_outputs: entries = [] }: Invoice): string {
  const keysOf = (some: readonly Entry[]) => new Set(some.map((entry) => entry.tax_regime_key ?? '01'))
  const all = keysOf(entries)
  const keys = all.size === 1 ? all : keysOf(entries.filter((entry) => couldContain(entry, line)))
  return keys.size === 1 ? [...keys][0]! : '01'
}

/** Whether an entry contradicts no value of a line, whose treatment is taxed or not subject if it states none. */
function couldContain(entry: Entry, line: Line): boolean {
  const [ofEntry, ofLine] = [statedTreatment(entry), statedTreatment(line)]
  const isTreatedAlike =
    ofLine === undefined
      ? ofEntry === undefined || ofEntry === TAXED || ofEntry === NON_TAXABLE
      : ofEntry === undefined || ofEntry === ofLine
  // Undocumented: the rate of the entry counts, even if it is not taxed at a rate.
  const rates = [(ofLine ?? TAXED) === TAXED ? (line.tax_output_rate ?? 0) : 0, line.tax_output_rate]
  const isAlike = (
    [
      'exemption_reason_code',
      'non_taxable_reason',
      'consumption_tax_rate',
      'consumption_rate_type',
      'supply_type',
    ] as const
  ).every((field) => entry[field] === undefined || line[field] === undefined || entry[field] === line[field])
  const states = [stateOf(entry.consumption_country_code), stateOf(line.consumption_country_code)]
  return (
    isTreatedAlike &&
    rates.includes(entry.tax_rate) &&
    isAlike &&
    (states.includes(undefined) || states[0] === states[1])
  )
}

export const FIELDS: readonly (keyof GroupFields)[] = [
  'tax_treatment_code',
  'tax_rate',
  'tax_regime_key',
  'exemption_reason_code',
  'non_taxable_reason',
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_rate_type',
  'supply_type',
]

export const isSame = (a: GroupFields, b: GroupFields) => FIELDS.every((field) => a[field] === b[field])

/** Whether an entry contradicts no value of a group. */
export function isCompatible(entry: Entry, key: GroupFields): boolean {
  const fields = fieldsOf(entry, entry.tax_rate)
  return FIELDS.every((field) => {
    if (field === 'tax_regime_key') return entry[field] === undefined || entry[field] === key[field]
    if (field === 'tax_treatment_code')
      return (
        fields[field] === key[field] ||
        (statedTreatment(entry) === undefined && entry.tax_rate === 0 && key[field] !== TAXED)
      )
    return field === 'tax_rate'
      ? fields[field] === key[field]
      : entry[field] === undefined || fields[field] === key[field]
  })
}
