/** Records of a chain that a whole message is refused for, one by one (`service/sending/isolation.ts`). */
import type { Text } from '../../../../invoice/index.ts'
import { type FiscalRecord, readVerifactu, recordXml } from '../../../../verifactu/index.ts'
import * as common from '../../sending/isolation.ts'
import { MOST_RECORDS } from './message.ts'

export { storedIsolation } from '../../sending/isolation.ts'

interface Aside {
  readonly sequence: number
  readonly code: number | null
  readonly reason: Text
}

export type Isolation = common.Isolation<Aside>

export const readIsolation = (stored: string | null): Isolation | null => common.readIsolation(stored)

/** Whether the text of a record is one that the official schema takes. */
function isWhole(xml: string): boolean {
  const { document, items } = readVerifactu(xml)
  if (items.length > 0 || (document?.root !== 'RegistroAlta' && document?.root !== 'RegistroAnulacion'))
    return false
  try {
    recordXml({ [document.root]: document.value } as unknown as FiscalRecord)
    return true
  } catch {
    return false
  }
}

/** What to do after a message of these records was refused for one of them. */
export const afterFault = (
  before: Isolation | null,
  records: readonly { readonly sequence: number; readonly xml_sent: string | null }[],
  refused: { readonly code: number | null; readonly reason: Text },
  othersWait: boolean,
): common.Next<Aside> =>
  common.afterFault(before, {
    most: MOST_RECORDS,
    records: records.length,
    broken: records.findIndex(({ xml_sent }) => xml_sent === null || !isWhole(xml_sent)),
    first: records[0] && { sequence: records[0].sequence, ...refused },
    othersWait,
  })

/** What is left of it after a message was taken; null once nothing is to be looked for. */
export const afterAnswer = (before: Isolation | null, sent: number): Isolation | null =>
  common.afterAnswer(before, sent, MOST_RECORDS)
