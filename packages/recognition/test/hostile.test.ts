/** Tests that hostile files are refused or read within time and memory limits, while other requests are served. */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { portOf } from '#test/narrow.ts'
import { setMissing } from '#test/needs.ts'
import { itInAll } from '#test/size.ts'
import type { Reading } from '../src/index.ts'
import { letter } from './corpus/layouts.ts'
import { byPdfkit } from './corpus/pdfkit.ts'
import { SALES } from './corpus/sales.ts'
import * as hostile from './hostile.ts'
import { type BuiltReader, buildReader, type TestRecogniser } from './recogniser.ts'

const MEGABYTE = 1024 * 1024
const SIDE = 30_000
/** Upper bound of the process memory: its limit, plus what it can allocate between two checks. */
const BOUND = 1400 * MEGABYTE

let reader: BuiltReader
let recogniser: TestRecogniser
let shortLimits: TestRecogniser
let plain: Uint8Array

beforeAll(async () => {
  reader = await buildReader()
  recogniser = reader.create({ timeMs: { text: 20_000, pixels: 20_000 }, maxBytes: 1024 * MEGABYTE })
  shortLimits = reader.create({ timeMs: { text: 2000, pixels: 2000 }, maxBytes: 1024 * MEGABYTE })
  plain = await byPdfkit(letter(SALES.plain, true), SALES.plain)
}, 60_000)

afterAll(() => reader.remove())

const outcome = (reading: Reading): string =>
  'material' in reading ? 'read' : 'unreadable' in reading ? reading.unreadable : reading.unavailable

/** Reads a file of /proc. Returns an empty text if its thread or process has ended. */
function procFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the resident memory in bytes of the largest reading process. Other tests have other child processes. */
function largestReader(): number {
  const isReader = (pid: string) => procFile(`/proc/${pid}/cmdline`).includes(fileURLToPath(reader.file))
  let most = 0
  for (const task of readdirSync('/proc/self/task'))
    for (const pid of procFile(`/proc/self/task/${task}/children`).split(' ').filter(Boolean))
      if (isReader(pid))
        most = Math.max(most, Number(procFile(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * 4096)
  return most
}

/** Returns the result of reading a file, and the peak memory of the reading process. */
async function readMeasured(file: Uint8Array, by = recogniser): Promise<{ outcome: string; memory: number }> {
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, largestReader())
  }, 20)
  const reading = await by.read(file)
  clearInterval(watch)
  return { outcome: outcome(reading), memory }
}

async function expectOutcome(
  file: Uint8Array,
  expected: string | readonly string[],
  by = recogniser,
): Promise<void> {
  const { outcome, memory } = await readMeasured(file, by)
  expect([expected].flat()).toContain(outcome)
  expect(memory).toBeLessThan(BOUND)
}

describe('files of other types', () => {
  it.each(Object.entries(hostile.OTHER_TYPES))('%s is refused by its first bytes', async (_, file) => {
    expect(outcome(await recogniser.read(file))).toBe('unknown_type')
  })

  it('an empty file and one of more than 10 MB are refused', async () => {
    expect(outcome(await recogniser.read(new Uint8Array()))).toBe('empty')
    const large = Buffer.alloc(10 * MEGABYTE + 1)
    large.write('%PDF-1.7')
    expect(outcome(await recogniser.read(large))).toBe('too_large')
  })

  it('a PDF that also has the structure of a ZIP archive is read as a PDF', async () => {
    await expectOutcome(
      Buffer.concat([plain, Buffer.from('PK\x03\x04 and so on PK\x05\x06', 'latin1')]),
      'read',
    )
  })
})

