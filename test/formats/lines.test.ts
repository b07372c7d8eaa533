/** Texts of one line that are read from XML: white space inside them is one blank. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'

const example = JSON.parse(
  readFileSync(new URL('../../examples/14-document-discounts.json', import.meta.url), 'utf8'),
)

it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const)(
  'a name on two lines in %s is read as one line, and a description keeps its lines',
  (format) => {
    const document = structuredClone(example)
    document.invoice.customer.name = 'Cliente Dos Líneas'
    document.invoice.header.invoice_number = 'N-1'
    document.invoice.issue_data.issue_date = '2026-03-16'
    document.invoice.lines[0].item_description = 'Diseño:\nlogotipo'
    delete document.invoice.totals.reimbursable_expenses
    document.invoice.totals.total_executable_amount = undefined
    document.invoice.totals.total_reimbursable_expenses = undefined
    const { xml, errors } = writeInvoice(document, format)
    expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
    const text = required(xml).replaceAll('Cliente Dos Líneas', 'Cliente\n\t Dos Líneas')
    const read = readInvoice(text)
    expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
    expect([
      read.document?.invoice.customer?.name,
      read.document?.invoice.lines[0]?.item_description,
    ]).toEqual(['Cliente Dos Líneas', 'Diseño:\nlogotipo'])
    expect(validate(read.document).errors.filter(({ source }) => source === 'schema')).toEqual([])
  },
)
