/** The schema of `company.json`. */

import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { subdivisionOf } from '#core/catalogs/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import { isDate } from '#core/invoice/date.ts'
import type { Address } from '#core/invoice/index.ts'
import { settingsProblems } from '#records/books/book-settings.ts'
import type { BookSettings } from '#records/books/index.ts'
import { normalizedMailAddress } from '../../environment/mail-address.ts'
import {
  date,
  flag,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  PATTERNS,
  type Properties,
  type Schema,
  type Static,
  shaped,
  textOf,
} from '../../shapes/builders.ts'

export type Members = Readonly<Record<string, unknown>>
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a schema with an instruction, which the error message of an invalid value contains. */
const withFix = <S extends Schema>(schema: S, fix: string): S => ({ ...schema, fix })

/** Returns the schema of a member that may be omitted, with its default. */
const or = <S extends Schema, const D extends Static<S> | object>(schema: S, otherwise: D) =>
  shaped<Static<S>>({ ...schema, default: otherwise })
const orNull = <S extends Schema>(schema: S) =>
  shaped<Static<S> | null>({
    ...nullable(schema),
    ...('fix' in schema && { fix: `${schema.fix}, or null` }),
    default: null,
  })

/** Returns an object schema. Members with a default are optional, and are filled in when the file is read. */
const members = <P extends Properties>(properties: P) => ({
  ...withFix(object(properties), `send an object { ${Object.keys(properties).join(', ')} }`),
  required: Object.entries(properties).flatMap(([name, one]) =>
    'default' in one || '~optional' in one ? [] : name,
  ),
})
const list = <S extends Schema>(items: S) => withFix(listOf(items), 'send a list of objects')

/** A check that a schema cannot express. Returns the invalid member (empty for the value itself) and the problem. */
export type Check = (value: never) => readonly [member: string, problem: string] | undefined
const checked = <S extends Schema>(schema: S, ...holds: readonly Check[]): S => ({
  ...schema,
  holds: [...('holds' in schema ? (schema.holds as readonly Check[]) : []), ...holds],
})

const withoutSurrogates: Check = (text: string) =>
  /\p{Surrogate}/u.test(text) ? ['', 'contains half a character: remove it'] : undefined

const printable = (pattern: string, fix: string, maxLength = 500) =>
  checked(withFix(textOf({ pattern, minLength: 1, maxLength }), fix), withoutSurrogates)
const line = (maxLength?: number) =>
  printable(
    PATTERNS.line,
    'send a text that is not empty, on one line and without control characters',
    maxLength,
  )
const text = printable(PATTERNS.text, 'send a text that is not empty, without control characters')
/** A name, with the maximum length of a party's name in an invoice. */
const name = line(120)
const yesOrNo = withFix(flag, 'send true or false')
const day = withFix(date, 'send a day as YYYY-MM-DD')
const one = <const V extends string>(...values: readonly V[]) =>
  withFix(oneOf(...values), `send ${values.join(' or ')}`)
const whole = (minimum: number) =>
  withFix({ ...integer, minimum, maximum: Number.MAX_SAFE_INTEGER }, `send a whole number from ${minimum} on`)

const spanishTaxId: Check = (id: string) => {
  const { valid, reason } = checkTaxId(id, 'ES')
  return valid ? undefined : ['', `"${id.slice(0, 40)}" is not a Spanish tax id (${reason})`]
}

const matchingPersonType: Check = ({ tax_id, person_type_code: person }: Members) => {
  const { valid, person_type_code: right } = checkTaxId(String(tax_id), 'ES')
  return valid && right && right !== person && (person === 'F' || person === 'J')
    ? ['person_type_code', `is ${person}, but the tax id is that of ${right}`]
    : undefined
}

const knownProvince: Check = (code: string) =>
  subdivisionOf(code)
    ? undefined
    : ['', `unknown province ${code.slice(0, 40)}. Send an ISO 3166-2 (ES-M) or INE (28) code`]

const usableAddress: Check = (text: string) =>
  normalizedMailAddress(text) === undefined
    ? [
        '',
        `"${text.slice(0, 40)}" is not an e-mail address. Send one without a name, such as facturas@empresa.example`,
      ]
    : undefined

const validLink: Check = (link: string) =>
  URL.canParse(link.replaceAll('{number}', '1').replaceAll('{amount}', '1'))
    ? undefined
    : ['', `"${link.slice(0, 40)}" is not an address`]

/** Returns the first and last day of a period; undefined if they are missing or invalid. */
function daysOf(period: unknown): readonly [first: string, last: string] | undefined {
  const { start_date: first, end_date: last = null } = isMembers(period) ? period : {}
  if (typeof first !== 'string' || !isDate(first)) return undefined
  if (last === null) return [first, '9999']
  return typeof last === 'string' && isDate(last) ? [first, last] : undefined
}

const startBeforeEnd: Check = (period: Members) => {
  const [first = '', last = ''] = daysOf(period) ?? []
  return last < first ? ['end_date', 'is before start_date'] : undefined
}

