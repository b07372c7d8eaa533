/** PDFs in the command line: the invoice that they embed is read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { renderPdf } from 'cuadra-pdf/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { writeInvoice } from '#formats/index.ts'
import { ordinary } from '../../../packages/pdf/test/samples.ts'
import { temporaryFolder } from '../../folders.ts'
import { issued } from '../../formats/invoice.ts'
import { spawned } from './run.ts'

const folder = temporaryFolder()
const timestamp = '2026-03-05T12:00:00Z'
const fileNamed = (name: string) => join(folder, name)
const [FACTURX, PLAIN, BROKEN] = [fileNamed('facturx.pdf'), fileNamed('plain.pdf'), fileNamed('broken.pdf')]
const [BOMB, LARGE] = [fileNamed('bomb.pdf'), fileNamed('large.pdf')]

/** A gigabyte of zeros, compressed. Repeats a compressed megabyte, since compressing them all takes seconds. */
function packedGigabyte(): Buffer {
  const megabyte = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  // The Adler-32 checksum of zeros: the sum of the bytes is 1, the sum of these sums is their number.
  const checksum = Buffer.from([0, 0, 0, 1])
  checksum.writeUInt16BE(1024 ** 3 % 65_521, 0)
  const empty = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(1024).fill(megabyte), empty, checksum])
}

/** A PDF whose attachment has a gigabyte of zeros, compressed twice. */
function bombOf(): Buffer {
  const packed = deflateSync(packedGigabyte())
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a.xml) 3 0 R]>>>>>>',
    '<</Type/Pages/Kids[]/Count 0>>',
    '<</Type/Filespec/F(a.xml)/UF(a.xml)/EF<</F 4 0 R>>>>',
    Buffer.concat([
      Buffer.from(`<</Type/EmbeddedFile/Filter[/FlateDecode/FlateDecode]/Length ${packed.length}>>stream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  for (const [at, body] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length)
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n'))
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = Buffer.concat(parts).length
  parts.push(
    Buffer.from(
      `xref\n0 5\n0000000000 65535 f \n${table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const ONE = join(folder, 'one')

beforeAll(async () => {
  const xml = required(writeInvoice(issued(), 'cii_d16b', { profile: 'facturx' }).xml)
  const template = 'classic-blue'
  writeFileSync(FACTURX, await renderPdf(ordinary(), { template, timestamp, facturx: { xml } }))
  writeFileSync(PLAIN, await renderPdf(ordinary(), { template, timestamp }))
  mkdirSync(ONE)
  writeFileSync(join(ONE, 'facturx.pdf'), readFileSync(FACTURX))
  writeFileSync(BROKEN, '%PDF-1.7\nnonsense')
  writeFileSync(BOMB, bombOf())
  writeFileSync(LARGE, Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(11 * 1024 * 1024)]))
})

describe('a PDF with an embedded invoice', () => {
  it('is converted, from a file, from a folder and from the standard input', () => {
    const results = [
      spawned(['convert', '--to', 'json_1_1', FACTURX]),
      spawned(['convert', '--to', 'json_1_1', '-'], { input: readFileSync(FACTURX) }),
    ]
    for (const { out } of results) {
      const { invoice } = JSON.parse(out)
      expect([invoice.header.invoice_number, invoice.totals.invoice_total]).toEqual(['F26-0007', 181.5])
    }
    const out = join(folder, 'out')
    expect(spawned(['convert', '--to', 'ubl_2_1', '--out', out, ONE]).code).toBe(0)
    expect(readFileSync(join(out, 'facturx.xml'), 'utf8')).toContain('>F26-0007<')
  })

  it('is validated', () => {
    const { code, out } = spawned(['validate', FACTURX])
    expect([code, out]).toEqual([0, expect.stringContaining('facturx.pdf')])
  })

  it.each([
    ['a PDF without an invoice', PLAIN, 'the PDF contains no invoice as XML (Factur-X, ZUGFeRD)'],
    ['a PDF that unpacks to a gigabyte', BOMB, 'takes too much memory'],
    ['a PDF of 11 MB', LARGE, 'the PDF has more than 10 MB'],
    ['a broken PDF', BROKEN, 'the PDF is encrypted or damaged'],
  ])('%s is refused with the reason', (_, file, reason) => {
    for (const command of [['validate'], ['convert', '--to', 'json_1_1']]) {
      const { code, err } = spawned([...command, file])
      expect([code, err]).toEqual([2, expect.stringContaining(reason)])
    }
  })
})
