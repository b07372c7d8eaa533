/** An authority whose calls follow a script, and otherwise succeed. */
import type { SiiOutcome as Outcome } from 'cuadra-authority/wires.ts'

const reason = { en: 'by the script.', es: 'según el guion.' }

/** Handles a call; `deliver` lets the authority process it and returns its response. */
export type Happening = (deliver: () => string, xml: string) => Outcome | Promise<Outcome>

export const normally: Happening = (deliver) => ({ is: 'answered', text: deliver() })
export const down: Happening = () => ({ is: 'unreachable', reason })
export const turnedAway: Happening = () => ({ is: 'refused', reason })
/** Nothing arrives, and the sender does not know. */
export const lostOnTheWay: Happening = () => ({ is: 'unknown', reason })
/** The same after the authority has processed the call. */
export const afterwards =
  (happening: Happening): Happening =>
  (deliver, xml) => {
    deliver()
    return happening(deliver, xml)
  }
export const answerLost = afterwards(lostOnTheWay)
export const htmlPage =
  (text: string): Happening =>
  () => ({ is: 'answered', text: `<html><body>${text}</body></html>` })
export const page = htmlPage('503 Service Unavailable')
export const pageAfterStoring = afterwards(page)
/** Changes the response in transit. */
export const changed =
  (change: (text: string) => string): Happening =>
  (deliver) => ({ is: 'answered', text: change(deliver()) })
export const cutInTheMiddle = changed((text) => text.slice(0, text.length / 2))
export const fault =
  (code: number | null, who: 'Client' | 'Server' = 'Client', text = 'texto de la AEAT'): Happening =>
  () => ({
    is: 'answered',
    text: `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:${who}</faultcode><faultstring>${code === null ? text : `Codigo[${code}].${text}`}</faultstring></env:Fault></env:Body></env:Envelope>`,
  })

export class ScriptedAuthority {
  /** Scripts of the next submissions, and of the next queries. */
  readonly script: Happening[] = []
  readonly queryScript: Happening[] = []
  queries = 0
  pageSize = 10_000

  protected async happen(isQuery: boolean, xml: string, deliver: () => string): Promise<Outcome> {
    if (isQuery) this.queries++
    const next = (isQuery ? this.queryScript : this.script).shift() ?? normally
    return next(deliver, xml)
  }
}
