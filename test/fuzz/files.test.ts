/** PDFs and pictures with changed bytes are read, or refused with a reason, and the recogniser goes on working. */

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { letter } from '../../packages/recognition/test/corpus/layouts.ts'
import { byPdfkit } from '../../packages/recognition/test/corpus/pdfkit.ts'
import { SALES } from '../../packages/recognition/test/corpus/sales.ts'
import {
  type BuiltReader,
  buildReader,
  type TestRecogniser,
} from '../../packages/recognition/test/recogniser.ts'
import { random } from '../core/xml/mutations.ts'
import { figure } from '../figures.ts'
import { sized } from '../size.ts'

const COUNT = sized(20, 200, 20_000)
const SEED = Number(process.env.CUADRA_SEED ?? 1)
let reader: BuiltReader
let recogniser: TestRecogniser
let seeds: readonly Buffer[]

beforeAll(async () => {
  reader = await buildReader()
  recogniser = reader.create({ timeMs: { text: 20_000, pixels: 20_000 }, maxBytes: 1024 * 1024 * 1024 })
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><text x="9" y="50" font-size="30">TOTAL 121,00</text></svg>`
  const picture = sharp(Buffer.from(text)).flatten({ background: 'white' })
  seeds = [
    Buffer.from(await byPdfkit(letter(SALES.plain, true), SALES.plain)),
    await picture.png().toBuffer(),
    await picture.jpeg().toBuffer(),
    await picture.tiff().toBuffer(),
  ]
}, 60_000)

afterAll(() => reader.remove())

/** Changes, removes or repeats some bytes. The first ones stay, because they name the type. */
function changed(file: Buffer, next: () => number): Buffer {
  const at = () => 8 + Math.floor(next() * (file.length - 8))
  const copy = Buffer.from(file)
  for (let times = 1 + Math.floor(next() * 6); times > 0; times--) copy[at()] = Math.floor(next() * 256)
  const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number]
  const kind = next()
  if (kind < 0.2) return copy.subarray(0, from)
  if (kind < 0.4) return Buffer.concat([copy.subarray(0, from), copy.subarray(to)])
  if (kind < 0.5) return Buffer.concat([copy.subarray(0, to), copy.subarray(from)])
  return copy
}

/** Reads a file. On a busy machine, a reading may be out of time by chance, so it is tried three times. */
async function read(file: Buffer, tries = 3): ReturnType<TestRecogniser['read']> {
  const reading = await recogniser.read(file)
  const isLate = 'unreadable' in reading && reading.unreadable === 'out_of_time'
  return isLate && tries > 1 ? read(file, tries - 1) : reading
}

describe(`${COUNT} changed PDFs and pictures`, () => {
  it('are read or refused with a reason', { timeout: 6 * 3_600_000 }, async () => {
    const next = random(SEED)
    const outcomes = new Map<string, number>()
    for (let at = 0; at < COUNT; at++) {
      const file = changed(required(seeds[at % seeds.length]), next)
      const reading = await read(file)
      if ('unavailable' in reading)
        throw new Error(`file ${at}: ${reading.unavailable}\n${file.toString('base64')}`)
      const outcome = 'material' in reading ? 'read' : reading.unreadable
      // Only such a file would take longer or more memory than the limits allow.
      expect(['out_of_time', 'out_of_memory'], `file ${at}: ${file.toString('base64')}`).not.toContain(
        outcome,
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    figure(
      `${COUNT} files: ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}, seed ${SEED}`,
    )
    expect('material' in (await recogniser.read(required(seeds[0])))).toBe(true)
  })
})
