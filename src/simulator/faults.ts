/** The faults that are to come: put in, counted down, taken where they strike, cleared. */
import { ConditionError } from '../errors/conditions.ts'
import { required } from '../errors/index.ts'
import { firstForbiddenCharacter } from '../xml/index.ts'
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
import type { Kind, Service } from './types.ts'

/**
 * A fault as it is told. `times`: how often it strikes (requests; connections; of `reject` and `accept_with_errors`
 * records); until it is cleared where it does not say.
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
  /** Number of the invoice whose records it concerns. */
  readonly number?: string
}

export interface ActiveFault {
  readonly id: number
  readonly fault: Fault
  /** How often it has struck. */
  readonly struck: number
}

/** An invalid fault: an unknown kind, or something that cannot be said of it. */
const invalid = (message: string) => new ConditionError('simulator_fault', message)

const MOST_SECONDS = 3600
const MOST_TEXT = 2000

const LIMITS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  times: [1, 1_000_000],
  seconds: [0, MOST_SECONDS],
  code: [1, 99_999],
  status: [200, 599],
  retry_after: [0, MOST_SECONDS],
}
const LISTS: Readonly<Record<string, readonly string[]>> = {
  service: ['verifactu', 'request', 'sii'],
  operation: ['submission', 'query'],
}

const TYPES = new Map([
  ['number', 'number'],
  ['text', 'string'],
  ['boolean', 'boolean'],
])
/** A header that no client can be harmed with. */
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?charset=[\w-]+)?$/

function checkMember(kind: string, name: string, value: unknown, member: FaultMember): void {
  const wanted = member.replace('!', '')
  const refuse = (what: string): never => {
    throw invalid(`"${name}" of the fault ${kind} is ${JSON.stringify(value)}: ${what}.`)
  }
  if (typeof value !== TYPES.get(wanted)) refuse(`give a ${wanted}`)
  const [least, most] = LIMITS[name] ?? []
  if (least !== undefined && !(Number(value) >= least && Number(value) <= required(most)))
    refuse(`give a number from ${least} to ${most}`)
  if (['times', 'code', 'status'].includes(name) && !Number.isInteger(value)) refuse('give a whole number')
  if (LISTS[name] && !LISTS[name].includes(String(value))) refuse(`use one of ${LISTS[name].join(', ')}`)
  if (wanted === 'text' && String(value).length > MOST_TEXT) refuse(`at most ${MOST_TEXT} characters`)
  if (wanted === 'text' && firstForbiddenCharacter(String(value)) >= 0)
    refuse('leave out the character that XML cannot carry')
  if (name === 'content_type' && !CONTENT_TYPE.test(String(value))) refuse('give a type such as text/plain')
}

/** What may be said of a fault of a kind. */
function membersOf(name: FaultName): ReadonlyMap<string, FaultMember> {
  const { stage, members }: FaultKind = FAULT_KINDS[name]
  return new Map<string, FaultMember>(
    Object.entries({
      // What is down counts nothing: nobody gets as far as to be counted.
      ...(name === 'down' ? {} : { times: 'number' }),
      ...(stage === 'connection' ? {} : FILTERS),
      ...members,
    }),
  )
}

/** Checks that a value is a fault. Throws what says what is wrong with it. */
function requireFault(fault: unknown): asserts fault is Fault {
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault))
    throw invalid('A fault is an object, such as {"kind": "slow", "seconds": 5, "times": 1}.')
  const { kind, ...members } = { kind: undefined, ...fault }
  const name = String(kind)
  if (!isFaultName(name)) throw invalid(`There is no fault "${name}". Use one of ${FAULT_NAMES.join(', ')}.`)
  const known = membersOf(name)
  const given = new Map<string, unknown>(Object.entries(members))
  for (const [member, value] of given) {
    const wanted = known.get(member)
    if (wanted === undefined)
      throw invalid(
        `The fault ${name} has no "${member}". It can have ${[...known.keys()].join(', ') || 'nothing'}.`,
      )
    checkMember(name, member, value, wanted)
  }
  for (const [member, wanted] of known)
    if (wanted.endsWith('!') && given.get(member) === undefined)
      throw invalid(`The fault ${name} needs "${member}".`)
}

/** What a fault is held against. */
type Target = { readonly [Name in 'service' | 'operation' | 'taxpayer' | 'number']?: Fault[Name] | undefined }

const stageOf = ({ kind }: Fault): Stage => FAULT_KINDS[kind].stage

const concerns = (fault: Fault, target: Target): boolean =>
  (['service', 'operation', 'taxpayer', 'number'] as const).every(
    (name) => fault[name] === undefined || fault[name] === target[name],
  )

/** Whether what the fault spoils is processed and stored. */
export const isStored = (fault: Fault): boolean => {
  const row: FaultKind = FAULT_KINDS[fault.kind]
  return fault.stored ?? row.stored ?? true
}

export class Faults {
  #entries: ActiveFault[] = []
  #next = 1
  /** Told of every change, so that connections can be seen to. */
  readonly #onChange: () => void

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange
  }

  add(fault: unknown): number {
    requireFault(fault)
    const id = this.#next++
    this.#entries.push({ id, fault: structuredClone(fault), struck: 0 })
    this.#onChange()
    return id
  }

  /** Clears one fault, or all. False: there was none. */
  clear(id?: number): boolean {
    const before = this.#entries
    this.#entries = id === undefined ? [] : before.filter((entry) => entry.id !== id)
    this.#onChange()
    return this.#entries.length < before.length
  }

  list(): ActiveFault[] {
    return [...this.#entries]
  }

  /** The first fault of a kind, which is not used up by looking at it. */
  find(kind: FaultName): ActiveFault | undefined {
    return this.#entries.find(({ fault }) => fault.kind === kind)
  }

  /** Whether a fault of a stage is to come. */
  has(stage: Stage): boolean {
    return this.#entries.some(({ fault }) => stageOf(fault) === stage)
  }

  /** The first fault of a stage that concerns the target, counted as having struck. */
  take(stage: Stage, target: Target = {}, kinds?: readonly FaultName[]): Fault | undefined {
    const entry = this.#entries.find(
      ({ fault }) =>
        stageOf(fault) === stage &&
        fault.kind !== 'down' &&
        (kinds === undefined || kinds.includes(fault.kind)) &&
        concerns(fault, target),
    )
    if (!entry) return undefined
    const { fault, struck } = entry
    const isOver = fault.times !== undefined && struck + 1 >= fault.times
    this.#entries.splice(
      this.#entries.indexOf(entry),
      1,
      ...(isOver ? [] : [{ ...entry, struck: struck + 1 }]),
    )
    return fault
  }
}
