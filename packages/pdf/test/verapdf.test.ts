/** Validates PDFs with veraPDF, an independent Java validator of PDF/UA and PDF/A. */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/folders.ts'
import { type InvoiceView, VIEW_LANGUAGES } from '#view/view-model.ts'
import { renderPdf } from '../src/index.ts'
import * as samples from './samples.ts'
import { run } from './tools.ts'

/** Java class path of the libraries in `verapdf/pom.xml`. */
const VERAPDF = process.env.CUADRA_VERAPDF ?? ''
const missing = VERAPDF === '' ? ' (skipped: CUADRA_VERAPDF is not set, see docs/dependencies.md)' : ''

const DESIGNS = ['classic-blue', 'modern-green', 'compact-wine'] as const
const timestamp = '2026-03-05T12:00:00Z'
const folder = temporaryFolder()

const fileOf = (name: string, pdf: Uint8Array): string => {
  const file = join(folder, `${name}.pdf`)
  writeFileSync(file, pdf)
  return file
}

/** Returns the report of veraPDF: a line for each file, followed by the violated rules. */
const reported = (profile: 'ua1' | '3a', files: readonly string[]): string[] =>
  run(
    'java',
    '-cp',
    VERAPDF,
    fileURLToPath(new URL('verapdf/Check.java', import.meta.url)),
    profile,
    ...files,
  )
    .replaceAll(`${folder}/`, '')
    .trim()
    .split('\n')

const VIEWS: Readonly<Record<string, () => InvoiceView>> = {
  ordinary: samples.ordinary,
  full: samples.full,
  bilingual: samples.bilingual,
  english: samples.english,
  foreign: samples.foreign,
  simplified: samples.simplified,
  corrective: samples.corrective,
  cancelled: samples.cancelled,
  received: samples.received,
  pages: () => samples.ordinary({ lines: 60 }),
}

describe.skipIf(VERAPDF === '')(`veraPDF${missing}`, () => {
  it('accepts every PDF as PDF/UA-1, in every design', async () => {
    const files: string[] = []
    for (const template of DESIGNS)
      for (const [name, view] of Object.entries(VIEWS))
        files.push(fileOf(`${name}-${template}`, await renderPdf(view(), { template, timestamp })))
    expect(reported('ua1', files)).toEqual(files.map((file) => `PASS ${basename(file)}`))
  }, 240_000)

  it('accepts PDFs with an embedded invoice as PDF/A-3a and PDF/UA-1: every design and language, 1 to 7 pages', async () => {
    const files: string[] = []
    for (const template of DESIGNS)
      for (const language of VIEW_LANGUAGES)
        for (const lines of [1, 24, 150]) {
          const view = samples.full({ language, lines })
          const pdf = await renderPdf(view, { template, timestamp, facturx: { xml: '<a/>' } })
          files.push(fileOf(`${language}-${lines}-${template}`, pdf))
        }
    for (const profile of ['3a', 'ua1'] as const)
      expect(reported(profile, files)).toEqual(files.map((file) => `PASS ${basename(file)}`))
  }, 480_000)

  it('rejects a PDF marked as another part of PDF/UA, and an ordinary PDF as PDF/A', async () => {
    const pdf = await renderPdf(samples.ordinary(), { template: 'classic-blue', timestamp })
    const other = Buffer.from(pdf).toString('latin1').replace('pdfuaid:part>1<', 'pdfuaid:part>7<')
    expect(reported('ua1', [fileOf('other', Buffer.from(other, 'latin1'))])).toEqual([
      'FAIL other.pdf',
      '  5-2',
    ])
    expect(reported('3a', [fileOf('ordinary', pdf)])[0]).toBe('FAIL ordinary.pdf')
  }, 240_000)
})
