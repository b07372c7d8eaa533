/**
 * Records examples for the OpenAPI document from responses of the conformance suite. The most informative response is
 * kept; ids, timestamps and hashes are replaced, so that recordings differ little. `npm run record` writes them; other
 * runs check whether they still match the responses.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spanishDay } from '#records/fiscal/timestamp.ts'
import { RESERVED } from './unprovoked.ts'

export const RECORDED = fileURLToPath(
  new URL('../../packages/server/src/http/recorded.json', import.meta.url),
)
/** Set by `npm run record`. */
export const IS_RECORDING = process.env.npm_lifecycle_event === 'record'

interface Candidate {
  readonly value: unknown
  readonly worth: number
}

const responses = new Map<string, Candidate>()
const refusals = new Map<string, Candidate>()
const requests = new Map<string, unknown>()
/** Names of the members that real refusals of a code had besides the common ones. */
const membersOfCode = new Map<string, Set<string>>()

/** Maximum length of an example that is not JSON. */
const LONGEST_TEXT = 6000
const LONGEST_JSON = 6000

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value !== null && 'items' in value && isEmpty(value.items)

/** Markers and other values of tests that make bad examples. */
const PLANTED = /SECRETO|\ufffd|<script|\\u0000/

const leaves = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value]

/** Statuses of success, which are better examples. */
const GOOD = /csv":"|"Correcto"|"accepted"|_ready"/

/** Rates an example: more for members with values, less for length, most if it was requested as an example. */
function worthOf(value: unknown, isWorked: boolean): number {
  const size = JSON.stringify(value)?.length ?? 0
  const all = leaves(value)
  const filled = all.filter((one) => one !== null).length / (all.length || 1)
  const tooLong = size > LONGEST_JSON ? 1000 : 0
  const bare = isEmpty(value) || PLANTED.test(JSON.stringify(value)) ? 20_000 : 0
  const hollow = JSON.stringify(value).split('{}').length - 1
  const good = GOOD.test(JSON.stringify(value)) ? 100 : 0
  return (isWorked ? 10_000 : 0) - bare + good + filled * 100 - hollow * 50 - size / 1000 - tooLong
}

function keep(map: Map<string, Candidate>, name: string, value: unknown, worth: number): void {
  const known = map.get(name)
  if (!known || worth > known.worth) map.set(name, { value, worth })
}

export interface Noted {
  readonly route: { readonly method: string; readonly path: string }
  readonly status: number
  readonly json: unknown
  readonly text: string
  readonly contentType: string
  /** Whether the request was made to be an example. */
  readonly isWorked: boolean
  readonly sent: unknown
}

const COMMON = ['code', 'message', 'request_id']

/** Records a refusal of any address. */
export function noteRefusal(json: { readonly detail: { readonly code: string } }, isEnglish: boolean): void {
  const { detail } = json
  const members = Object.keys(detail).filter((member) => !COMMON.includes(member))
  const seen = membersOfCode.get(detail.code) ?? new Set()
  for (const member of members) seen.add(member)
  membersOfCode.set(detail.code, seen)
  if (!isEnglish || !IS_RECORDING) return
  const text = JSON.stringify(json)
  const blank = text.split('""').length - 1 + (text.includes('"unknown"') ? 1 : 0)
  // Prefers the most informative and shortest one.
  keep(refusals, detail.code, json, members.length * 300 - blank * 400 - text.length)
}

export const forgetRefusals = (): void => membersOfCode.clear()

/** Records a response. */
export function note({ route, json, status, text, contentType, isWorked, sent }: Noted): void {
  const name = `${route.method} ${route.path}`
  if (!IS_RECORDING || status >= 400 || text === '') return
  const isText = json === undefined
  const shown = !isText
    ? json
    : contentType.includes('xml')
      ? text
      : `(the bytes of the file, ${contentType})`
  if (isText && text.length > LONGEST_TEXT && contentType.includes('xml')) return
  keep(responses, `${name} ${status}`, shown, worthOf(shown, isWorked))
  if (typeof sent === 'string' && sent.startsWith('<') && (isWorked || !requests.has(name)))
    requests.set(name, sent)
}

/** Members of a refusal's example that no real refusal of its code had in this run. */
export function unseenMembers(code: string, example: { readonly detail: object }): readonly string[] {
  const seen = membersOfCode.get(code)
  if (!seen) return []
  return Object.keys(example.detail).filter((member) => !COMMON.includes(member) && !seen.has(member))
}

