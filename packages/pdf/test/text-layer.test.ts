/**
 * Tests the text of a PDF for copying, searching and screen readers: it equals the printed letters, whatever the process
 * has rendered before.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { required } from '#core/errors/index.ts'
import { folderWithPackages } from '#test/folders.ts'
import { itInAll, LONG } from '#test/size.ts'
import type { InvoiceView } from '#view/view-model.ts'
import { faceFor } from '../src/faces.ts'
import { FAMILIES } from '../src/font-files.ts'
import { renderPdf } from '../src/index.ts'
import * as samples from './samples.ts'
import { ordinary } from './samples.ts'
import { POPPLER, run, textOf, withFile } from './tools.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = folderWithPackages()
const program = join(folder, 'print.mjs')
const timestamp = '2026-03-05T12:00:00Z'
const DESIGNS = ['classic-blue', 'modern-green', 'compact-wine'] as const

beforeAll(async () => {
  const entry = join(folder, 'print.ts')
  writeFileSync(
    entry,
    `import { readFileSync } from 'node:fs'
    import { renderPdf } from ${JSON.stringify(join(root, 'packages/pdf/src/index.ts'))}
    const { view, options } = JSON.parse(readFileSync(0, 'utf8'))
    process.stdout.write(Buffer.from(await renderPdf(view, options)))`,
  )
  await build({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile: program,
    logLevel: 'silent',
  })
}, 60_000)

const print = (view: InvoiceView, template: string): Promise<Uint8Array> =>
  renderPdf(view, { template, timestamp })

/** Renders the PDF in a process that has not rendered anything before. */
const printFresh = (view: InvoiceView, template: string): Uint8Array =>
  execFileSync(process.execPath, [program], {
    input: JSON.stringify({ view, options: { template, timestamp } }),
    maxBuffer: 64 * 1024 * 1024,
  })

const named = (name: string, ...texts: string[]): InvoiceView => {
  const view = ordinary({ lines: 1 })
  return {
    ...view,
    supplier: { ...view.supplier, name },
    notes: { label: required(view.notes).label, texts },
  }
}

const LETTER = /^\p{L}$/u
/** The accented letters that every font family has, each with its base letter. */
const ACCENTED: readonly (readonly [accented: string, plain: string])[] = Array.from(
  { length: 0x2_0000 },
  (_, codePoint) => codePoint,
).flatMap((codePoint) => {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return []
  const letter = String.fromCodePoint(codePoint)
  const [plain = '', mark] = letter.normalize('NFD')
  if (mark === undefined || !LETTER.test(letter) || letter.normalize('NFC') !== letter) return []
  return FAMILIES.every((family) => faceFor(codePoint, family, 'regular')) ? [[letter, plain] as const] : []
})

/** Returns words of ten letters, separated by the letter a to include kerning and ligatures. */
const wordsOf = (letters: readonly string[]): string =>
  Array.from({ length: Math.ceil(letters.length / 10) }, (_, index) =>
    letters.slice(index * 10, index * 10 + 10).join('a'),
  ).join(' ')

const withoutBlanks = (text: string): string => text.replace(/\s/g, '')

describe.skipIf(!POPPLER)('read by poppler', () => {
  test('an invoice rendered after one with accents keeps its text, and equals the file of a fresh process', async () => {
    const accented = ACCENTED.map(([letter]) => letter)
    const plain = [...new Set(ACCENTED.map(([, letter]) => letter))]
    expect(accented).toEqual(expect.arrayContaining([...'ÑÁÉÍÓÚÜñáéóúüÇçÀà']))
    expect(accented.length).toBeGreaterThan(500)
    const before = named('Ñandú y Águila, S.L.', wordsOf(accented))
    const after = named('Nube Norte, S.L.', wordsOf(plain), 'NANDU AGUILA fi ffl Nn Uu Aa')
    for (const template of DESIGNS) {
      const first = textOf(await print(before, template))
      for (const word of wordsOf(accented).split(' ')) expect(first).toContain(word)
      const pdf = await print(after, template)
      const text = textOf(pdf)
      expect(text).toContain('Nube Norte, S.L.')
      for (const word of wordsOf(plain).split(' ')) expect(text).toContain(word)
      expect(text).toContain('NANDU AGUILA fi ffl Nn Uu Aa')
      expect(Buffer.compare(pdf, printFresh(after, template))).toBe(0)
    }
  })

  test('characters that share a glyph keep their own text in one file', async () => {
    // Source Serif has one glyph for each pair: okina and quotation mark, apostrophe and modifier letter, both slashes.
    const text = 'Hawai\u02BBi \u2018dos\u2019 d\u02BCaigua 1\u20442 1\u22152 ﬁ fi'
    for (const template of DESIGNS)
      for (const each of [text, [...text].reverse().join('')]) {
        const raw = withFile(await print(named('Nube', each), template), (file) =>
          run('pdftotext', '-raw', file, '-'),
        )
        expect(withoutBlanks(raw)).toContain(withoutBlanks(each))
      }
  })
})

itInAll(
  'PDFs in random order are identical to those of fresh processes',
  async () => {
    let seed = 20260305
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    const views = [
      samples.ordinary,
      samples.simplified,
      samples.corrective,
      samples.cancelled,
      samples.foreign,
    ]
    for (let count = 0; count < (LONG ? 300 : 60); count++) {
      const view = required(views[random(views.length)])()
      // A file has either accented or plain letters. With both, a missing letter would not be detected.
      const side = random(2)
      const name = Array.from({ length: 12 }, () => required(ACCENTED[random(ACCENTED.length)])[side]).join(
        '',
      )
      const own = { ...view, supplier: { ...view.supplier, name } }
      const template = required(DESIGNS[random(DESIGNS.length)])
      const pdf = await print(own, template)
      expect([count, template, Buffer.compare(pdf, printFresh(own, template))]).toEqual([count, template, 0])
    }
  },
  3_600_000,
)
