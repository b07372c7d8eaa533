/** PDFs in the command line: the invoice that they embed is read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { writeInvoice } from '../../src/formats/index.ts'
import { renderPdf } from '../../src/pdf/index.ts'
import { temporaryFolder } from '../folders.ts'
import { issued } from '../formats/invoice.ts'
import { ordinary } from '../pdf/samples.ts'
import { cuadra } from './run.ts'

const folder = temporaryFolder()
const timestamp = '2026-03-05T12:00:00Z'
const [FACTURX, PLAIN, BROKEN] = ['facturx.pdf', 'plain.pdf', 'broken.pdf'].map((name) =>
  join(folder, name),
) as [string, string, string]

const ONE = join(folder, 'one')

beforeAll(async () => {
  const xml = required(writeInvoice(issued(), 'cii_d16b', { profile: 'facturx' }).xml)
  const template = 'classic-blue'
  writeFileSync(FACTURX, await renderPdf(ordinary(), { template, timestamp, facturx: { xml } }))
  writeFileSync(PLAIN, await renderPdf(ordinary(), { template, timestamp }))
  mkdirSync(ONE)
  writeFileSync(join(ONE, 'facturx.pdf'), readFileSync(FACTURX))
  writeFileSync(BROKEN, '%PDF-1.7\nnonsense')
})

describe('a PDF with an embedded invoice', () => {
  it('is converted, from a file, from a folder and from the standard input', async () => {
    const results = [
      await cuadra(['convert', '--to', 'json_1_1', FACTURX]),
      await cuadra(['convert', '--to', 'json_1_1', '-'], { input: readFileSync(FACTURX) }),
    ]
    for (const { out } of results) {
      const { invoice } = JSON.parse(out)
      expect([invoice.header.invoice_number, invoice.totals.invoice_total]).toEqual(['F26-0007', 181.5])
    }
    const out = join(folder, 'out')
    expect((await cuadra(['convert', '--to', 'ubl_2_1', '--out', out, ONE])).code).toBe(0)
    expect(readFileSync(join(out, 'facturx.xml'), 'utf8')).toContain('>F26-0007<')
  })

  it('is validated', async () => {
    const { code, out } = await cuadra(['validate', FACTURX])
    expect([code, out]).toEqual([0, expect.stringContaining('facturx.pdf')])
  })

  it.each([
    ['a PDF without an invoice', PLAIN, 'the PDF contains no invoice as XML (Factur-X, ZUGFeRD)'],
    ['a broken PDF', BROKEN, 'the PDF is encrypted or damaged'],
  ])('%s is refused with the reason', async (_, file, reason) => {
    for (const command of [['validate'], ['convert', '--to', 'json_1_1']]) {
      const { code, err } = await cuadra([...command, file])
      expect([code, err]).toEqual([2, expect.stringContaining(reason)])
    }
  })
})
