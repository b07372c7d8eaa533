/** Drafts, over HTTP. */
import { expect, it } from 'vitest'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { draft, nextRef, wrongDraft } from '../invoices.ts'

export function draftsSuite(server: () => TestServer): void {
  it('PUT /drafts saves a draft and GET shows it without number and date', async () => {
    const { call, company } = server()
    const { key, data } = await company()
    const ref = nextRef()
    const saved = await call('PUT', '/drafts', { key, body: draft({ ref, series: 'A' }) })
    expect(saved.status).toBe(201)
    expect(saved.json).toMatchObject({ success: true, errors: [] })
    const { json } = await call('GET', `/drafts/${saved.json.id}`, { key })
    expect(json).toMatchObject({
      id: saved.json.id,
      status: 'draft',
      series: null,
      number: null,
      issue_date: null,
      external_id: ref,
      supplier_tax_id: data.tax_id,
      total: 121,
    })
    transition('none -> PUT /drafts -> draft')
  })

  it('a draft with business errors is saved with success false', async () => {
    const { call, company } = server()
    const { key } = await company()
    const saved = await call('PUT', '/drafts', { key, body: wrongDraft() })
    expect(saved.status).toBe(201)
    expect(saved.json.success).toBe(false)
    expect(saved.json.errors[0].code).toBe('tax_rate_unknown')
    expect((await call('GET', `/drafts/${saved.json.id}`, { key })).json.status).toBe('draft')
  })
}
