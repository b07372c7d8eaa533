/** One record as XML to look at. */
import { readSii, siiXml } from '../sii/index.ts'
import { recordXml } from '../verifactu/index.ts'
import type { RecordRow, SimulatorDatabase } from './database.ts'
import { MESSAGES } from './sii-messages.ts'
import { blockOf, blocksOf } from './types.ts'

const INDENT = { indent: 2 } as const

/** Of the SII a message with this record alone: a record has no root of its own. */
function bookXml(database: SimulatorDatabase, { submission, position }: RecordRow): string {
  const read = readSii(database.request(submission) ?? '')
  const shape = read.ok ? MESSAGES[read.root] : undefined
  if (!read.ok || shape?.kind !== 'submission') throw new TypeError('no message of the SII')
  const value = blockOf(read.value)
  const record = blocksOf(value[shape.record])[position]
  return siiXml({ root: read.root, value: { Cabecera: value.Cabecera, [shape.record]: [record] } }, INDENT)
}

/** XML with its lines indented; of what no schema takes, its values as JSON. */
export function shownRecord(database: SimulatorDatabase, row: RecordRow): { text: string; isXml: boolean } {
  const value = JSON.parse(row.value)
  try {
    return { text: row.service === 'sii' ? bookXml(database, row) : recordXml(value, INDENT), isXml: true }
  } catch {
    return { text: JSON.stringify(value, null, 2), isXml: false }
  }
}
