/** What is written is read back, for random invoices in which many features meet; or it is refused by name. @slowest */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { LONG, sized } from '../size.ts'
import { csvOf, documentOfCsv } from './csv.ts'
import { calculatedOf, documentOf, features } from './features.ts'
import { differencesOf } from './round-trip.ts'

const FORMATS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const
const PARAMETERS = { numRuns: sized(80, 1_500, 60_000), ...(LONG ? {} : { seed: 20_261_128 }) }

describe('an invoice of any features', () => {
  it.each(FORMATS)(
    'written as %s comes back with its totals, tax group, treatments and keys, or is refused by name',
    (format) => {
      let written = 0
      fc.assert(
        fc.property(features, (choice) => {
          const data = calculatedOf(documentOf(choice))
          fc.pre(data !== null)
          const { xml, errors } = writeInvoice(data, format)
          if (xml === null) {
            expect(errors.map(({ extra }) => extra?.reason)).not.toContain('not_calculated')
            return
          }
          written++
          const read = readInvoice(xml, { direction: choice.direction })
          expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
          expect(differencesOf(data, required(read.document))).toEqual([])
        }),
        PARAMETERS,
      )
      // UBL and CII have no field for withholding, surcharge and disbursements, which most invoices have.
      expect(written).toBeGreaterThan(PARAMETERS.numRuns / 5)
    },
  )

  it('written as CSV comes back with its totals, tax group, treatments and keys, or the problem is named', () => {
    let written = 0
    fc.assert(
      fc.property(features, (choice) => {
        const document = documentOf(choice)
        const data = calculatedOf(document)
        fc.pre(data !== null)
        const { text, codes } = csvOf(document)
        if (text === null || codes.includes('csv.total_differs')) {
          expect(codes).toContainEqual(expect.stringMatching(/^csv\.(surcharge_divided|total_differs)$/))
          return
        }
        written++
        const read = documentOfCsv(text)
        expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(differencesOf(data, read.document as CanonicalInvoiceInput, true)).toEqual([])
      }),
      PARAMETERS,
    )
    expect(written).toBeGreaterThan(PARAMETERS.numRuns / 2)
  })
})
