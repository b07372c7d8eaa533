/// <reference types="node" />
/** Whatever arrives, the engine answers: no exception, no endless run, items that a program can read. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  type Company,
  explain,
  MAX_ITEMS,
  type Options,
  reconcile,
  type ValidationResult,
  validate,
} from '#engine/index.ts'
import { HOSTILE_KEYS, KINDS, type Mutation, mutate, type Node, nodesOf, WILD } from '../fuzz/mutate.ts'
import { itInAll, LONG, runs } from '../size.ts'
import { arbitraryInvoice } from './arbitrary.ts'
import { EXAMPLES, invoiceOf, OPERATIONS } from './documents.ts'
import { wellFormed } from './well-formed.ts'

/** Of tax, in one invoice. */
const GROUPS = LONG ? 20_000 : 5000

const noise = fc.option(fc.oneof(fc.jsonValue(), fc.constantFrom('2025-01-01', 'B58378431', 'IVA', 'active')))
const date = fc.constantFrom('2020-01-01', '2025-12-31', '', 'yesterday', '2025-02-30', '9999-12-31')
const company = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(undefined, null) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        tax_id: fc.constantFrom('B58378431', 'A28015865', '', 'x', null),
        legal_name: fc.option(fc.string()),
        default_tax_group: fc.constantFrom('IVA', 'IGIC', 'IPSI', 'VAT', null),
        address: fc.option(fc.record({ post_code: fc.constantFrom('28013', '35001', '51001', '', null) })),
        cash_basis: fc.option(
          fc.array(
            fc.record({ start_date: date, end_date: fc.option(date) }, { requiredKeys: ['start_date'] }),
          ),
        ),
        oss: fc.option(
          fc.record(
            { status: fc.constantFrom('active', 'inactive', ''), effective_date: fc.option(date) },
            { requiredKeys: ['status'] },
          ),
        ),
      },
      { requiredKeys: [] },
    ),
  },
  // A company that no service ever made: any member may be anything.
  {
    weight: 1,
    arbitrary: fc.record(
      {
        tax_id: noise,
        legal_name: noise,
        default_tax_group: noise,
        address: noise,
        cash_basis: noise,
        oss: noise,
        iban: noise,
      },
      { requiredKeys: [] },
    ),
  },
) as fc.Arbitrary<Company | null | undefined>

const options: fc.Arbitrary<Options> = fc.record(
  {
    operation: fc.constantFrom(...OPERATIONS),
    locale: fc.constantFrom('en', 'es'),
    totals: fc.constantFrom('recalculate', 'check'),
    company,
    today: fc.constantFrom('2025-03-10', '2026-06-30', '1999-12-31'),
    explain: fc.boolean(),
  },
  { requiredKeys: [] },
)

const answers = (document: unknown, chosen: Options): void => {
  wellFormed(validate(document, chosen))
}

// -------------------------------------------------------------------------------------------- wild values

/** What JSON.parse can give, and what a caller of JavaScript may pass beside it. */
const wild = fc.oneof(
  fc.constantFrom(...WILD),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  node: fc.nat(),
  member: fc.nat(),
  key: fc.constantFrom(...HOSTILE_KEYS),
  value: wild,
})

const seeds = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EXAMPLES.map(([, document]) => document)) },
  { weight: 1, arbitrary: arbitraryInvoice() },
)
const mutated = fc
  .tuple(seeds, fc.array(mutation, { minLength: 1, maxLength: 6 }))
  .map(([seed, mutations]): unknown => {
    const document = structuredClone(seed)
    for (const each of mutations) mutate(document, each)
    return document
  })

