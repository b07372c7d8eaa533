/** What there is to do for an incident that the list of the chain does not name, and how it stands. */
import type { Incident } from './answers.ts'
import type { Recorded } from './load.ts'
import type { Words } from './words.ts'

/** `waits`: it goes on by itself; `quiet`: nothing is to be done, as after a remark that needs no correction. */
export type Standing = 'open' | 'waits' | 'correcting' | 'solved' | 'quiet'

/** Nothing was decided of the records of the submission: they wait. */
const isWaiting = ({ estado_registro }: Incident): boolean => estado_registro === 'pending'
const isAnomaly = ({ estado_registro }: Incident): boolean => estado_registro === 'anomaly'

/** Codes of the connection, after which everything goes on by itself. */
const BY_ITSELF = /^(unreachable|unknown|fault_service|fault_record)$/

/** How an incident stands by what is known of its invoice now; `isLate`: what waits has waited too long. */
export function standingOf(incident: Incident, recorded: Recorded | undefined, isLate: boolean): Standing {
  if (isAnomaly(incident)) return 'open'
  const state = recorded?.records.at(-1)?.estado
  if (isWaiting(incident)) {
    if (state !== undefined && state !== 'pending') return 'solved'
    return !isLate && BY_ITSELF.test(incident.codigo_error ?? '') ? 'waits' : 'open'
  }
  if (state === 'pending') return 'correcting'
  return state === 'accepted' ? 'solved' : 'quiet'
}

/** What to do for what waits, or for an anomaly. */
export const adviceOn = ({ codigo_error }: Incident, { advice }: Words): string =>
  BY_ITSELF.test(codigo_error ?? '') ? advice.waits : advice.asSaid