const endAfterEffect: Check = ({ effective_date: first, end_date: last }: Members) =>
  typeof first === 'string' && typeof last === 'string' && last < first
    ? ['end_date', 'is before effective_date']
    : undefined

const withoutOverlap: Check = (periods: readonly unknown[]) => {
  const days = periods.map(daysOf)
  for (const [at, one] of days.entries())
    for (const [other, next] of days.entries())
      if (one && next && at < other && one[0] <= next[1] && next[0] <= one[1])
        return ['', `${at} and ${other} overlap. Give the earlier an end_date`]
  return undefined
}

const uniqueIds: Check = (periods: readonly unknown[]) => {
  const ids = periods.flatMap((one) => (isMembers(one) && one.id !== undefined ? [one.id] : []))
  return new Set(ids).size < ids.length ? ['', 'two have the same id. Omit the id of new ones'] : undefined
}

/** Checks the settings of the VAT books. Only their first problem is reported. */
const bookSettings: Check = (value: unknown) => {
  const [first] = settingsProblems(value)
  return first && ['', first.en]
}

const FEATURES = [
  'api',
  'drafts',
  'issue',
  'import',
  'received',
  'attachments',
  'verifactu',
  'sii',
  'recognition',
  'email',
] as const
const DAYS = { start_date: day, end_date: orNull(day) }

export const COMPANY_FILE = checked(
  members({
    tax_id: checked(line(), spanishTaxId),
    legal_name: name,
    name: orNull(name),
    person_type_code: withFix(oneOf('F', 'J'), 'send F (natural person) or J (entity)'),
    country: or(one('ES'), 'ES'),
    currency: or(one('EUR'), 'EUR'),
    contact_name: orNull(line()),
    contact_email: orNull(checked(line(), usableAddress)),
    contact_phone: orNull(line()),
    address: members({
      line: orNull(line()),
      post_code: orNull(withFix(textOf({ pattern: '^\\d{5}$' }), 'send five digits')),
      town: orNull(line()),
      province_code: orNull(checked(line(), knownProvince)),
    }),
    is_active: or(yesOrNo, true),
    verified: or(yesOrNo, false),
    default_tax_group: or(one('IVA', 'IGIC', 'IPSI'), 'IVA'),
    plan: or(
      members({
        name: or(line(), 'complete'),
        api: or(yesOrNo, true),
        recognition_quota: or(whole(0), 100),
      }),
      {},
    ),
    features: or(withFix(listOf(one(...FEATURES)), `send a list of ${FEATURES.join(', ')}`), FEATURES),
    fiscal_systems: or(
      members({
        ticketbai_active: or(yesOrNo, false),
        verifactu_in_plan: or(yesOrNo, true),
        sii_in_plan: or(yesOrNo, true),
      }),
      {},
    ),
    cash_basis: or(checked(list(checked(members(DAYS), startBeforeEnd)), withoutOverlap), []),
    oss: orNull(
      checked(
        members({
          status: one('registered', 'pending'),
          effective_date: orNull(day),
          end_date: orNull(day),
        }),
        endAfterEffect,
      ),
    ),
    /** A signature that is delegated to the service provider replaces a certificate until this day, inclusive. */
    delegated_signature: orNull(members({ valid_until: day })),
    operated_by_partner: or(yesOrNo, false),
    sii: or(
      members({
        enrollment_periods: or(
          checked(
            list(
              checked(
                members({
                  id: optional(whole(1)),
                  enrollment_status: one('mandatory', 'voluntary_opted_in', 'ceased'),
                  environment: optional(one('production', 'test')),
                  ...DAYS,
                  notes: orNull(text),
                }),
                startBeforeEnd,
              ),
            ),
            uniqueIds,
            withoutOverlap,
          ),
          [],
        ),
        tax_authority: or(one('aeat', 'atc'), 'aeat'),
      }),
      {},
    ),
    /** Text at the foot of PDFs, such as the entry in the commercial register (art. 24 Código de Comercio). */
    pdf_foot: orNull(text),
    /** URL of the page where customers can pay. `{number}` and `{amount}` are replaced with the invoice's values. */
    payment_link: orNull(
      checked(
        withFix(textOf({ pattern: '^https://[!-~]+$', maxLength: 500 }), 'send an https address'),
        validLink,
      ),
    ),
    /** Data for the VAT books that invoices do not state. */
    books: orNull(
      shaped<BookSettings>(checked({ type: 'object', fix: 'send an object { activity, … }' }, bookSettings)),
    ),
    pdf_template: orNull(withFix(oneOf(...TEMPLATES), `send one of ${TEMPLATES.join(', ')}`)),
  }),
  matchingPersonType,
)
export type CompanyFile = Static<typeof COMPANY_FILE>

/** The content of `company.json` with every default filled in. */
export type CompanyData = Omit<CompanyFile, 'name' | 'address'> & {
  readonly name: string
  readonly address: CompanyFile['address'] & { readonly province_id: number | null }
  /** The first address that was stored for the company. Issued invoices that state no address show it. */
  readonly first_address?: Address
}
export type EnrollmentPeriod = CompanyData['sii']['enrollment_periods'][number]