const hex = (count: number): string => createHash('sha256').update(`example ${count}`).digest('hex')

/** Replaces texts consistently, in order of appearance. */
const numbered = (make: (count: number) => string): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text) ?? make(known.size + 1)
    known.set(text, found)
    return found
  }
}

const DAY = 86_400_000
/** The date of all examples. */
const EXAMPLE_DAY = Date.parse('2026-03-05')
/** Dates this close to the day of the recording move with it; others are constants of the tests. */
const NEAR = 60

/** Replaces the values of an example that change between runs. */
function normaliser(): (text: string) => string {
  const id = numbered((count) => `6f1f1fae-3b19-4ab5-9c2a-${String(count).padStart(12, '0')}`)
  const hash = numbered((count) => hex(count).toUpperCase())
  const lowHash = numbered(hex)
  const company = numbered((count) => (count === 1 ? 'B77777779' : 'B12345674'))
  const reference = numbered((count) => `pedido-${1000 + count}`)
  const today = Date.parse(spanishDay(Date.now()))
  const dayOf = (text: string) => {
    const distance = Date.parse(text) - today
    return Number.isNaN(distance) || Math.abs(distance) > NEAR * DAY
      ? text
      : new Date(EXAMPLE_DAY + distance).toISOString().slice(0, 10)
  }
  return (text) =>
    text
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, id)
      .replaceAll(/\b[0-9A-F]{64}\b/g, hash)
      .replaceAll(/\b[0-9a-f]{64}\b/g, lowHash)
      .replaceAll(/(?<![A-Z0-9]|S)B(?!12345674|87345120|00000000)\d{8}\b/g, company)
      .replaceAll(/(?<=\bES)B(?!12345674|87345120|00000000)\d{8}\b/g, company)
      .replaceAll(/\bA-[0-9A-Z]{14}\b/g, 'A-7K2M9Q4T8XZB3W')
      .replaceAll(/\b[A-Za-z]+-\d{2,7}-\d+\b/g, reference)
      .replaceAll(/\b\d{4}-\d{2}-\d{2}(?=T|\b)/g, dayOf)
      .replaceAll(/(\b\d{2})-(\d{2})-(\d{4}\b)/g, (_, day, month, year) =>
        dayOf(`${year}-${month}-${day}`).split('-').reverse().join('-'),
      )
      .replaceAll(/T\d{2}:\d{2}:\d{2}(?=[.+Z]|\b)/g, 'T09:30:00')
      .replaceAll(/(T09:30:00\.)\d{6}/g, '$1000000')
}

const normalised = (value: unknown): unknown => {
  const change = normaliser()
  const walk = (one: unknown, name: string): unknown => {
    if (name === 'request_id') return '6f1f1fae-3b19-4ab5-9c2a-000000000000'
    if (name === 'api_key_id' && one !== null) return 'k7TqZ2vX9bLm'
    if (typeof one === 'string') return change(one)
    if (typeof one === 'number' && /^(?:id|invoice_id|certificate_id|last_submission_id)$/.test(name))
      return 1042
    if (Array.isArray(one)) return one.map((each) => walk(each, name))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([member, each]) => [change(member), walk(each, member)]),
    )
  }
  return walk(value, '')
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

/** Writes the recorded examples. */
export function writeRecorded(): void {
  const byRoute: Record<string, Record<string, unknown>> = {}
  for (const [name, candidate] of sorted(responses)) {
    const at = name.lastIndexOf(' ')
    const route = name.slice(0, at)
    byRoute[route] = { ...byRoute[route], [name.slice(at + 1)]: normalised(candidate.value) }
  }
  const recorded = new Map<string, unknown>(
    [...refusals].map(([code, { value }]) => [code, normalised(value)] as const),
  )
  for (const [code, value] of Object.entries(RESERVED)) if (!recorded.has(code)) recorded.set(code, value)
  const all = {
    requests: Object.fromEntries(sorted(requests).map(([name, body]) => [name, normalised(body)])),
    responses: byRoute,
    refusals: Object.fromEntries(sorted(recorded)),
  }
  writeFileSync(RECORDED, `${JSON.stringify(all, null, 1)}\n`)
}
