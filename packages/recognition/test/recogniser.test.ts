/** The reader processes: their number, how they end, and what they can access. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, temporaryFolder } from '#test/folders.ts'
import { itInAll } from '#test/size.ts'
import { until } from '#test/until.ts'
import { createRecogniser, type Reading } from '../src/index.ts'
import { letter } from './corpus/layouts.ts'
import { byPdfkit } from './corpus/pdfkit.ts'
import { SALES } from './corpus/sales.ts'
import { QUALITIES, scanned } from './corpus/scan.ts'
import {
  hugeJpeg,
  hugePng,
  hugeTiff,
  pdfOfManyLaughs,
  pdfOfPages,
  pdfThatDrawsItself,
  picture,
  tiffOfPages,
} from './hostile.ts'
import { type BuiltReader, buildReader } from './recogniser.ts'

let reader: BuiltReader
let small: Uint8Array
let endless: Uint8Array

beforeAll(async () => {
  reader = await buildReader()
  small = await pdfOfPages(1)
  endless = pdfThatDrawsItself()
}, 60_000)

afterAll(() => reader.remove())

const outcome = (reading: Reading): string =>
  'material' in reading ? 'read' : 'unreadable' in reading ? reading.unreadable : reading.unavailable

/** Returns the ids of the processes that run the given file. */
function processesOf(file: URL): string[] {
  const path = fileURLToPath(file)
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(path)
    } catch {
      return false
    }
  })
}

const untilProcesses = (count: number) =>
  until(() => processesOf(reader.file).length === count, `there are ${count} reader processes`)

/** Returns the seconds that a process has computed. */
function secondsOf(pid: string): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/.*\)/, '')
    .split(' ')
    .slice(12, 14)
    .map(Number)
  return (user + system) / 100
}

/** Returns Node options that run code in the process before its own code. */
const first = (code: string): string[] => [`--import=data:text/javascript,${encodeURIComponent(code)}`]