describe('files that exceed a limit', () => {
  it('pictures of 900 million pixels are refused before decoding', async () => {
    await expectOutcome(hostile.hugePng(SIDE), 'too_many_pixels')
    await expectOutcome(await hostile.hugeJpeg(SIDE), 'too_many_pixels')
    await expectOutcome(hostile.hugeTiff(SIDE), 'too_many_pixels')
    await expectOutcome(hostile.pdfWithHugePicture(SIDE), 'too_many_pixels')
  })

  itInAll('a picture that hides its size inside a PDF stays within the memory limit', async () => {
    await expectOutcome(hostile.pdfWithHugePicture(20_000, true), [
      'read',
      'broken',
      'out_of_memory',
      'out_of_time',
    ])
  })

  it('a huge page is read without exceeding the memory limit', async () => {
    const { outcome, memory } = await readMeasured(hostile.pdfWithHugePage())
    expect(outcome).toBe('read')
    expect(memory).toBeLessThan(BOUND)
    // The process was measured: Node alone takes more.
    expect(memory).toBeGreaterThan(30 * MEGABYTE)
  })

  it('a document of eight pages is read, and one of nine pages is refused', async () => {
    await expectOutcome(await hostile.pdfOfPages(8), 'read')
    await expectOutcome(await hostile.pdfOfPages(9), 'too_many_pages')
    await expectOutcome(await hostile.tiffOfPages(9), 'too_many_pages')
  })

  itInAll('a stream that unpacks to a quarter of a gigabyte does no harm', async () => {
    await expectOutcome(hostile.pdfWithBomb(), ['read', 'broken', 'out_of_memory', 'out_of_time'])
  })
})

describe('cyclic files', () => {
  it('pages that contain themselves, and an object table that refers to itself, end without harm', async () => {
    await expectOutcome(hostile.pdfWithoutEnd(), ['broken', 'read'])
    await expectOutcome(hostile.pdfWithCircle(), 'broken')
  })

  itInAll('a drawing that draws itself is stopped', async () => {
    await expectOutcome(hostile.pdfThatDrawsItself(), 'out_of_time', shortLimits)
  })

  itInAll('drawings that multiply stay within the memory limit, and the next file is read', async () => {
    await expectOutcome(hostile.pdfOfManyLaughs(), ['out_of_memory', 'out_of_time'])
    expect(outcome(await recogniser.read(plain))).toBe('read')
  })
})

describe('locked, scripted and truncated files', () => {
  it('a PDF that requires a password is refused as encrypted; one that only forbids changes is read', async () => {
    const { plain: sale } = SALES
    const locked = await byPdfkit(letter(sale, false), sale, { userPassword: 'secret' })
    expect(outcome(await recogniser.read(locked))).toBe('encrypted')
    const open = await byPdfkit(letter(sale, false), sale, { ownerPassword: 'secret' })
    expect(outcome(await recogniser.read(open))).toBe('read')
  })

  const noWriter = setMissing('peers')
  it.skipIf(noWriter)(`scripts in a PDF are not run${noWriter ? ` (${noWriter})` : ''}`, async () => {
    const file = await hostile.pdfWithScripts()
    expect(Buffer.from(file).includes('/JavaScript')).toBe(true)
    await expectOutcome(file, 'read')
  })

  it.each([0.02, 0.3, 0.7, 0.98])('a PDF cut at %f of its size is broken or partly read', async (part) => {
    await expectOutcome(plain.subarray(0, plain.length * part), ['broken', 'read'])
  })

  it('truncated images are reported as broken', async () => {
    const [png, jpeg] = await Promise.all([hostile.picture('png'), hostile.picture('jpeg')])
    for (const whole of [png, jpeg]) await expectOutcome(whole.subarray(0, whole.length >> 1), 'broken')
    await expectOutcome(png.subarray(0, 20), 'broken')
  })
})

describe('other requests', () => {
  itInAll('are served while a file uses all of its time', async () => {
    const server = createServer((_, response) => response.end('here')).listen(0)
    const port = portOf(server)
    let isDone = false
    const reading = shortLimits.read(hostile.pdfThatDrawsItself()).then((found) => {
      isDone = true
      return outcome(found)
    })
    let answered = 0
    while (answered < 50) {
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
      answered++
    }
    expect(isDone).toBe(false)
    expect(await reading).toBe('out_of_time')
    server.close()
  })
})
