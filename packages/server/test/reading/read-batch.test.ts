/** Batches are read invoice by invoice, with the results and errors of the whole body. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/size.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { parseCheckedDocument } from '../../src/reading/batch-body.ts'
import { readBatch } from '../../src/reading/read-batch.ts'
import { parseBody } from '../../src/reading/request-body.ts'

const MAX_BYTES = 4 * 1024 * 1024
const reading = (text: string | Buffer) => ({
  bytes: Buffer.from(text),
  maxBytes: MAX_BYTES,
  locale: 'en' as const,
  operation: 'draft' as const,
  hasKey: true,
})

const refusalOf = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error.body('id', 'en')
    throw error
  }
  return 'accepted'
}

it('finds the invoices that parsing the whole body finds', () => {
  const invoices = fc.array(fc.jsonValue({ stringUnit: 'grapheme' }), { minLength: 1 })
  fc.assert(
    fc.property(invoices, fc.constantFrom('', ' ', '\t', '  '), fc.boolean(), (values, indent, isFirst) => {
      const rest = { batch_id: '{"[,]é😀', file_name: null }
      const body = isFirst ? { invoices: values, ...rest } : { ...rest, invoices: values }
      const text = JSON.stringify(body, null, indent)
      const read = reading(text)
      const accepted = refusalOf(() => parseBody(read))
      expect(refusalOf(() => readBatch(read))).toEqual(accepted)
      if (accepted !== 'accepted') return
      const found = readBatch(read).ranges.map((range) => parseCheckedDocument(read.bytes.subarray(...range)))
      // The direction is set in every `meta`.
      const parsed: readonly unknown[] = JSON.parse(text).invoices
      expect(found).toEqual(parsed.map((value) => parseCheckedDocument(Buffer.from(JSON.stringify(value)))))
    }),
    runs(1000, 100_000),
  )
})

it.each([
  '{"invoices":[{"é":"😀"},\n {"a":"€😀", "b" 1}]}',
  '{"invoices":[{"a":"😀😀é"}, {"a":1,"b":[{"c":1,"c":2}]}, 0]}',
  '{"invoices":[{"a":"\\ud83d\\ude00"}, {"x":{"y":["\\u0000"]}}]}',
  '{"invoices":[{"a":"\\ud83d"}]}',
  '{"invoices":[0,]}',
  '{"invoices":[,0]}',
  '{"invoices":[0,,1]}',
  '{"invoices":[ ]}',
  '{"invoices":[0}',
  '{"invoices":[0}]',
  '{"invoices":[{]}',
  '{"invoices":[{"a":1}}',
  '{"invoices":[{"a":1}] "more":1}',
  '{"invoices":[{"é":1}],\n "file_name":"a" 1}',
  '{"file_name":nul, "invoices":[{"é":1}, nul]}',
  '{"invoices":[0],"invoices":[1]}',
  '{"invoices":["a\nb"]}',
  '{"invoices":["a',
  '{"invoices":[0',
  '{"invoices"',
  '{"invoices":[0]} 1',
  '[{"invoices":[0]}',
  '[[0],1',
  '',
])('reports the error of %j at its position in the whole body', (text) => {
  const whole = refusalOf(() => parseBody(reading(text)))
  const read = refusalOf(() => readBatch(reading(text)))
  if (whole === 'accepted') expect(read).toMatchObject({ detail: { code: 'request_validation_error' } })
  else expect(read).toEqual(whole)
})

it('reports invalid UTF-8 at its position in the whole body', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"invoices":["é😀",\n"€'),
    Buffer.from([0xff]),
    Buffer.from('"]}'),
  ])
  expect(refusalOf(() => readBatch(reading(bytes)))).toEqual(refusalOf(() => parseBody(reading(bytes))))
})

it('refuses a body whose size is outside the list of invoices', () => {
  const body = { ...reading(`{"invoices":[0],"more":["${'x'.repeat(MAX_BYTES)}"]}`), maxBytes: 2 * MAX_BYTES }
  expect(refusalOf(() => readBatch(body))).toMatchObject({ detail: { max_bytes: MAX_BYTES } })
})