describe('a recogniser', () => {
  afterEach(async () => {
    await untilProcesses(0)
  })

  it('starts a process for the first file, keeps it, and ends it when closed', async () => {
    const recogniser = reader.create()
    expect(outcome(await recogniser.read(Buffer.from('no such file')))).toBe('unknown_type')
    expect(processesOf(reader.file)).toHaveLength(0)
    expect(outcome(await recogniser.read(small))).toBe('read')
    const kept = processesOf(reader.file)
    expect(kept).toHaveLength(1)
    expect(outcome(await recogniser.read(small))).toBe('read')
    expect(processesOf(reader.file)).toEqual(kept)
    recogniser.close()
    await untilProcesses(0)
    expect(outcome(await recogniser.read(small))).toBe('closing')
  })

  itInAll('ends an idle process, and starts another when needed', async () => {
    const recogniser = reader.create({ idleMs: 50 })
    expect(outcome(await recogniser.read(small))).toBe('read')
    await untilProcesses(0)
    expect(outcome(await recogniser.read(small))).toBe('read')
    recogniser.close()
  })

  it('reads one file at a time, and refuses a file if the queue is full', async () => {
    const recogniser = reader.create({ processes: 1, waiting: 2 })
    const readings = Array.from({ length: 5 }, () => recogniser.read(small).then(outcome))
    expect(await Promise.all(readings)).toEqual(['read', 'read', 'read', 'busy', 'busy'])
    expect(outcome(await recogniser.read(small))).toBe('read')
    expect(processesOf(reader.file)).toHaveLength(1)
    recogniser.close()
  })

  itInAll('reads as many files in parallel as it may have processes', async () => {
    const recogniser = reader.create({ processes: 2 })
    const readings = Array.from({ length: 4 }, (_, at) =>
      recogniser.read(small, `company ${at}`).then(outcome),
    )
    expect(await Promise.all(readings)).toEqual(['read', 'read', 'read', 'read'])
    expect(processesOf(reader.file)).toHaveLength(2)
    recogniser.close()
  })

  it('reads a file of one company while two files of another company occupy its share of the readers', async () => {
    const recogniser = reader.create({ processes: 2 })
    const order: string[] = []
    const of = (owner: string, bytes: Uint8Array) =>
      recogniser.read(bytes, owner).then((reading) => order.push(`${owner}: ${outcome(reading)}`))
    const hogs = [endless, endless].map((file) => of('hog', file))
    await of('other', small)
    expect(order).toEqual(['other: read'])
    recogniser.close()
    await Promise.all(hogs)
    expect(order).toEqual(['other: read', 'hog: closing', 'hog: closing'])
  })

  it('stops reading when closed, and resolves the queued reads', async () => {
    const recogniser = reader.create()
    const readings = [endless, small].map((file) => recogniser.read(file).then(outcome))
    await untilProcesses(1)
    recogniser.close()
    expect(await Promise.all(readings)).toEqual(['closing', 'closing'])
  })

  itInAll('stops a file that takes too much time or memory, and reads the next one', async () => {
    const shortLimits = reader.create({ timeMs: { text: 3000, pixels: 3000 }, maxBytes: 4 * 2 ** 30 })
    expect(outcome(await shortLimits.read(endless))).toBe('out_of_time')
    expect(outcome(await shortLimits.read(small))).toBe('read')
    shortLimits.close()
    const lowMemory = reader.create({ maxBytes: 300 * 2 ** 20 })
    expect(outcome(await lowMemory.read(pdfOfManyLaughs()))).toBe('out_of_memory')
    expect(outcome(await lowMemory.read(small))).toBe('read')
    lowMemory.close()
  })

  it('reports a file as broken if it crashes the process, and reads the next one', async () => {
    const ends = `process.on('message', ({ bytes }) => { if (bytes.length > 5000) process.kill(process.pid, 'SIGSEGV') })`
    const recogniser = reader.create({ nodeOptions: first(ends) })
    const large = await byPdfkit(letter(SALES.plain, true), SALES.plain)
    expect(outcome(await recogniser.read(large))).toBe('broken')
    expect(small.length).toBeLessThan(5000)
    expect(outcome(await recogniser.read(small))).toBe('read')
    recogniser.close()
  })

  it('is not available if a library is not installed, and names the library', async () => {
    const recogniser = reader.create({ needed: ['unpdf', 'no-such-library'] })
    expect(recogniser).toMatchObject({ available: false, missing: ['no-such-library'] })
    expect(outcome(await recogniser.read(small))).toBe('not_installed')
    expect(reader.create()).toMatchObject({ available: true, missing: [] })
  })

  it('reports a library that is installed but fails to load as not installed', async () => {
    const recogniser = reader.create({ nodeOptions: first(`throw new Error('no binary for this system')`) })
    expect(outcome(await recogniser.read(small))).toBe('not_installed')
    recogniser.close()
  })

  it('does not pass environment variables to its process', async () => {
    process.env.CUADRA_TEST_SECRET = 'secret'
    const seen = (condition: string) =>
      reader.create({ nodeOptions: first(`if (${condition}) process.exit(1)`) })
    const control = seen('!process.env.CUADRA_TEST_SECRET')
    expect(outcome(await control.read(small))).toBe('not_installed')
    control.close()
    const recogniser = seen('Object.keys(process.env).length > 0')
    expect(outcome(await recogniser.read(small))).toBe('read')
    recogniser.close()
    delete process.env.CUADRA_TEST_SECRET
  })

  itInAll('runs OCR without network access, also in its threads', async () => {
    // A connection or a name resolution kills the process.
    const offline = `
      import net from 'node:net'
      import dns from 'node:dns'
      const end = () => process.kill(process.pid, 'SIGKILL')
      net.Socket.prototype.connect = end
      dns.lookup = dns.promises.lookup = end
      globalThis.fetch = end
    `
    const control = reader.create({ nodeOptions: first(`${offline}; fetch('http://127.0.0.1')`) })
    expect(outcome(await control.read(small))).toBe('not_installed')
    control.close()
    const threads = `import { Worker, isMainThread } from 'node:worker_threads'
      if (isMainThread) new Worker("fetch('http://127.0.0.1')", { eval: true })`
    const below = reader.create({ nodeOptions: first(`${offline}; ${threads}`) })
    expect(outcome(await below.read(endless))).not.toBe('read')
    below.close()
    const recogniser = reader.create({ nodeOptions: first(offline) })
    const sheet = await byPdfkit(letter(SALES.plain, true), SALES.plain)
    const reading = await recogniser.read(await scanned(sheet, QUALITIES.clean))
    const pages = 'material' in reading ? reading.material.pages : []
    expect(pages.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n')).toContain(
      'Total factura 622,42 €',
    )
    recogniser.close()
  })

  itInAll('leaves no process behind when the server is killed while reading an endless file', async () => {
    const folder = new URL('./', reader.file)
    const server = fileURLToPath(new URL('server.mjs', folder))
    await build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      outfile: fileURLToPath(new URL('recogniser.mjs', folder)),
      logLevel: 'silent',
    })
    writeFileSync(
      server,
      `import { createRecogniser } from './recogniser.mjs'
      createRecogniser({ file: new URL(${JSON.stringify(reader.file.href)}) }).read(Buffer.from('${Buffer.from(endless).toString('base64')}', 'base64'), { company: 'A' })`,
    )
    const process: ChildProcess = spawn(globalThis.process.execPath, [server], { stdio: 'ignore' })
    await untilProcesses(1)
    const [pid = ''] = processesOf(reader.file)
    await until(() => secondsOf(pid) > 1, 'the process is busy reading')
    process.kill('SIGKILL')
    await untilProcesses(0)
  })
})

