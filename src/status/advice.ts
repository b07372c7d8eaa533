/** What there is to do for an incident, and whether there still is. */
import type { Incident } from './answers.ts'
import { commandLine, filled } from './dom.ts'
import type { Recorded } from './load.ts'
import type { Words } from './words.ts'

export type Standing = 'open' | 'correcting' | 'solved'

/** States of a line with which nothing was decided: the record waits. */
const isWaiting = ({ estado_registro }: Incident): boolean => estado_registro === 'pending'
const isRejected = ({ estado_registro }: Incident): boolean => /^(Incorrecto|rejected)$/.test(estado_registro)

/** How the incident stands by what is known of its invoice now. */
export function standingOf(incident: Incident, recorded: Recorded | undefined): Standing {
  const state = recorded?.records.at(-1)?.estado
  if (state === 'accepted') return 'solved'
  // What was remarked on the later record is an incident of its own.
  if (state === 'accepted_with_errors' && (isRejected(incident) || isWaiting(incident))) return 'solved'
  return state === 'pending' && !isWaiting(incident) ? 'correcting' : 'open'
}

/** Codes of the connection, after which everything goes on by itself. */
const BY_ITSELF = /^(unreachable|unknown|fault_service|fault_record)$/
/** The customer is not in the census of the authority. */
const CENSUS = /^(1110|2001)$/

/** What to do, with the command filled in. */
export function adviceOn(incident: Incident, recorded: Recorded | undefined, company: string, words: Words) {
  const { codigo_error: said } = incident
  const { advice } = words
  if (isWaiting(incident))
    return filled(said !== null && BY_ITSELF.test(said) ? advice.waits : advice.asSaid, {})
  if (said === '2004') return filled(advice.clock, {})
  const isCensus = said !== null && CENSUS.test(said)
  const command = commandLine(
    `cuadra-admin verifactu correct --company ${company} --invoice ${recorded?.invoice.id ?? 'INVOICE_ID'}${isCensus && said === '1110' ? ' --recipient-not-in-census' : ''}`,
  )
  const sentence =
    said === '3000'
      ? advice.duplicate
      : isCensus
        ? advice.census
        : isRejected(incident)
          ? advice.rejected
          : advice.remarked
  return filled(sentence, { command })
}
