/** The shape of `company.json`: what an administrator may write of a company. */
import { subdivisionOf } from '../../../catalogs/index.ts'
import { checkTaxId } from '../../../identifiers/index.ts'
import { isDate } from '../../../invoice/index.ts'
import { TEMPLATES } from '../../../pdf/designs.ts'
import {
  date,
  flag,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  type Properties,
  type Schema,
  type Static,
  shaped,
  textOf,
} from '../../shapes/builders.ts'

export type Members = Readonly<Record<string, unknown>>
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A shape with how to mend what has not got it, as an administrator is told. */
const told = <S extends Schema>(schema: S, fix: string): S => ({ ...schema, fix })

/** A member that may be left out, or be null: then it is this. */
const or = <S extends Schema, const D extends Static<S> | object>(schema: S, otherwise: D) =>
  shaped<Static<S>>({ ...schema, default: otherwise })
const orNull = <S extends Schema>(schema: S) =>
  shaped<Static<S> | null>({
    ...nullable(schema),
    ...('fix' in schema && { fix: `${schema.fix}, or null` }),
    default: null,
  })

/** An object; what has a default need not be written, and is there all the same once the file has been read. */
const members = <P extends Properties>(properties: P) => ({
  ...told(object(properties), `send an object { ${Object.keys(properties).join(', ')} }`),
  required: Object.entries(properties).flatMap(([name, one]) =>
    'default' in one || '~optional' in one ? [] : name,
  ),
})
const list = <S extends Schema>(items: S) => told(listOf(items), 'send a list of objects')

/** What a shape cannot say of a value of its kind: the member that is wrong, if it is not all of it, and why. */
export type Check = (value: never) => readonly [member: string, problem: string] | undefined
const checked = <S extends Schema>(schema: S, ...holds: readonly Check[]): S => ({ ...schema, holds })

const messageText = (maxLength = 500) =>
  told(textOf({ pattern: '\\S', maxLength }), 'send a text that is not empty')
/** As long as a party's name may be in an invoice. */
const name = messageText(120)
const yesOrNo = told(flag, 'send true or false')
const day = told(date, 'send a day as YYYY-MM-DD')
const one = <const V extends string>(...values: readonly V[]) =>
  told(oneOf(...values), `send ${values.join(' or ')}`)
const whole = (minimum: number) =>
  told({ ...integer, minimum, maximum: Number.MAX_SAFE_INTEGER }, `send a whole number from ${minimum} on`)

const spanish: Check = (id: string) => {
  const { valid, reason } = checkTaxId(id, 'ES')
  return valid ? undefined : ['', `"${id.slice(0, 40)}" is no Spanish tax id (${reason})`]
}

const ofItsTaxId: Check = ({ tax_id, person_type_code: person }: Members) => {
  const { valid, person_type_code: right } = checkTaxId(String(tax_id), 'ES')
  return valid && right && right !== person && (person === 'F' || person === 'J')
    ? ['person_type_code', `is ${person}, but the tax id is of ${right}`]
    : undefined
}

const known: Check = (code: string) =>
  subdivisionOf(code)
    ? undefined
    : ['', `there is no province ${code.slice(0, 40)}. Send ISO 3166-2 (ES-M) or INE (28)`]

/** First and last day of what may be a period; undefined where it is none. */
function daysOf(period: unknown): readonly [first: string, last: string] | undefined {
  const { start_date: first, end_date: last = null } = isMembers(period) ? period : {}
  if (typeof first !== 'string' || !isDate(first)) return undefined
  if (last === null) return [first, '9999']
  return typeof last === 'string' && isDate(last) ? [first, last] : undefined
}

const inOrder: Check = (period: Members) => {
  const [first = '', last = ''] = daysOf(period) ?? []
  return last < first ? ['end_date', 'is before start_date'] : undefined
}

const apart: Check = (periods: readonly unknown[]) => {
  const days = periods.map(daysOf)
  for (const [at, one] of days.entries())
    for (const [other, next] of days.entries())
      if (one && next && at < other && one[0] <= next[1] && next[0] <= one[1])
        return ['', `${at} and ${other} overlap. Give the earlier an end_date`]
  return undefined
}

const numbered: Check = (periods: readonly unknown[]) => {
  const ids = periods.flatMap((one) => (isMembers(one) && one.id !== undefined ? [one.id] : []))
  return new Set(ids).size < ids.length ? ['', 'two have the same id. Leave id out of new ones'] : undefined
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
    tax_id: checked(messageText(), spanish),
    legal_name: name,
    name: orNull(name),
    person_type_code: told(oneOf('F', 'J'), 'send F (natural person) or J (entity)'),
    country: or(one('ES'), 'ES'),
    currency: or(one('EUR'), 'EUR'),
    contact_name: orNull(messageText()),
    contact_email: orNull(messageText()),
    contact_phone: orNull(messageText()),
    address: members({
      line: orNull(messageText()),
      post_code: orNull(told(textOf({ pattern: '^\\d{5}$' }), 'send five digits')),
      town: orNull(messageText()),
      province_code: orNull(checked(messageText(), known)),
    }),
    is_active: or(yesOrNo, true),
    verified: or(yesOrNo, false),
    default_tax_group: or(one('IVA', 'IGIC', 'IPSI'), 'IVA'),
    plan: or(
      members({
        name: or(messageText(), 'complete'),
        api: or(yesOrNo, true),
        recognition_quota: or(whole(0), 100),
      }),
      {},
    ),
    features: or(told(listOf(one(...FEATURES)), `send a list of ${FEATURES.join(', ')}`), FEATURES),
    fiscal_systems: or(
      members({
        ticketbai_active: or(yesOrNo, false),
        verifactu_in_plan: or(yesOrNo, true),
        sii_in_plan: or(yesOrNo, true),
      }),
      {},
    ),
    cash_basis: or(checked(list(checked(members(DAYS), inOrder)), apart), []),
    oss: orNull(members({ status: one('registered', 'pending'), effective_date: orNull(day) })),
    /** A signature delegated to whoever runs the service stands for a certificate until its last day. */
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
                  notes: orNull(messageText()),
                }),
                inOrder,
              ),
            ),
            numbered,
            apart,
          ),
          [],
        ),
        tax_authority: or(one('aeat', 'atc'), 'aeat'),
      }),
      {},
    ),
    pdf_template: orNull(told(oneOf(...TEMPLATES), `send one of ${TEMPLATES.join(', ')}`)),
  }),
  ofItsTaxId,
)
export type CompanyFile = Static<typeof COMPANY_FILE>

/** What `company.json` may say, with every default filled in. */
export type CompanyData = Omit<CompanyFile, 'name' | 'address'> & {
  readonly name: string
  readonly address: CompanyFile['address'] & {
    /** A number; a text in companies that were written by an earlier version. */
    readonly province_id: number | string | null
  }
}
export type EnrollmentPeriod = CompanyData['sii']['enrollment_periods'][number]
