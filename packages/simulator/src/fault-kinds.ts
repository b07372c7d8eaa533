/** The faults that the simulator can inject: stage, members and description. This table validates injected faults. */
import type { Text } from '#core/invoice/index.ts'
import { FAULTS } from './generated/texts/faults.ts'

/** What a fault affects: the connection, the delivery of the response, the content of the response, or records. */
export type Stage = 'connection' | 'delivery' | 'response' | 'record'

type MemberKind = 'number' | 'text' | 'boolean'
/** `!` marks a required member. */
export type FaultMember = MemberKind | `${MemberKind}!`

interface Row {
  readonly stage: Stage
  /** Members of this fault, in addition to those that all faults have. */
  readonly members: Readonly<Record<string, FaultMember>>
  /** Whether the message is processed and stored by default. */
  readonly stored?: boolean
}

export interface FaultKind extends Row {
  readonly messages: Text
}

const ROWS = {
  down: { stage: 'connection', members: { seconds: 'number' } },
  reset: { stage: 'connection', members: {} },
  tls_closed: { stage: 'connection', members: {} },
  expired_certificate: { stage: 'connection', members: {} },
  unknown_authority: { stage: 'connection', members: {} },
  wrong_host: { stage: 'connection', members: {} },
  slow: { stage: 'delivery', members: { seconds: 'number!', stored: 'boolean' }, stored: true },
  cut: { stage: 'delivery', members: { stored: 'boolean' }, stored: true },
  lost_response: { stage: 'delivery', members: { stored: 'boolean' }, stored: true },
  half_xml: { stage: 'delivery', members: { stored: 'boolean' }, stored: true },
  empty: { stage: 'delivery', members: { stored: 'boolean' }, stored: true },
  content_type: { stage: 'delivery', members: { content_type: 'text', stored: 'boolean' }, stored: true },
  soap_fault: {
    stage: 'delivery',
    members: { code: 'number', text: 'text', client: 'boolean', stored: 'boolean' },
    stored: false,
  },
  html: { stage: 'delivery', members: { status: 'number', stored: 'boolean' }, stored: false },
  http_status: {
    stage: 'delivery',
    members: { status: 'number', retry_after: 'number', stored: 'boolean' },
    stored: false,
  },
  wrong_order: { stage: 'response', members: {} },
  missing_line: { stage: 'response', members: {} },
  wait: { stage: 'response', members: { seconds: 'number!' } },
  partial: { stage: 'response', members: { code: 'number' } },
  reject: { stage: 'record', members: { code: 'number!', number: 'text' } },
  accept_with_errors: { stage: 'record', members: { code: 'number!', number: 'text' } },
} as const satisfies Readonly<Record<keyof typeof FAULTS, Row>>

export type FaultName = keyof typeof ROWS

export const FAULT_KINDS = Object.fromEntries(
  (Object.entries(ROWS) as [FaultName, Row][]).map(([name, row]) => [
    name,
    { ...row, messages: FAULTS[name] },
  ]),
) as Readonly<Record<FaultName, FaultKind>>

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name)

export const FAULT_NAMES = Object.keys(FAULT_KINDS).filter(isFaultName)

/** Members that select the requests that a fault affects. All faults have them, except faults of the connection. */
export const FILTERS = { service: 'text', operation: 'text', taxpayer: 'text' } as const
