/** Changed invoices in UBL, CII and Facturae: reading never throws, and reads the same document again when written. */

import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { detectFormat, FORMAT_CODES, readInvoice, writeInvoice } from '#formats/index.ts'
import { mutated, random } from '../core/xml/mutations.ts'
import { goldenInvoices } from '../engine/golden-invoices.ts'
import { figure } from '../figures.ts'
import { wellFormed } from '../property/well-formed.ts'
import { sized } from '../size.ts'
import { grow } from './corpus.ts'

const COUNT = sized(200, 2000, 200_000)
const SEED = Number(process.env.CUADRA_SEED ?? 1)
const LONGEST = 5000

const SEEDS: readonly string[] = goldenInvoices()
  .filter((_, at) => at % 4 === 0)
  .flatMap(({ invoice }) =>
    FORMAT_CODES.flatMap((format) => {
      const { xml } = writeInvoice(invoice, format)
      return xml === null ? [] : [xml]
    }),
  )

const PIECES = [
  '<',
  '>',
  '&',
  '&#0;',
  ']]>',
  '<!--',
  '\u0000',
  '\ud800',
  '"',
  '<?',
  '</',
  'xmlns=""',
  '9'.repeat(40),
]

/** Changes an element as a program with an error would, or, rarely, the text itself. */
function change(text: string, next: () => number): string {
  if (next() < 0.85) {
    try {
      return mutated(text, next).text
    } catch {
      // The text is no longer XML, so only its characters can be changed.
    }
  }
  const at = Math.floor(next() * text.length)
  const piece = required(PIECES[Math.floor(next() * PIECES.length)])
  return next() < 0.5
    ? text.slice(0, at) + piece + text.slice(at)
    : text.slice(0, at) + text.slice(at + 1 + next() * 50)
}

function check(text: string): void {
  detectFormat(text)
  const { document, errors } = readInvoice(text)
  for (const { code, message, path } of errors)
    if (!code || !message || typeof path !== 'string')
      throw new Error('an item without code, message or path')
  const isWrong = errors.some(({ severity }) => severity === 'error')
  if (document === null && !isWrong) throw new Error('no document, and no error that says why')
  if (document !== null) wellFormed(validate(document, { operation: 'received' }))
}

describe(`${COUNT} changed documents of ${SEEDS.length} invoices in UBL, CII and Facturae`, () => {
  it('are read, or refused with a reason, without an exception', { timeout: 4 * 3_600_000 }, () => {
    const grown = grow({ seeds: SEEDS, count: COUNT, longest: LONGEST, change, check, next: random(SEED) })
    figure(`${COUNT} documents in XML, ${grown.kept} with new coverage, ${grown.blocks} blocks, seed ${SEED}`)
    expect(grown.blocks).toBeGreaterThan(1000)
  })
})
