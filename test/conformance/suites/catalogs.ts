/** The fixed catalogs. */
import { expect } from 'vitest'
import { tokens } from '../../tokens.ts'
import type { TestServer } from '../harness.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const NAMES = tokens`tax-rates tax-groups tax-treatments exemption-reasons non-taxable-reasons
  non-deductible-reasons tax-regimes invoice-types payment-methods correction-reasons countries subdivisions
  units`

/** `01` to `count`. */
const codes = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'))

export function catalogsSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  it('each of the thirteen catalogs is a list of entries with code and name, for any key', async () => {
    const { id } = await server().company()
    const key = await server().key(id, { scopes: [] })
    for (const name of NAMES) {
      const { status, json } = await call('GET', `/catalogs/${name}`, { key })
      expect(`${name} ${status}`).toBe(`${name} 200`)
      expect(json.length, name).toBeGreaterThan(0)
      for (const entry of json)
        expect(typeof entry.code === 'string' && typeof entry.name === 'string', name).toBe(true)
    }
  })

  it('the catalogs have the values of the specification', async ({ key }) => {
    const get = async (name: string): Promise<Record<string, string>[]> =>
      (await call('GET', `/catalogs/${name}`, { key })).json
    const all = async (name: string) => (await get(name)).map(({ code }) => code)
    expect(await all('units')).toEqual(codes(36))
    expect(await all('payment-methods')).toEqual(codes(19))
    expect(await all('correction-reasons')).toEqual(codes(25))
    expect(await all('invoice-types')).toEqual(codes(5))
    expect((await all('tax-treatments')).sort()).toEqual([
      'NON_TAXABLE',
      'TAXABLE_EXEMPT',
      'TAXABLE_NON_EXEMPT',
      'TAXABLE_NON_EXEMPT_RC',
    ])
    expect(await all('tax-groups')).toEqual(expect.arrayContaining(['IVA', 'IGIC', 'IPSI']))
    const exemptions = await get('exemption-reasons')
    expect(
      exemptions.filter(({ tax_group_code }) => tax_group_code === 'IVA').map(({ code }) => code),
    ).toEqual(['E1', 'E2', 'E3', 'E4', 'E5', 'E6'])
    const rates = await get('tax-rates')
    const percents = (group: string) =>
      rates.filter(({ tax_group_code }) => tax_group_code === group).map(({ percent }) => percent)
    expect(percents('IVA')).toEqual(expect.arrayContaining([21, 10, 4, 0]))
    expect(percents('IGIC')).toEqual(expect.arrayContaining([0, 3, 7, 9.5, 13.5, 20, 35]))
    expect(await all('tax-regimes')).toEqual(expect.arrayContaining(['01', '07', '17']))
  })

  it('subdivisions state whether they are in the territory of the tax', async ({ key }) => {
    const { json } = await call('GET', '/catalogs/subdivisions', { key })
    const outside = json
      .filter((row: { is_tai: boolean }) => row.is_tai === false)
      .map((row: { ine: string }) => row.ine)
    expect(outside.sort()).toEqual([35, 38, 51, 52])
    for (const row of json) {
      expect(row.ine).toBeTypeOf('number')
      expect(row.code).toMatch(/^ES-[A-Z]{1,2}$/)
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining(['code', 'ine', 'name', 'name_secondary', 'is_tai']),
      )
    }
  })

  it('an unknown name is 404 not_found, with the list of names', async ({ key }) => {
    for (const name of ['nothing', '__proto__', 'constructor', 'tax-rates.json', '..%2Funits', 'Units']) {
      const { status, json } = await call('GET', `/catalogs/${name}`, { key })
      expect(`${name} ${status} ${json.detail.code}`).toBe(`${name} 404 not_found`)
      expect(json.detail.allowed).toEqual(NAMES)
    }
  })

  it('a client that has the current catalog gets 304', async ({ key }) => {
    const { headers } = await call('GET', '/catalogs/units', { key })
    // Weak if the list is compressed.
    const tag = headers.get('etag')?.replace(/^W\//, '') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
    const ask = (value: string) =>
      call('GET', '/catalogs/units', { key, headers: { 'If-None-Match': value } })
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers: again } = await ask(known)
      expect(`${status} "${text}"`).toBe('304 ""')
      expect(again.get('etag')).toBe(tag)
    }
    expect((await ask('"other"')).status).toBe(200)
    expect(
      (await call('GET', '/catalogs/countries', { key, headers: { 'If-None-Match': tag } })).status,
    ).toBe(200)
    // Without a key there is no 304.
    expect((await call('GET', '/catalogs/units', { headers: { 'If-None-Match': tag } })).status).toBe(401)
  })
}
