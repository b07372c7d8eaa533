/** Records, the company settings and links, without a browser. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { assessText, type Settings } from '../../playground/assess/assess.ts'
import {
  companyOf,
  filledFieldsOf,
  NO_COMPANY,
  readCompanySettings,
} from '../../playground/company/checked-company.ts'
import { obstacleOf, siiOf, timestampFor, verifactuOf } from '../../playground/output/output-records.ts'
import { decodeShared, encodeShared } from '../../playground/share/codec.ts'

const text = readFileSync(
  new URL('../../../../examples/02-shop-prices-with-tax.json', import.meta.url),
  'utf8',
)
const numbered = (() => {
  const document = JSON.parse(text)
  document.invoice.header.invoice_number = 'WEB-000041'
  document.invoice.issue_data.issue_date = '2026-03-05'
  return JSON.stringify(document)
})()

const settings: Settings = {
  operation: 'auto',
  today: '2026-03-05',
  locale: 'es',
  check: false,
  company: NO_COMPANY,
}
const TIMESTAMP = '2026-03-05T12:00:00+01:00'
const data = required(assessText(numbered, settings, null).data)

describe('verifactuOf', () => {
  it('generates the record of the README and its hash with the example system', () => {
    expect(verifactuOf(data, settings, TIMESTAMP)).toMatchObject({
      ok: true,
      hash: 'B6D23A594A7B890CF40E529D2D6C01F3C33AAB758EA7ABBDEF13F9863E9602A8',
    })
  })

  it.each([
    { previous_number: 'A-1' },
    { previous_date: '2026-03-04', previous_hash: 'zz' },
    { NIF: 'B12345674' },
    { IdSistemaInformatico: 'LONG', NombreRazon: '<&>' },
    { TipoUsoPosibleSoloVerifactu: 'maybe' },
  ])('rejects %j with messages', (stated) => {
    const result = verifactuOf(data, { ...settings, company: readCompanySettings(stated) }, TIMESTAMP)
    if (result.ok) throw new Error('a record was generated')
    expect(result.items.length).toBeGreaterThan(0)
    for (const { message } of result.items) expect(message.length).toBeGreaterThan(20)
  })
})

it('generates the SII record with its message', () => {
  expect(siiOf(data, settings, false)).toMatchObject({ ok: true, xml: expect.stringContaining('WEB-000041') })
})

it('the timestamp of a record is now, or noon of the chosen day', () => {
  const now = Date.UTC(2026, 6, 1, 8, 30, 5)
  expect(timestampFor('2026-07-01', now)).toBe('2026-07-01T10:30:05+02:00')
  expect(timestampFor('2026-01-02', now)).toBe('2026-01-02T12:00:00+01:00')
  expect(timestampFor('1950-01-02', now)).toBe('2026-07-01T10:30:05+02:00')
})

it.each([
  [text, 'needsNumber'],
  [numbered, null],
  ['{}', 'noData'],
  [numbered.replace('"tax_output_rate":21', '"tax_output_rate":20'), 'invalid'],
])('returns why there is no record', (sent, obstacle) => {
  expect(obstacleOf(assessText(sent, settings, null))).toBe(obstacle)
})

describe('the company', () => {
  it('is undefined while no field is entered', () => {
    expect(companyOf(NO_COMPANY)).toBe(undefined)
    expect(companyOf(readCompanySettings({ legal_name: 'Only a name' }))).toBe(undefined)
  })

  it('reads only texts of its fields', () => {
    expect(
      filledFieldsOf(readCompanySettings({ tax_id: 'B1', name: 'x', oss: 1, __proto__: { Version: 'y' } })),
    ).toEqual({
      tax_id: 'B1',
    })
    for (const value of [null, [], 'x', 3]) expect(readCompanySettings(value)).toEqual(NO_COMPANY)
  })

  it('survives encoding in a link, which omits it if there is none', async () => {
    const company = readCompanySettings({ tax_id: 'B12345674', legal_name: 'Ñandú & Cía, S.L.' })
    const shared = { text, operation: 'auto', today: null, check: false } as const
    expect(await decodeShared(await encodeShared({ ...shared, company }))).toEqual({
      shared: { ...shared, company },
    })
    const fragment = await encodeShared({ ...shared, company: null })
    expect(fragment).not.toContain('company')
    expect(await decodeShared(fragment)).toEqual({ shared: { ...shared, company: null } })
  })

  it('a link with an invalid date opens with the current date', async () => {
    const opened = await decodeShared('t=e30&today=2026-02-30')
    expect(opened).toMatchObject({ shared: { text: '{}', today: null } })
  })
})

it('a document with `$schema` is validated without it', () => {
  const named = JSON.stringify({ $schema: 'https://cuadra.example/x.json', ...JSON.parse(numbered) })
  expect(assessText(named, settings, null)).toMatchObject({ valid: true, errors: 0 })
  expect(assessText(JSON.stringify({ $schema: 1, ...JSON.parse(numbered) }), settings, null).errors).toBe(1)
})
