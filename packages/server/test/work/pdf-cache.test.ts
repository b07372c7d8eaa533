/** PDFs of issued invoices are rendered once. The renderer here returns other bytes each time. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { folderWithPackages, temporaryFolder } from '#test/folders.ts'
import { createPdfCache } from '../../src/work/pdf-cache.ts'
import { createWork, type Work } from '../../src/work/work.ts'
import type { Rendering } from '../../src/work/worker.ts'
import { journaledDisk, smallDisk } from '../app/small-disk.ts'

const RENDERER = `import { randomUUID } from 'node:crypto'
const BYTES = 'x'.repeat(1000)
export async function renderInvoice({ text, language = 'es', logo }) {
  if (text === 'refused') return { refused: { code: 'export_not_possible', extra: {} } }
  if (text === 'waits') await new Promise((done) => {
    const channel = new BroadcastChannel('renderer')
    channel.onmessage = () => done(channel.close())
    channel.postMessage('started')
  })
  return { value: { pdf: Buffer.from(randomUUID() + BYTES), language, logoProblem: logo?.length === 0 ? 'empty' : null } }
}
`
const programs = folderWithPackages()
const rendererOf = (name: string, text = RENDERER) => {
  writeFileSync(join(programs, name), text)
  return pathToFileURL(join(programs, name))
}
const renderer = rendererOf('worker.mjs')

const works: Work[] = []
afterAll(() => Promise.all(works.map((work) => work.close())))
const started = (pdfFolder: string, file = renderer): Work => {
  const work = createWork(file, { pdfFolder, threads: 1 })
  works.push(work)
  return work
}

const RENDERING: Rendering = {
  text: '{}',
  page: { direction: 'issued', status: 'issued' },
  template: 'classic-blue',
  logo: Buffer.from([1]),
  timestamp: '2026-01-01T00:00:00Z',
}
const CLIENT = { company: 'A' }
const pdfOf = async (work: Work, change: Partial<Rendering> = {}): Promise<string> =>
  Buffer.from((await work.renderInvoice({ ...RENDERING, ...change }, CLIENT)).pdf).toString()

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the PDF of an issued invoice', () => {
  it('is rendered once, for this process, others and later ones, and only its user can read it', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const work = started(folder)
    const first = await work.renderInvoice({ ...RENDERING, language: 'en' }, CLIENT)
    for (const one of [work, started(folder)]) {
      const again = await one.renderInvoice({ ...RENDERING, language: 'en' }, CLIENT)
      expect(again).toEqual({ pdf: Buffer.from(first.pdf), language: 'en', logoProblem: null })
    }
    const [file = ''] = filesIn(folder)
    expect([file, folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
  })

  it('is rendered again if anything that enters it changes, or the program', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const changes: Partial<Rendering>[] = [
      {},
      { text: '{"a":1}' },
      { address: { line: 'Calle Mayor, 1' } as Rendering['address'] },
      { language: 'en' },
      { page: { direction: 'issued', status: 'cancelled' } },
      { page: { direction: 'issued', status: 'issued', foot: ['Inscrita'] } },
      { page: { direction: 'issued', status: 'issued', paymentLink: 'https://pay.example' } },
      { page: { direction: 'issued', status: 'issued', qr: { content: 'x', above: '', below: '' } } },
      { template: 'classic-red' },
      { logo: null },
      { logo: Buffer.from([2]) },
      { timestamp: '2026-01-02T00:00:00Z' },
      { facturx: { locale: 'es' } },
      { facturx: { locale: 'en' } },
    ]
    const pdfs: string[] = []
    for (const work of [started(folder), started(folder, rendererOf('later.mjs', `${RENDERER}// later`))])
      for (const change of changes) {
        const pdf = await pdfOf(work, change)
        expect(pdfs).not.toContain(pdf)
        expect(await pdfOf(work, change)).toBe(pdf)
        pdfs.push(pdf)
      }
  })

  it('is not kept if it is a draft or received, lacks its logo, or is refused', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const work = started(folder)
    for (const change of [
      { page: { direction: 'issued', status: 'draft' } },
      { page: { direction: 'received', status: 'received' } },
      { logo: Buffer.alloc(0) },
    ] as const)
      expect(await pdfOf(work, change)).not.toBe(await pdfOf(work, change))
    await expect(pdfOf(work, { text: 'refused' })).rejects.toMatchObject({ code: 'export_not_possible' })
    expect(() => filesIn(folder)).toThrow('ENOENT')
  })

  it('needs no thread once it is kept, and is rendered once for requests that wait for it', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const work = started(folder)
    const kept = await pdfOf(work)
    const channel = new BroadcastChannel('renderer')
    const isStarted = new Promise((done) => {
      channel.onmessage = done
    })
    const same = [pdfOf(work, { text: 'waits' }), pdfOf(work, { text: 'waits' })]
    await isStarted
    expect(await pdfOf(work)).toBe(kept)
    channel.postMessage('go')
    const [one, other] = await Promise.all(same)
    expect(other).toBe(one)
    channel.close()
  })

  it('is rendered again if its file is damaged, empty or that of another invoice', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const work = started(folder)
    const pdfs = [await pdfOf(work)]
    const [file = ''] = filesIn(folder)
    pdfs.push(await pdfOf(work, { template: 'classic-red' }))
    const other = required(filesIn(folder).find((path) => path !== file))
    const damages: readonly ((bytes: Buffer) => void)[] = [
      ({ length }) => truncateSync(file, length - 1),
      () => truncateSync(file, 40),
      () => truncateSync(file, 0),
      (bytes) => writeFileSync(file, bytes.fill('y', bytes.length - 1)),
      (bytes) => writeFileSync(file, bytes.fill('p', 32, 33)),
      () => writeFileSync(file, readFileSync(other)),
      () => rmSync(file),
    ]
    for (const damage of damages) {
      damage(readFileSync(file))
      const again = await pdfOf(work)
      expect(pdfs).not.toContain(again)
      expect(await pdfOf(work)).toBe(again)
      pdfs.push(again)
    }
    rmSync(file)
    mkdirSync(file)
    expect(await pdfOf(work)).toHaveLength(1036)
    expect(filesIn(folder)).toEqual([other])
  })

  it('is removed if it was used longest ago and all take too many bytes, with several processes too', async () => {
    const folder = join(temporaryFolder(), 'rendered')
    const ofAFolder = 3500
    const caches = [1, 2].map(() => createPdfCache(folder, renderer, 16 * ofAFolder))
    let rendered = 0
    const pdf = async (text: string, cache = caches[0]) => {
      await cache?.({ ...RENDERING, text })?.findOr(async () => {
        rendered++
        return { value: { pdf: Buffer.alloc(1000), language: 'es', logoProblem: null } }
      })
    }
    const sizes = () =>
      readdirSync(folder).map((name) =>
        filesIn(join(folder, name)).reduce((sum, path) => sum + statSync(path).size, 0),
      )
    await pdf('used')
    for (let n = 0; n < 100; n += 2) {
      await Promise.all(caches.map((cache, index) => pdf(`${n + index}`, cache)))
      await pdf('used')
      expect(Math.max(...sizes())).toBeLessThanOrEqual(ofAFolder)
    }
    expect(rendered).toBe(101)
    expect(filesIn(folder).length).toBeGreaterThan(30)
    // Parts of files of a process that was killed are removed too.
    const parts = readdirSync(folder).map((name) => join(folder, name, 'killed.part'))
    for (const part of parts) {
      writeFileSync(part, 'x'.repeat(900))
      utimesSync(part, 0, 0)
    }
    for (let n = 100; parts.some((part) => existsSync(part)); n++) await pdf(`${n}`)
    // One that is larger than the limit removes no other.
    const before = filesIn(folder)
    const large = caches[0]?.({ ...RENDERING, text: 'large' })
    await large?.findOr(async () => ({
      value: { pdf: Buffer.alloc(ofAFolder), language: 'es', logoProblem: null },
    }))
    expect(filesIn(folder)).toEqual(before)
  })

  it('is rendered if the data folder is a file or was removed, which is not created again', async () => {
    const parent = join(temporaryFolder(), 'data')
    const work = started(join(parent, 'rendered'))
    expect(await pdfOf(work)).not.toBe(await pdfOf(work))
    expect(() => statSync(parent)).toThrow('ENOENT')
    writeFileSync(parent, '')
    expect(await pdfOf(work)).not.toBe(await pdfOf(work))
  })

  const disk = smallDisk(1)
  afterAll(() => disk?.remove())
  it.skipIf(!disk)('is rendered while the disk is full, and leaves no part of a file', async () => {
    const folder = join(required(disk?.folder), 'rendered')
    const work = started(folder)
    const kept = await pdfOf(work)
    disk?.fill()
    for (let n = 0; n < 10; n++) expect(await pdfOf(work, { text: `${n}` })).toHaveLength(1036)
    expect(await pdfOf(work)).toBe(kept)
    expect(filesIn(folder)).toHaveLength(1)
    disk?.free()
    expect(await pdfOf(work, { text: '0' })).toBe(await pdfOf(work, { text: '0' }))
  })

  const journaled = journaledDisk()
  it.skipIf(!journaled)(
    'is rendered while the disk is read-only, and what was kept is returned',
    async () => {
      const work = started(join(required(journaled?.folder), 'rendered'))
      const kept = await pdfOf(work)
      journaled?.mountAgain('ro')
      expect(await pdfOf(work)).toBe(kept)
      expect(await pdfOf(work, { text: '0' })).not.toBe(await pdfOf(work, { text: '0' }))
    },
  )
})
