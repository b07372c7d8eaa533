/** Writes a record as indented XML. */
import { readSii, siiXml } from '#records/sii/index.ts'
import { recordXml } from '#records/verifactu/index.ts'
import { MESSAGES } from './sii-messages.ts'
import type { RecordRow, SimulatorDatabase } from './simulator-database.ts'
import { blockOf, blocksOf } from './simulator-types.ts'

const INDENT = { indent: 2 } as const

/** Returns an SII message that contains only this record, because a record alone has no root element. */
function bookXml(database: SimulatorDatabase, { submission, position }: RecordRow): string {
  const read = readSii(database.request(submission) ?? '')
  const shape = read.ok ? MESSAGES[read.root] : undefined
  if (!read.ok || shape?.kind !== 'submission') throw new TypeError('not a message of the SII')
  const value = blockOf(read.value)
  const record = blocksOf(value[shape.record])[position]
  return siiXml({ root: read.root, value: { Cabecera: value.Cabecera, [shape.record]: [record] } }, INDENT)
}

/** Returns a record as indented XML, or as JSON if it does not fit the schema. */
export function recordText(database: SimulatorDatabase, row: RecordRow): { text: string; isXml: boolean } {
  const value = JSON.parse(row.value)
  try {
    return { text: row.service === 'sii' ? bookXml(database, row) : recordXml(value, INDENT), isXml: true }
  } catch {
    return { text: JSON.stringify(value, null, 2), isXml: false }
  }
}