/** A reader that reads every PDF at once, and never ends to read the pixels of a picture, which it notes in a file. */
const SLOW_READER = `
  import { writeFileSync } from 'node:fs'
  process.on('message', ({ bytes, need }) => {
    if (Buffer.from(bytes).subarray(0, 4).toString() === '%PDF') process.send({ material: {} })
    else if (need === 'text') process.send({ needs: 'pixels' })
    else writeFileSync(new URL('pixels', import.meta.url), '')
  })
  process.on('disconnect', () => process.exit())
  process.send({ ready: true })
`

describe('a recogniser whose pictures take long', () => {
  const create = (options: object, script = SLOW_READER) => {
    const folder = temporaryFolder()
    const file = pathToFileURL(filesOf(folder)('reader.mjs', script))
    const recogniser = createRecogniser({ file, needed: [], processes: 2, ...options })
    const untilSlow = () => until(() => existsSync(join(folder, 'pixels')), 'pixels are being read')
    return { ...recogniser, untilSlow }
  }

  it('reads the texts of the same and of other companies before them', async () => {
    const recogniser = create({})
    const scan = await picture('png')
    const order: string[] = []
    const read = (company: string, bytes: Uint8Array) =>
      recogniser.read(bytes, { company }).then((reading) => order.push(`${company}: ${outcome(reading)}`))
    const scans = ['A', 'A', 'A', 'B'].map((company) => read(company, scan))
    const texts = ['A', 'B', 'A', 'C'].map((company) => read(company, small))
    await Promise.all(texts)
    expect([...order].sort()).toEqual(['A: read', 'A: read', 'B: read', 'C: read'])
    recogniser.close()
    await Promise.all(scans)
    expect(order.slice(4)).toEqual(Array.from(scans, () => expect.stringContaining(': closing')))
  })

  it('reads the text of their company in its turn', async () => {
    const recogniser = create({})
    const scan = recogniser.read(await picture('png'), { company: 'A' })
    await recogniser.untilSlow()
    const order: string[] = []
    const read = (name: string) =>
      recogniser.read(small, { company: name.charAt(0) }).then(() => order.push(name))
    await Promise.all(['B 1', 'B 2', 'A 1'].map(read))
    expect(order).toEqual(['B 1', 'A 1', 'B 2'])
    recogniser.close()
    expect(outcome(await scan)).toBe('closing')
  })

  it('refuses by its header a picture that is too large, while all readers and places are taken', async () => {
    const recogniser = create({ processes: 1, waiting: 1 })
    const read = (bytes: Uint8Array) => recogniser.read(bytes, { company: 'A' }).then(outcome)
    const scan = await picture('jpeg')
    const scans = [read(scan), read(scan)]
    const files = [hugePng(30_000), hugeTiff(30_000), await hugeJpeg(30_000), await tiffOfPages(9), small]
    const refused = ['too_many_pixels', 'too_many_pixels', 'too_many_pixels', 'too_many_pages', 'busy']
    expect(await Promise.all(files.map(read))).toEqual(refused)
    recogniser.close()
    expect(await Promise.all(scans)).toEqual(['closing', 'closing'])
  })

  it.each([
    ['is slow', SLOW_READER],
    ['does not start', 'setInterval(() => undefined, 1000)'],
  ])('answers that it is busy when the time of an answer is over, if its reader %s', async (_, script) => {
    const recogniser = create({ timeMs: { text: 60_000, pixels: 60_000, answer: 1000 } }, script)
    const scan = await picture('png')
    const readings = Array.from({ length: 4 }, () => recogniser.read(scan, { company: 'A' }).then(outcome))
    expect(await Promise.all(readings)).toEqual(['busy', 'busy', 'busy', 'busy'])
    recogniser.close()
  })
})
