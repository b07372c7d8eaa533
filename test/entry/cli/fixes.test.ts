import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { withoutMember, withScalar } from '#core/json/edit-json.ts'
import { fixDocument } from '#entry/cli/input/fixes.ts'
import type { Settings } from '#entry/cli/input/input-settings.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { cuadra } from './run.ts'

const SETTINGS: Settings = {
  command: 'validate',
  format: 'text',
  locale: 'en',
  options: { today: '2026-11-01' },
  quiet: false,
  withData: true,
  color: false,
  links: false,
  width: 100,
  shape: 'single',
}
const ORIGIN = { file: 'x.json', index: null, line: 1 }
const example = readFileSync('examples/02-shop-prices-with-tax.json', 'utf8')
const fixed = (text: string) => fixDocument(text, ORIGIN, SETTINGS)

const folder = temporaryFolder()

describe('an edit of a JSON text', () => {
  it('removes a member with its comma, and keeps the formatting of the rest', () => {
    const text = '{\n  "a": 1,\n  "b": { "c": [1, "}"], "d": 2 },\n  "e": 3\n}\n'
    expect(withoutMember(text, '/a')).toBe('{\n  "b": { "c": [1, "}"], "d": 2 },\n  "e": 3\n}\n')
    expect(withoutMember(text, '/b')).toBe('{\n  "a": 1,\n  "e": 3\n}\n')
    expect(withoutMember(text, '/b/d')).toBe('{\n  "a": 1,\n  "b": { "c": [1, "}"] },\n  "e": 3\n}\n')
    expect(withoutMember(text, '/e')).toBe('{\n  "a": 1,\n  "b": { "c": [1, "}"], "d": 2 }\n}\n')
    expect(withoutMember('{"a":{"only":"x"}}', '/a/only')).toBe('{"a":{}}')
    expect(withoutMember(text, '/b/c/0')).toBeNull()
    expect(withoutMember(text, '/no')).toBeNull()
    expect(withScalar(text, '/b/c', 5)).toBeNull()
  })

  it('equals removing the member from the parsed document, for any document', () => {
    const name = fc.string({ maxLength: 4 })
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 6 }),
        fc.nat(),
        fc.nat(3),
        (object, at, indent) => {
          const plain: Record<string, unknown> = JSON.parse(JSON.stringify(object))
          const key = required(Object.keys(plain)[at % Object.keys(plain).length])
          const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
          const text = required(withoutMember(JSON.stringify(plain, null, indent), pointer))
          const { [key]: _, ...rest } = plain
          expect(JSON.parse(text)).toEqual(rest)
          const scalar = withScalar(JSON.stringify(plain, null, indent), pointer, 'new')
          if (scalar === null) expect(typeof plain[key] === 'object' && plain[key] !== null).toBe(true)
          else expect(JSON.parse(scalar)).toEqual({ ...plain, [key]: 'new' })
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a certain fix', () => {
  it.each([
    ['unquotes a number', '"quantity": 1', '"quantity": "1"', 'schema.type'],
    ['corrects the case of a code', '"item_type": "goods"', '"item_type": "Goods"', 'schema.enum'],
    [
      'rounds a price with float noise',
      '"unit_price_with_tax": 9.99',
      '"unit_price_with_tax": 9.989999999999998',
      'excess_precision',
    ],
  ])('%s', (_, right, wrong, code) => {
    if (!example.includes(right)) throw new Error(`the example has no ${right}`)
    const { text, fixes, result } = fixed(example.replace(right, wrong))
    expect(fixes).toMatchObject([{ code }])
    expect(JSON.parse(text)).toEqual(JSON.parse(example))
    expect(result.outcome.errors.map((item) => item.code)).not.toContain(code)
  })

  it('removes trailing commas, but no other syntax error', () => {
    const { text, fixes, result } = fixed(example.replace(/\n\}\s*$/, ',\n}\n').replace(/\n( *)\]/, ',\n$1]'))
    expect(fixes.map(({ from }) => from)).toEqual([',', ','])
    expect(JSON.parse(text)).toEqual(JSON.parse(example))
    expect(result.outcome.is_valid).toBe(true)
    const broken = fixed("{'a': 1}")
    expect([broken.fixes, broken.text]).toEqual([[], "{'a': 1}"])
  })

  it('removes computed fields', () => {
    const sent = JSON.parse(example)
    sent.invoice.supplier.company.address.country_subdivision.subdivision_type = 'province'
    const { fixes, text } = fixed(JSON.stringify(sent, null, 2))
    expect(fixes).toMatchObject([{ code: 'inferred_fields_not_allowed', from: 'province' }])
    expect('to' in required(fixes[0])).toBe(false)
    expect(text).not.toContain('subdivision_type')
  })

  it('does not remove a computed field with another value than the calculated one', () => {
    const sent = JSON.parse(example)
    sent.invoice.lines[0].exempt = true
    sent.invoice.lines[0].taxable = true
    const { fixes, text } = fixed(JSON.stringify(sent, null, 2))
    expect(fixes).toMatchObject([{ path: '/invoice/lines/0/taxable', from: true }])
    expect(JSON.parse(text).invoice.lines[0]).toMatchObject({ exempt: true, tax_output_rate: 21 })
  })

  it.each([
    ['discount_percent', 10],
    ['discount_value', 25],
    ['discount_price', 25],
    ['charge_value', 25],
    ['tax_rate', 10],
    ['quantiti', 2],
    ['item_tpye', 'goods'],
    ['discount_amuont', 25],
  ])('does not rename the field %s', (name, value) => {
    const sent = JSON.parse(example)
    sent.invoice.lines[0][name] = value
    expect(fixed(JSON.stringify(sent)).fixes).toEqual([])
  })

  it.each([
    ['due_date', '2026-04-30'],
    ['creation_date', '2026-04-30'],
    ['issue_dat', '2026-04-30'],
    ['operation_dat', '2026-04-30'],
  ])('does not rename the date %s', (name, value) => {
    const sent = JSON.parse(example)
    sent.invoice.issue_data[name] = value
    expect(fixed(JSON.stringify(sent)).fixes).toEqual([])
  })

  it.each(['quantity', 'item_type', 'unit_price_with_tax'])(
    'does not change an amount, a rate or a date: %s',
    (name) => {
      const right = JSON.parse(example)
      const line = right.invoice.lines[0]
      line[name] = typeof line[name] === 'number' ? String(line[name]) : line[name].toUpperCase()
      const { result, fixes } = fixed(JSON.stringify(right))
      expect(fixes).toHaveLength(1)
      expect(result.outcome.data).toEqual(fixed(example).result.outcome.data)
    },
  )

  it.each([
    ['a rate with several candidates', '"tax_output_rate": 21', '"tax_output_rate": 20'],
    ['an ambiguous thousands separator', '"quantity": 1', '"quantity": "1.000"'],
    ['a field without a similar name', '"quantity": 1', '"quantity": 1, "colour": "red"'],
    ['a field of which several are similar', '"quantity": 1', '"quantity": 1, "unit_price": 2'],
    ['a field whose correct name exists too', '"quantity": 1', '"quantity": 1, "quantiti": 2'],
  ])('does not exist for %s', (_, right, wrong) => {
    const source = example.replace(right, wrong)
    expect(source).not.toBe(example)
    const { text, fixes } = fixed(source)
    expect([fixes, text]).toEqual([[], source])
  })
})