describe('any value', () => {
  it('of JSON gets a result', () => {
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), wild), options, answers), runs(1000, 50_000))
  })
  it('of JavaScript gets a result', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), options, answers),
      runs(1000, 50_000),
    )
  })
  it('in place of each block gets a result', () => {
    const blocks = fc.record(
      {
        schema_version: fc.constant('json_1_1'),
        meta: fc.oneof(wild, fc.constant({ direction: 'issued', source_system: 'x' })),
        invoice: fc.record(
          {
            supplier: wild,
            customer: wild,
            header: wild,
            issue_data: wild,
            lines: fc.oneof(wild, fc.array(wild)),
            taxes_outputs: fc.oneof(wild, fc.array(wild)),
            totals: wild,
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['schema_version'] },
    )
    fc.assert(fc.property(blocks, options, answers), runs(1000, 50_000))
  })
})

describe('a valid document, mutated', () => {
  it('gets a result, whatever the operation, language, company and day', () => {
    fc.assert(fc.property(mutated, options, answers), runs(3000, 100_000))
  })
  it('gets a finite result if only its numbers are changed', {}, () => {
    const number = fc.oneof(
      fc.constantFrom(
        0,
        -0,
        1e-8,
        -1e-8,
        0.005,
        100,
        1e6,
        999999999999.99,
        -999999999999.99,
        1e12,
        1e15,
        1e21,
      ),
      fc.double({ noNaN: true, min: -1e13, max: 1e13 }),
      fc.integer({ min: -100, max: 100 }),
    )
    const renumbered = fc
      .tuple(seeds, fc.infiniteStream(number), fc.nat({ max: 5 }))
      .map(([seed, stream, skip]) => {
        const document = structuredClone(seed)
        let count = 0
        for (const node of nodesOf(document))
          for (const [name, value] of Object.entries(node))
            if (typeof value === 'number' && count++ % (skip + 1) === 0) node[name] = stream.next().value
        return document
      })
    fc.assert(
      fc.property(renumbered, options, (document, chosen) => {
        const result = validate(document, chosen)
        wellFormed(result)
        for (const node of nodesOf(result.data))
          for (const [name, value] of Object.entries(node))
            if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}`)
      }),
      runs(2000, 100_000),
    )
  })
  it('is explained and reconciled without an exception', () => {
    fc.assert(
      fc.property(mutated, options, (document, chosen) => {
        const refused = validate(document, { ...chosen, totals: 'recalculate' }).data === null
        expect(explain(document, chosen).length > 0).toBe(!refused)
        expect(reconcile(document, chosen).length > 0).toBe(!refused)
      }),
      runs(1000, 30_000),
    )
  })
  it('gets the same result twice, since nothing is stored', () => {
    fc.assert(
      fc.property(mutated, options, (document, chosen) => {
        expect(validate(document, chosen)).toEqual(validate(structuredClone(document), chosen))
      }),
      runs(500, 10_000),
    )
  })
  it('leaves no trace on Object.prototype', () => {
    const text = JSON.stringify(required(EXAMPLES[0])[1]).replaceAll(
      '"quantity"',
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"quantity"',
    )
    for (const operation of OPERATIONS) wellFormed(validate(JSON.parse(text), { operation }))
    expect(({} as Node).polluted).toBeUndefined()
    expect(Object.prototype).not.toHaveProperty('quantity')
  })
})

// ------------------------------------------------------------------------------------------------ extremes

const line = { unit_price_without_tax: 1, tax_output_rate: 21 }
const around = (members: object): unknown => {
  const document = invoiceOf([line])
  return { ...document, invoice: { ...document.invoice, ...members } }
}

/** A value nested so deeply that naive recursion would overflow the stack. */
const nested = (depth: number, wrap: (value: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}

describe('an extreme document gets a result', () => {
  const everywhere = (document: unknown): ValidationResult[] =>
    OPERATIONS.flatMap((operation) =>
      (['en', 'es'] as const).map((locale) => {
        const result = validate(document, { operation, locale, explain: true, today: '2026-06-30' })
        wellFormed(result)
        return result
      }),
    )

  it.each([
    ['arrays', (value: unknown) => [value]],
    ['objects', (value: unknown) => ({ a: value })],
    ['invoices', (value: unknown) => ({ invoice: value })],
  ] as const)('%s nested 10,000 deep', (_, wrap) => {
    const deep = nested(10_000, wrap)
    everywhere(deep)
    everywhere(around({ lines: deep }))
    everywhere(around({ additional_data: deep }))
    everywhere(around({ lines: [{ ...line, item_description: deep }] }))
    everywhere(around({ foo: deep }))
  })

  itInAll('strings of a megabyte (of a tenth of it, but for the first, in the sample)', () => {
    for (const text of ['a', '\ud800', ' ', '9', '/', '~', '{received}'].map((unit) =>
      unit.repeat(Math.ceil((LONG || unit === 'a' ? 1_000_000 : 100_000) / unit.length)),
    )) {
      everywhere(text)
      everywhere({ schema_version: text })
      everywhere(around({ [text]: 1 }))
      everywhere(invoiceOf([{ ...line, item_description: text, tax_regime_key: text }]))
      everywhere(
        around({
          supplier: { person_type_code: text, tax_id: text, name: text, country_code: text },
          payment_details: [{ iban_account_to_be_credited: text, payment_method_code: text }],
        }),
      )
      everywhere(around({ issue_data: { operation_date: text, tax_group_code: text } }))
    }
  })

  it('100,000 lines: none is examined', () => {
    for (const wrongLine of [{ ...line, taxable: true, foo: 1 }, null, { quantity: 'x' }, line]) {
      const { errors, data } = validate(around({ lines: new Array(100_000).fill(wrongLine) }))
      expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual(['schema.max_items /invoice/lines'])
      expect(errors[0]?.extra).toEqual({ max_items: 20_000, received: 100_000 })
      expect(data).toBeNull()
    }
  })

  it('20,000 invalid lines: 1,000 items, and a note that the search stopped', () => {
    for (const wrongLine of [{ ...line, taxable: true, foo: 1 }, null, { quantity: 'x' }]) {
      const { errors, data } = validate(around({ lines: new Array(20_000).fill(wrongLine) }))
      wellFormed({ errors, data, is_valid: false })
      expect(errors).toHaveLength(MAX_ITEMS + 1)
      expect(errors.at(-1)).toMatchObject({ code: 'too_many_errors', severity: 'error' })
      expect(errors.at(-1)?.extra).toMatchObject({ shown: MAX_ITEMS })
      expect(errors.at(-1)?.extra?.at_least).toBeGreaterThan(MAX_ITEMS)
    }
  })

  it('20,000 lines that break only rules: 1,000 items, and data', () => {
    const lines = new Array(20_000).fill({
      item_description: 'x',
      quantity: 1,
      unit_price_without_tax: 1,
      tax_output_rate: 22,
      tax_regime_key: '99',
    })
    const result = validate(around({ lines }))
    wellFormed(result)
    expect(result.errors).toHaveLength(MAX_ITEMS + 1)
    expect(result.errors.at(-1)).toMatchObject({ code: 'too_many_errors' })
    expect(result.data?.invoice.lines).toHaveLength(20_000)
  })

  it('exactly 1,000 problems are all listed; one more is counted', () => {
    const wrongLines = (count: number) =>
      around({ lines: new Array(count).fill({ ...line, item_description: 'x', quantity: null }) })
    const at = validate(wrongLines(MAX_ITEMS)).errors
    const above = validate(wrongLines(MAX_ITEMS + 1)).errors
    expect(at).toHaveLength(MAX_ITEMS)
    expect(at.some((item) => item.code === 'too_many_errors')).toBe(false)
    expect(above).toHaveLength(MAX_ITEMS + 1)
    expect(above.at(-1)?.extra).toMatchObject({ shown: MAX_ITEMS, at_least: MAX_ITEMS + 1 })
  })

  itInAll('100,000 unknown properties, at the root, in the invoice, in a line', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, i]))
    for (const document of [
      many,
      { ...invoiceOf([line]), ...many },
      around(many),
      invoiceOf([{ ...line, ...many }]),
    ]) {
      const { errors } = validate(document)
      expect(errors).toHaveLength(MAX_ITEMS + 1)
      expect(errors.at(-1)?.extra?.at_least).toBeGreaterThan(MAX_ITEMS)
    }
  })

  it.each([
    [GROUPS, 'computed'],
    [1000, 'sent and computed'],
  ])('%i tax groups, %s, discounted', (count, kind) => {
    const lines = Array.from({ length: count }, (_, i) => ({
      item_description: 'x',
      quantity: 1,
      unit_price_without_tax: 1,
      tax_output_rate: i / 1000,
    }))
    const taxes_outputs = lines.map((each) => ({
      tax_rate: each.tax_output_rate,
      taxable_base: 1,
      tax_amount: 0.01,
    }))
    const totals = {
      total_gross_amount_before_taxes: 0,
      total_tax_outputs: 0,
      invoice_total: 0,
      general_discounts: [{ discount_rate: 10 }],
    }
    const sent = kind === 'computed' ? {} : { taxes_outputs }
    const result = validate(around({ lines, ...sent, totals }), { explain: true })
    wellFormed(result)
    expect(result.data?.invoice.taxes_outputs).toHaveLength(count)
  })

  it('a document that refers to itself', () => {
    const loop = invoiceOf([line]) as { invoice: Node }
    loop.invoice.lines = [loop]
    everywhere(loop)
    const other = invoiceOf([line]) as { invoice: Node }
    other.invoice.self = other
    everywhere(other)
  })
})

describe('a result arrives in time', () => {
  /**
   * Validates in a process of its own, which is ended after a minute: a loop that does not end could not be
   * stopped in this one.
   */
  const codesOf = async (documents: readonly unknown[]): Promise<string[][]> => {
    const bundle = await build({
      stdin: {
        contents: `import { validate } from './src/engine/index.ts'
          const codes = ${JSON.stringify(documents)}.map((each) => validate(each).errors.map((item) => item.code))
          console.log(JSON.stringify(codes))`,
        resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
      },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      write: false,
    })
    const text = execFileSync(process.execPath, ['-'], {
      input: required(bundle.outputFiles[0]).text,
      timeout: 60_000,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return JSON.parse(text)
  }
  const cancelling = (figures: readonly number[], adjustment: object): unknown =>
    invoiceOf(
      figures.map((figure, i) => ({
        quantity: Math.sign(figure),
        unit_price_without_tax: Math.abs(figure),
        tax_output_rate: required([21, 10, 4][i]),
      })),
      adjustment,
    )

  it('if groups of opposite sign nearly cancel out and a discount is spread over them', async () => {
    const figures = [299_234_676_361.08, 19_709_901_809.69, -318_944_578_170.76]
    const codes = await codesOf([
      cancelling(figures, { general_surcharges: [{ charge_amount: 199_052_533_507.34 }] }),
      cancelling(figures, { general_discounts: [{ discount_amount: 199_052_533_507.34 }] }),
      cancelling(
        figures.map((figure) => -figure),
        {
          general_discounts: [{ discount_amount: 199_052_533_507.34 }],
        },
      ),
    ])
    for (const each of codes) expect(each).toContain('amount_out_of_range')
  })
})

describe('numbers that are not amounts are schema errors of type', () => {
  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['1e400', JSON.parse('1e400')],
    ['a numeric string', '12.10'],
    ['a bigint', 12n],
  ])('%s', (_, value) => {
    for (const name of ['quantity', 'unit_price_without_tax', 'tax_output_rate', 'discount_amount']) {
      const { errors, data } = validate(invoiceOf([{ ...line, [name]: value }]))
      expect(data).toBeNull()
      expect(errors.map(({ code, path }) => ({ code, path }))).toContainEqual({
        code: 'schema.type',
        path: `/invoice/lines/0/${name}`,
      })
    }
  })
})
