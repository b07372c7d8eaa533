/** Sends the examples of the OpenAPI document as they are. The responses become the examples of responses. */

import { EXAMPLES } from 'cuadra-server/http/examples.ts'
import { expect, it } from 'vitest'
import { certify } from '../certificates.ts'
import type { Answered, Request, TestCompany, TestServer } from '../harness.ts'
import { nextRef, receivedXml } from '../invoices.ts'

const DEMONSTRATION = {
  name: 'Comercial Demostración',
  legal_name: 'Comercial Demostración, S.L.',
  contact_name: 'Ana Demostración',
  contact_email: 'facturas@demostracion.example',
  contact_phone: '910000000',
  plan: { name: 'basic' },
}
const READABLE = ['', '/canonical', '/events', '/pdf', '/documents']

export function workedSuite(server: () => TestServer): void {
  const call = (company: TestCompany, method: string, path: string, request: Request = {}) =>
    server().call(method, path, { key: company.key, worked: true, ...request })
  /** The example of an operation, with the ids of this company. */
  const exampleOf = ({ data }: TestCompany, name: string): unknown =>
    JSON.parse(JSON.stringify(EXAMPLES[name]).replaceAll('B77777779', data.tax_id))
  /** Sends the example of an operation, which must succeed. */
  async function send(
    company: TestCompany,
    method: string,
    pattern: string,
    ids: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
    const body = exampleOf(company, `${method.toLowerCase()} ${pattern}`)
    const answer = await call(company, method, path, { body })
    const { errors = [], rejected = 0 } = answer.json ?? {}
    expect([method, pattern, answer.status < 300, errors, rejected, answer.json.detail]).toEqual([
      method,
      pattern,
      true,
      [],
      0,
      undefined,
    ])
    return answer
  }
  const attach = (company: TestCompany, path: string) => {
    const form = new FormData()
    form.append('file', new Blob(['Entregado el 3 de marzo.'], { type: 'text/plain' }), 'albaran-417.txt')
    return call(company, 'POST', `${path}/documents`, { body: form })
  }
  /** Reads everything of an invoice. */
  async function read(company: TestCompany, path: string): Promise<void> {
    const { json } = await attach(company, path)
    for (const part of READABLE) {
      if (part === '/pdf' && path.startsWith('/drafts')) continue
      expect([part, (await call(company, 'GET', path + part)).status]).toEqual([part, 200])
    }
    const one = `${path}/documents/${json.public_id}`
    expect((await call(company, 'GET', one)).status).toBe(200)
    expect((await call(company, 'DELETE', one)).status).toBe(204)
  }

  it('drafts: the examples of their operations are accepted as they are', async () => {
    const company = await server().company(DEMONSTRATION)
    const { json } = await send(company, 'PUT', '/drafts')
    const draft = `/drafts/${json.id}`
    await send(company, 'POST', '/drafts/validate')
    await read(company, draft)
    expect((await call(company, 'POST', `${draft}/validate`)).json.is_valid).toBe(true)
    await call(company, 'GET', '/drafts?limit=2')
    expect((await call(company, 'DELETE', draft)).status).toBe(204)
    await send(company, 'POST', '/drafts/batch')
  })

  it('issued invoices: the examples of their operations are accepted as they are', async () => {
    const company = await server().company(DEMONSTRATION)
    await certify(server(), company.id, { name: 'Certificado de demostración' })
    await send(company, 'PUT', '/verifactu/config')
    const { json } = await send(company, 'PUT', '/drafts')
    const ids = { invoice_id: json.id }
    await send(company, 'POST', '/issued-invoices/validate')
    await send(company, 'POST', '/issued-invoices/{invoice_id}/issue', ids)
    const path = `/issued-invoices/${json.id}`
    await read(company, path)
    await call(company, 'GET', '/issued-invoices?limit=2')
    expect((await call(company, 'GET', `${path}/export?format=ubl_2_1`)).status).toBe(200)
    for (const part of ['/verifactu/records', '/sii/status'])
      expect((await call(company, 'GET', `/invoices/${json.id}${part}`)).status).toBe(200)
    await send(company, 'POST', '/issued-invoices/{invoice_id}/corrective', ids)
    await send(company, 'POST', '/issued-invoices/{invoice_id}/send', ids)
    expect((await call(company, 'POST', `${path}/cancel`)).json.status).toBe('cancelled')
    await call(company, 'GET', '/verifactu/config')
    await call(company, 'GET', '/certificates')
    const { json: imported } = await send(company, 'POST', '/issued-invoices/import')
    expect((await call(company, 'DELETE', `/issued-invoices/${imported.id}`)).status).toBe(204)
    await send(company, 'POST', '/issued-invoices/import/batch')
  })

  it('received invoices: the examples of their operations are accepted as they are', async () => {
    const company = await server().company(DEMONSTRATION)
    const { json } = await send(company, 'PUT', '/received-invoices')
    await send(company, 'POST', '/received-invoices/validate')
    await read(company, `/received-invoices/${json.id}`)
    await call(company, 'GET', '/received-invoices?limit=2')
    await call(company, 'POST', `/received-invoices/${json.id}/validate`)
    const body = receivedXml({ taxId: company.data.tax_id, number: nextRef('A') }, 'ubl_2_1')
    const headers = { 'Content-Type': 'application/xml' }
    const xml = await call(company, 'POST', '/received-invoices/import?format=ubl_2_1', { body, headers })
    expect([xml.status, xml.json.errors]).toEqual([201, []])
    expect((await call(company, 'DELETE', `/received-invoices/${json.id}`)).status).toBe(204)
  })

  it('the tax authority and the company: the examples of their operations are accepted as they are', async () => {
    const company = await server().company({
      ...DEMONSTRATION,
      fiscal_systems: { verifactu_in_plan: true, sii_in_plan: true },
    })
    await call(company, 'GET', '/company')
    await call(company, 'GET', '/companies')
    await call(company, 'GET', '/catalogs/withholding-rates')
    await call(company, 'GET', '/health')
    await certify(server(), company.id, { name: 'Certificado de demostración' })
    const unsent = { body: { mode: 'no_verifactu' } }
    expect((await server().call('PUT', '/verifactu/config', { key: company.key, ...unsent })).status).toBe(
      200,
    )
    await send(company, 'POST', '/verifactu/sif')
    await call(company, 'GET', '/verifactu/sif')
    await send(company, 'PUT', '/sii/config')
    await call(company, 'GET', '/sii/config')
  })
}
