/** Manages the active faults: adds them, counts how often they apply, and clears them. */
import { ConditionError, required } from '#core/errors/index.ts'
import { firstForbiddenCharacter } from '#core/xml/index.ts'
import {
  FAULT_KINDS,
  FAULT_NAMES,
  type FaultKind,
  type FaultMember,
  type FaultName,
  FILTERS,
  isFaultName,
  type Stage,
} from './fault-kinds.ts'
import type { Kind, Service } from './simulator-types.ts'

/**
 * A fault to inject. `times` is the number of requests that it affects; of connections for faults of the connection, of
 * records for `reject` and `accept_with_errors`. Without `times`, the fault stays active until it is cleared.
 */
export interface Fault {
  readonly kind: FaultName
  readonly times?: number
  readonly service?: Service
  readonly operation?: Kind
  readonly taxpayer?: string
  readonly seconds?: number
  readonly stored?: boolean
  readonly code?: number
  readonly text?: string
  readonly client?: boolean
  readonly status?: number
  readonly retry_after?: number
  readonly content_type?: string
  /** Limits the fault to the records of the invoice with this number. */
  readonly number?: string
}

export interface ActiveFault {
  readonly id: number
  readonly fault: Fault
  /** How many times the fault was applied. */
  readonly times_applied: number
}

const invalid = (message: string) => new ConditionError('simulator_fault', message)

const MAX_SECONDS = 3600
const MAX_TEXT = 2000

const LIMITS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  times: [1, 1_000_000],
  seconds: [0, MAX_SECONDS],
  code: [1, 99_999],
  status: [200, 599],
  retry_after: [0, MAX_SECONDS],
}
const LISTS: Readonly<Record<string, readonly string[]>> = {
  service: ['verifactu', 'request', 'sii'],
  operation: ['submission', 'query'],
}

const MEMBER_TYPES = new Map([
  ['number', 'number'],
  ['text', 'string'],
  ['boolean', 'boolean'],
])
/** Matches content types that cannot inject headers. */
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?charset=[\w-]+)?$/

function checkMember(kind: string, name: string, value: unknown, member: FaultMember): void {
  const wanted = member.replace('!', '')
  const refuse = (what: string): never => {
    throw invalid(`Invalid "${name}" of the fault ${kind}: ${JSON.stringify(value)}. ${what}.`)
  }
  if (typeof value !== MEMBER_TYPES.get(wanted)) refuse(`Use a ${wanted}`)
  const [min, max] = LIMITS[name] ?? []
  if (min !== undefined && !(Number(value) >= min && Number(value) <= required(max)))
    refuse(`Use a number from ${min} to ${max}`)
  if (['times', 'code', 'status'].includes(name) && !Number.isInteger(value)) refuse('Use a whole number')
  if (LISTS[name] && !LISTS[name].includes(String(value))) refuse(`Use one of ${LISTS[name].join(', ')}`)
  if (wanted === 'text' && String(value).length > MAX_TEXT) refuse(`Use at most ${MAX_TEXT} characters`)
  if (wanted === 'text' && firstForbiddenCharacter(String(value)) >= 0)
    refuse('Remove the character that XML does not allow')
  if (name === 'content_type' && !CONTENT_TYPE.test(String(value))) refuse('Use a type such as text/plain')
}

/** Returns the allowed members of a fault, with their types. */
function membersOf(name: FaultName): ReadonlyMap<string, FaultMember> {
  const { stage, members }: FaultKind = FAULT_KINDS[name]
  return new Map<string, FaultMember>(
    Object.entries({
      // While the service is down, there are no connections to count.
      ...(name === 'down' ? {} : { times: 'number' }),
      ...(stage === 'connection' ? {} : FILTERS),
      ...members,
    }),
  )
}

/** Validates a fault. Throws an error that states the problem. */
function requireFault(fault: unknown): asserts fault is Fault {
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault))
    throw invalid('Invalid fault. Use an object such as {"kind": "slow", "seconds": 5, "times": 1}.')
  const { kind, ...members } = { kind: undefined, ...fault }
  const name = String(kind)
  if (!isFaultName(name)) throw invalid(`Unknown fault "${name}". Use one of ${FAULT_NAMES.join(', ')}.`)
  const known = membersOf(name)
  const given = new Map<string, unknown>(Object.entries(members))
  for (const [member, value] of given) {
    const wanted = known.get(member)
    if (wanted === undefined)
      throw invalid(
        `Unknown member "${member}" of the fault ${name}. Use ${[...known.keys()].join(', ') || 'none'}.`,
      )
    checkMember(name, member, value, wanted)
  }
  for (const [member, wanted] of known)
    if (wanted.endsWith('!') && given.get(member) === undefined)
      throw invalid(`The fault ${name} requires "${member}".`)
}

/** The request or record that is compared with the filters of a fault. */
type Target = { readonly [Name in 'service' | 'operation' | 'taxpayer' | 'number']?: Fault[Name] | undefined }

const stageOf = ({ kind }: Fault): Stage => FAULT_KINDS[kind].stage

const appliesTo = (fault: Fault, target: Target): boolean =>
  (['service', 'operation', 'taxpayer', 'number'] as const).every(
    (name) => fault[name] === undefined || fault[name] === target[name],
  )

/** Whether the message that a fault affects is processed and stored. */
export const isStored = (fault: Fault): boolean => {
  const row: FaultKind = FAULT_KINDS[fault.kind]
  return fault.stored ?? row.stored ?? true
}

export class Faults {
  #entries: ActiveFault[] = []
  #next = 1
  readonly #onChange: () => void

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange
  }

  add(fault: unknown): number {
    requireFault(fault)
    const id = this.#next++
    this.#entries.push({ id, fault: structuredClone(fault), times_applied: 0 })
    this.#onChange()
    return id
  }

  /** Clears one fault, or all. Returns false if no fault was cleared. */
  clear(id?: number): boolean {
    const before = this.#entries
    this.#entries = id === undefined ? [] : before.filter((entry) => entry.id !== id)
    this.#onChange()
    return this.#entries.length < before.length
  }

  list(): ActiveFault[] {
    return [...this.#entries]
  }

  /** Returns the first fault of a kind, without counting it. */
  find(kind: FaultName): ActiveFault | undefined {
    return this.#entries.find(({ fault }) => fault.kind === kind)
  }

  /** Whether a fault of a stage is active. */
  has(stage: Stage): boolean {
    return this.#entries.some(({ fault }) => stageOf(fault) === stage)
  }

  /** Returns the first fault of a stage that applies to the target, and counts this application. */
  take(stage: Stage, target: Target = {}, kinds?: readonly FaultName[]): Fault | undefined {
    const entry = this.#entries.find(
      ({ fault }) =>
        stageOf(fault) === stage &&
        fault.kind !== 'down' &&
        (kinds === undefined || kinds.includes(fault.kind)) &&
        appliesTo(fault, target),
    )
    if (!entry) return undefined
    const { fault, times_applied } = entry
    const isOver = fault.times !== undefined && times_applied + 1 >= fault.times
    this.#entries.splice(
      this.#entries.indexOf(entry),
      1,
      ...(isOver ? [] : [{ ...entry, times_applied: times_applied + 1 }]),
    )
    return fault
  }
}