describe('cuadra validate --fix', () => {
  const wrong = example.replace('"quantity": 1', '"quantity": "1"')
  const fileOf = filesOf(folder)

  it('writes the file, keeps its mode, and lists the fixes; with --dry-run it only lists them', async () => {
    const file = fileOf('one.json', wrong)
    chmodSync(file, 0o640)
    const link = join(folder, 'link.json')
    symlinkSync(file, link)
    const dry = await cuadra(['validate', '--fix', '--dry-run', '--no-data', link])
    expect([dry.code, readFileSync(file, 'utf8')]).toEqual([0, wrong])
    const { code, out } = await cuadra(['validate', '--fix', '--no-data', link])
    expect(code).toBe(0)
    expect(out).toBe(dry.out)
    expect(out).toContain('fixed  schema.type  /invoice/lines/0/quantity  "1" → 1')
    expect(readFileSync(link, 'utf8')).toBe(example)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    const { out: json } = await cuadra(['validate', '--fix', '--json', fileOf('two.json', wrong)])
    const fix = { code: 'schema.type', path: '/invoice/lines/0/quantity', from: '1', to: 1 }
    expect(JSON.parse(json).fixes).toEqual([fix])
  })

  it('fixes every JSON invoice of a folder, but not NDJSON', async () => {
    const below = join(folder, 'below')
    mkdirSync(below)
    writeFileSync(join(below, 'a.json'), wrong)
    const line = `${JSON.stringify(JSON.parse(wrong))}\n`
    writeFileSync(join(below, 'b.ndjson'), line)
    const { code, out } = await cuadra(['validate', '--fix', '--quiet', '--locale', 'es', below])
    expect(code).toBe(1)
    expect(out).toContain('corregido')
    expect(readFileSync(join(below, 'a.json'), 'utf8')).toBe(example)
    expect(readFileSync(join(below, 'b.ndjson'), 'utf8')).toBe(line)
  })

  it.each([
    [['validate', '--fix', '-'], '--fix cannot write to the standard input'],
    [['validate', '--fix', '--ndjson', 'x.json'], 'remove --ndjson'],
    [['validate', '--dry-run', 'x.json'], '--dry-run needs --fix'],
    [['explain', '--fix', 'x.json'], "unknown option '--fix'"],
  ])('rejects %j with a message', async (args, messages) => {
    const { code, err } = await cuadra(args)
    expect([code, err.includes(messages)]).toEqual([2, true])
  })
})
