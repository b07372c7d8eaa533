/** The assisted corrective: a draft built from the invoice it corrects. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { type Document, draft, nextRef } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const totalsOf = (base: number, tax: number, total = base + tax) => ({
  total_gross_amount_before_taxes: base,
  total_tax_outputs: tax,
  invoice_total: total,
})
const line = (members: Record<string, unknown>) => ({
  item_description: 'Material',
  quantity: 1,
  unit_price_without_tax: 100,
  tax_output_rate: 21,
  ...members,
})

export function correctiveSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issue, issued, importing, get, canonical, eventsOf, cancel, become } = stepsOf(server)
  const requestOf = (changes: Record<string, unknown> = {}) => ({
    correction_type: 'S',
    reason_code: '16',
    series_code: 'R',
    external_ref: nextRef(),
    ...changes,
  })
  const correct = (key: string, id: string, changes: Record<string, unknown> = {}) =>
    call('POST', `/issued-invoices/${id}/corrective`, { key, body: requestOf(changes) })
  const difference = (members: Record<string, unknown> = {}) => ({
    description: 'Abono',
    quantity: -1,
    unit_price_without_tax: 10,
    ...members,
  })
  const differences = (...lines: unknown[]) => ({ correction_type: 'D', lines })
  const draftOf = (key: string, id: string): Promise<Document> => canonical(key, id)

  it('by substitution the draft has type 03 and the lines and amounts of the original, and can be issued', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const lines = [
      line({ unit_of_measure: '01', discount_rate: 10 }),
      line({ tax_output_rate: 10, article_code: 'X' }),
    ]
    const original = await issued(key, draft({ invoice: { lines, totals: totalsOf(190, 28.9) } }))
    const external_ref = nextRef()
    const answer = await correct(key, original.id, { external_ref, reason_description: 'Precio' })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const { invoice, meta } = await draftOf(key, answer.json.id)
    expect(meta).toMatchObject({ direction: 'issued', source_system: 'tests', external_ref })
    expect(invoice.header).toMatchObject({
      invoice_type_code: '03',
      invoice_series_code: 'R',
      is_corrective: true,
      corrective: {
        reason_code: '16',
        reason_description: 'Precio',
        invoice_number: original.number,
        invoice_series_code: 'F',
        invoice_issue_date: original.issue_date,
        correction_type: 'S',
        corrected_taxable_base: 190,
        corrected_tax_amount: 28.9,
      },
    })
    expect(invoice.header.invoice_number).toBeUndefined()
    expect(invoice.issue_data.issue_date).toBeUndefined()
    expect(invoice.lines).toMatchObject(lines)
    expect(invoice.totals.invoice_total).toBe(218.9)
    expect(await get(key, answer.json.id)).toMatchObject({
      status: 'draft',
      external_id: external_ref,
      corrections: {
        corrects: { match_status: 'matched', corrected_invoice_id: original.id, correction_type: 'S' },
      },
    })
    expect((await eventsOf(key, answer.json.id))[0].details.corrects).toEqual({
      invoice_id: original.id,
      number: original.number,
    })
    expect((await issue(key, answer.json.id)).json).toMatchObject({ status: 'issued', number: 'R000001' })
    // The original keeps its status.
    expect((await get(key, original.id)).status).toBe('issued')
  })

  it('a substitution accepts its own corrected amounts', async ({ key }) => {
    const { id } = await issued(key)
    const amounts = { corrected_taxable_base: 90, corrected_tax_amount: 0 }
    const answer = await correct(key, id, { ...amounts, lines: [], reason_description: null })
    expect((await draftOf(key, answer.json.id)).invoice.header.corrective).toMatchObject(amounts)
  })

  it('an invoice with discounts, withholding and payments on account is substituted', async ({ key }) => {
    const lines = [line({ quantity: 2, tax_withheld_rate: 19 })]
    const totals = {
      ...totalsOf(180, 37.8, 217.8),
      general_discounts: [{ discount_reason: 'Fidelidad', discount_rate: 10 }],
      payments_on_account: [
        { payment_on_account_date: '2026-01-02', payment_on_account_amount: 50, description: 'Señal' },
      ],
    }
    const original = await issued(key, draft({ invoice: { lines, totals } }))
    const answer = await correct(key, original.id)
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const [before, after] = [await draftOf(key, original.id), await draftOf(key, answer.json.id)]
    expect(after.invoice.totals).toEqual(before.invoice.totals)
    expect(after.invoice.taxes_withheld).toEqual(before.invoice.taxes_withheld)
  })

  it('by differences the draft has the signed lines, taxed like the original', async ({ key, companyId }) => {
    await activateVerifactu(server(), companyId)
    const lines = [line({ tax_withheld_rate: 19, item_type: 'service' })]
    const original = await issued(key, draft({ invoice: { lines, totals: totalsOf(100, 21) } }))
    const answer = await correct(key, original.id, {
      ...differences(difference(), difference({ quantity: 0.5, unit_price_without_tax: -4 })),
      reason_code: '20',
    })
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const { invoice } = await draftOf(key, answer.json.id)
    expect(invoice.lines).toMatchObject([
      {
        item_description: 'Abono',
        quantity: -1,
        tax_output_rate: 21,
        tax_withheld_rate: 19,
        item_type: 'service',
      },
      { quantity: 0.5, unit_price_without_tax: -4, tax_output_rate: 21 },
    ])
    expect(invoice.totals).toMatchObject({ ...totalsOf(-12, -2.52, -14.52), total_taxes_withheld: -2.28 })
    expect(invoice.header.corrective.corrected_taxable_base).toBeUndefined()
    expect((await issue(key, answer.json.id)).json.total).toBe(-14.52)
  })

  it('exempt and reverse-charge invoices are corrected by differences', async ({ key }) => {
    for (const members of [
      { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' },
      { reverse_charge: true },
    ]) {
      const lines = [line({ ...members, tax_output_rate: 0 })]
      const original = await issued(key, draft({ invoice: { lines, totals: totalsOf(100, 0) } }))
      const answer = await correct(key, original.id, differences(difference()))
      expect(answer.json).toMatchObject({ success: true, errors: [] })
      const { invoice } = await draftOf(key, answer.json.id)
      expect(invoice.lines[0]).toMatchObject(members)
      expect(invoice.totals).toMatchObject(totalsOf(-10, 0))
    }
  })

  it('if the original has several rates, each line of a difference states its own', async ({ key }) => {
    const lines = [line({}), line({ tax_output_rate: 10 })]
    const { id } = await issued(key, draft({ invoice: { lines, totals: totalsOf(200, 31) } }))
    const ambiguous = await correct(key, id, differences(difference()))
    expect(statusAndCode(ambiguous)).toBe('422 corrective_draft_invalid')
    expect(ambiguous.json.detail).toMatchObject({
      reason: 'tax_rate_ambiguous',
      allowed: [21, 10],
      path: '/lines/0',
    })
    const named = await correct(
      key,
      id,
      differences(difference({ tax_output_rate: 10 }), difference({ tax_output_rate: 21 })),
    )
    expect((await draftOf(key, named.json.id)).invoice.totals).toMatchObject(totalsOf(-20, -3.1))
    // The rate itself was wrong, so the correct one is not in the original.
    const moved = await correct(key, id, {
      ...differences(difference({ tax_output_rate: 10 }), difference({ quantity: 1, tax_output_rate: 4 })),
      reason_code: '11',
    })
    expect(moved.json).toMatchObject({ success: true, errors: [] })
    expect((await draftOf(key, moved.json.id)).invoice.totals).toMatchObject(totalsOf(0, -0.6))
  })

  it('a difference of an original with several withholding rates is refused as ambiguous', async () => {
    const { key } = await server().company()
    const lines = [line({ tax_withheld_rate: 15 }), line({ tax_withheld_rate: 7 })]
    const { id } = await issued(key, draft({ invoice: { lines, totals: totalsOf(200, 42) } }))
    const { json } = await correct(key, id, differences(difference()))
    expect(json.detail).toMatchObject({ reason: 'withholding_ambiguous', allowed: [15, 7] })
  })

  it('by differences the equivalence surcharge of the original is kept', async ({ key }) => {
    const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 5.2 }
    const taxes_outputs = [{ ...entry, equivalence_surcharge_amount: 5.2 }]
    const totals = totalsOf(100, 26.2)
    // Retailers that pay the surcharge are natural persons (art. 148 Ley 37/1992).
    const customer = { person_type_code: 'F', tax_id: '12345678Z', name: 'Ana Pérez' }
    const { id } = await issued(key, draft({ invoice: { customer, taxes_outputs, totals } }))
    const answer = await correct(key, id, differences(difference()))
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const { invoice } = await draftOf(key, answer.json.id)
    expect(invoice.taxes_outputs).toMatchObject([
      {
        taxable_base: -10,
        tax_amount: -2.1,
        equivalence_surcharge: 5.2,
        equivalence_surcharge_amount: -0.52,
      },
    ])
    expect(invoice.totals).toMatchObject(totalsOf(-10, -2.62, -12.62))
    const substituted = await correct(key, id)
    expect(substituted.json).toMatchObject({ success: true, errors: [] })
    expect((await draftOf(key, substituted.json.id)).invoice.totals).toMatchObject(totals)
    const half = { ...entry, taxable_base: 50, tax_amount: 10.5 }
    const { equivalence_surcharge: _, ...plain } = half
    const split = await issued(
      key,
      draft({ invoice: { taxes_outputs: [half, plain], totals: totalsOf(100, 23.6) } }),
    )
    const refused = await correct(key, split.id, differences(difference()))
    expect(refused.json.detail.reason).toBe('equivalence_surcharge_ambiguous')
  })

  it('by substitution the record states tax and equivalence surcharge of the original separately', async () => {
    const { key, id: companyId } = await server().company()
    await activateVerifactu(server(), companyId)
    const entry = { tax_rate: 21, taxable_base: 100, tax_amount: 21, equivalence_surcharge: 5.2 }
    const { id } = await issued(
      key,
      draft({ invoice: { taxes_outputs: [entry], totals: totalsOf(100, 26.2) } }),
    )
    const recordOf = async (changes: Record<string, unknown>, original = id) => {
      const { json } = await correct(key, original, changes)
      expect((await issue(key, json.id)).status).toBe(200)
      const own = (await server().store()).of(companyId)
      const { record } = await own
        .find('verifactu_records', { invoice_id: json.id })
        .select('record')
        .executeTakeFirstOrThrow()
      return JSON.parse(record).RegistroAlta.ImporteRectificacion
    }
    expect(await recordOf({})).toEqual({
      BaseRectificada: '100.00',
      CuotaRectificada: '21.00',
      CuotaRecargoRectificado: '5.20',
    })
    // An amount of the client includes everything.
    expect(await recordOf({ corrected_tax_amount: 26.2 })).toEqual({
      BaseRectificada: '100.00',
      CuotaRectificada: '26.20',
    })
    // An original without surcharge is recorded with 0.
    const { id: plain } = await issued(key)
    expect(await recordOf({}, plain)).toMatchObject({ CuotaRecargoRectificado: '0.00' })
  })

  it('by substitution of a margin scheme the corrected base is the margin', async ({ key }) => {
    const example = new URL('../../../examples/10-margin-used-goods.json', import.meta.url)
    const { lines, totals } = JSON.parse(readFileSync(example, 'utf8')).invoice
    const { id } = await issued(key, draft({ invoice: { lines, totals } }))
    const { json } = await correct(key, id, {})
    const { invoice } = (await call('GET', `/drafts/${json.id}/canonical`, { key })).json
    expect(invoice.header.corrective.corrected_taxable_base).toBe(140.5)
  })

  it('an invoice that is not a corrective corrects nothing, whatever it states', async ({ key }) => {
    const { id, number, issue_date } = await issued(key)
    const corrective = {
      reason_code: '01',
      invoice_number: number,
      invoice_issue_date: issue_date,
      correction_type: 'D',
    }
    const header = { invoice_type_code: '01', invoice_series_code: 'F', corrective }
    expect((await issued(key, draft({ invoice: { header } }))).corrections).toBeNull()
    expect((await get(key, id)).corrections).toBeNull()
  })

  it('a simplified original is corrected by type 04', async ({ key }) => {
    const document = draft({ invoice: { header: { invoice_type_code: '02', invoice_series_code: 'T' } } })
    delete document.invoice.customer
    const original = await issued(key, document)
    const answer = await correct(key, original.id, differences(difference()))
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const corrective = await issue(key, answer.json.id)
    const { invoice } = await canonical(key, answer.json.id)
    expect(invoice.header).toMatchObject({ invoice_type_code: '04', is_simplified: true })
    expect(corrective.status).toBe(200)
    const again = await correct(key, answer.json.id)
    expect((await draftOf(key, again.json.id)).invoice.header.invoice_type_code).toBe('04')
  })

  it('imported and sent invoices can be corrected, whatever errors their totals have', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    const wrong = await importing(company, { number: 'N-1', invoice: { totals: totalsOf(100, 21, 120) } })
    await become(companyId, wrong.json.id, 'sent')
    const answer = await correct(key, wrong.json.id)
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    expect((await draftOf(key, answer.json.id)).invoice).toMatchObject({
      header: {
        corrective: { invoice_number: 'N-1', invoice_series_code: 'OLD', invoice_issue_date: '2026-03-02' },
      },
      totals: { invoice_total: 121 },
    })
  })

  it.each([
    ['used goods', '03', 830, 660, [800.49, 29.51]],
    ['a trip of a travel agency', '05', 1000, 800, [965.29, 34.71]],
  ] as const)('%s are not corrected by differences, which state no purchase price', async (...of) => {
    const [, tax_regime_key, unit_price_with_tax, purchase_price_incl, [base, tax]] = of
    const { key } = await server().company()
    const price = {
      unit_price_without_tax: undefined,
      unit_price_with_tax,
      tax_regime_key,
      purchase_price_incl,
    }
    const invoice = { lines: [line(price)], totals: totalsOf(base, tax, unit_price_with_tax) }
    const { id } = await issued(key, draft({ invoice }))
    for (const tax_output_rate of [undefined, 21, 10]) {
      const answer = await correct(key, id, differences(difference({ tax_output_rate })))
      expect(statusAndCode(answer)).toBe('422 corrective_draft_invalid')
      expect(answer.json.detail).toMatchObject({
        reason: 'margin_scheme',
        path: '/lines/0',
        hint: expect.stringContaining('purchase_price_incl'),
      })
    }
    // By substitution, the draft has the purchase price and the same amounts.
    const { json } = await correct(key, id)
    const after = (await draftOf(key, json.id)).invoice
    expect(after.lines[0]).toMatchObject({ unit_price_with_tax, tax_regime_key, purchase_price_incl })
    expect(after.totals).toEqual((await draftOf(key, id)).invoice.totals)
    // The advice leads to the difference of the margin.
    const returned = draft({ series: 'R', invoice })
    returned.invoice.lines[0].quantity = -1
    returned.invoice.totals = totalsOf(-base, -tax, -unit_price_with_tax)
    returned.invoice.header = { ...(await draftOf(key, json.id)).invoice.header }
    for (const computed of ['is_simplified', 'is_corrective']) delete returned.invoice.header[computed]
    const {
      corrected_taxable_base: _,
      corrected_tax_amount: __,
      ...corrective
    } = returned.invoice.header.corrective
    returned.invoice.header.corrective = { ...corrective, correction_type: 'D' }
    const saving = await call('PUT', '/drafts', { key, body: returned })
    expect(saving.json).toMatchObject({ success: true, errors: [] })
  })

  it('a line beside lines under a margin scheme is corrected by differences', async ({ key }) => {
    const price = (unit_price_with_tax: number) => ({
      unit_price_without_tax: undefined,
      unit_price_with_tax,
    })
    const lines = [
      line({ ...price(110), tax_output_rate: 10 }),
      line({ ...price(830), tax_regime_key: '03', purchase_price_incl: 660 }),
    ]
    const { id } = await issued(key, draft({ invoice: { lines, totals: totalsOf(900.49, 39.51, 940) } }))
    const answer = await correct(
      key,
      id,
      differences(difference({ tax_output_rate: 10 }), difference({ quantity: 1, tax_output_rate: 4 })),
    )
    expect((await draftOf(key, answer.json.id)).invoice.totals).toMatchObject(totalsOf(0, -0.6))
    const onMargin = await correct(key, id, differences(difference({ tax_output_rate: 21 })))
    expect(onMargin.json.detail.reason).toBe('margin_scheme')
  })

  it('only an issued or sent invoice can be corrected', async ({ key, companyId }) => {
    const id = await saved(key)
    for (const status of ['draft', 'queued', 'cancelled'] as const) {
      await become(companyId, id, status)
      // The status is checked before the request.
      const answer = await correct(key, id, { correction_type: 'D' })
      expect(statusAndCode(answer)).toBe('409 invoice_not_issued_for_correction')
      expect(answer.json.detail.from).toBe(status)
    }
    expect(statusAndCode(await correct(key, randomUUID()))).toBe('404 invoice_not_found')
    const { id: gone } = await issued(key)
    await cancel(key, gone)
    expect(statusAndCode(await correct(key, gone))).toBe('409 invoice_not_issued_for_correction')
  })

  it('a reference that is taken is refused, and nothing changes', async ({ key }) => {
    const original = await issued(key, draft({ ref: 'ORIGINAL' }))
    const other = await saved(key, draft({ ref: 'OTHER' }))
    for (const external_ref of ['ORIGINAL', 'OTHER'])
      expect(statusAndCode(await correct(key, original.id, { external_ref }))).toBe(
        '409 invoice_update_not_allowed',
      )
    expect((await get(key, other)).corrections).toBeNull()
    const twice = await Promise.all([1, 2, 3].map(() => correct(key, original.id, { external_ref: 'ONCE' })))
    expect(twice.map(statusAndCode).sort()).toEqual([
      '201',
      '409 invoice_update_not_allowed',
      '409 invoice_update_not_allowed',
    ])
  })

  it('a repeated request names the draft of the first one', async ({ key }) => {
    const original = await issued(key)
    const external_ref = nextRef()
    const first = await correct(key, original.id, { external_ref })
    const again = await correct(key, original.id, { external_ref })
    expect(statusAndCode(again)).toBe('409 invoice_update_not_allowed')
    expect(again.json.detail.invoice_id).toBe(first.json.id)
    expect(again.json.detail.message).toContain(`the draft ${first.json.id} already has this external_ref`)
    // If it is no longer a draft, only the owner of the reference is named.
    await issue(key, first.json.id)
    const late = await correct(key, original.id, { external_ref })
    expect([statusAndCode(late), late.json.detail.invoice_id]).toEqual([
      '409 invoice_update_not_allowed',
      first.json.id,
    ])
    expect(late.json.detail.reason).toBe('its meta.external_ref belongs to another invoice')
  })

  it('a corrective matches the invoice with its number, series and date; missing members match any', async () => {
    const company = await server().company()
    const { key } = company
    const { id } = (await importing(company, { number: 'O-1', series: 'OLD', date: '2026-03-02' })).json
    const meaning = async (series: string | undefined, invoice_issue_date: string) => {
      const document = draft({ series: 'R' })
      document.invoice.header.invoice_type_code = '03'
      document.invoice.header.corrective = {
        reason_code: '16',
        invoice_number: 'O-1',
        ...(series === undefined ? {} : { invoice_series_code: series }),
        invoice_issue_date,
        correction_type: 'D',
      }
      const { corrects } = (await get(key, await saved(key, document))).corrections
      return [corrects.match_status, corrects.corrected_invoice_id]
    }
    expect(await meaning('OLD', '2026-03-02')).toEqual(['matched', id])
    expect(await meaning(undefined, '2026-03-02')).toEqual(['matched', id])
    expect(await meaning('OTHER', '2026-03-02')).toEqual(['not_found', null])
    expect(await meaning('OLD', '2026-03-03')).toEqual(['not_found', null])
    // A corrective of another invoice is not listed with the original.
    const corrective = (series: string) => {
      const document = draft({ series: 'R' })
      document.invoice.header.invoice_type_code = '03'
      document.invoice.header.corrective = {
        reason_code: '16',
        invoice_number: 'O-1',
        invoice_series_code: series,
        invoice_issue_date: '2026-03-02',
        correction_type: 'D',
      }
      return document
    }
    await issued(key, corrective('OTHER'))
    expect((await get(key, id)).corrections).toBeNull()
    const right = await issued(key, corrective('OLD'))
    expect((await get(key, id)).corrections.corrected_by).toMatchObject([{ invoice_id: right.id }])
  })

  it('a corrective that cannot be built is refused with a reason for programs and a message for people', async () => {
    const { key } = await server().company()
    const { id } = await issued(key)
    const cases: [string, Record<string, unknown>][] = [
      ['lines_required_for_differences', { correction_type: 'D' }],
      ['lines_required_for_differences', { correction_type: 'D', lines: [] }],
      ['lines_required_for_differences', { correction_type: 'D', lines: null }],
      ['lines_only_for_differences', { lines: [difference()] }],
      ['corrected_amounts_only_for_substitution', { ...differences(difference()), corrected_tax_amount: 1 }],
      ['corrective_reason_unknown', { reason_code: '26' }],
      ['corrective_reason_unknown', { reason_code: '1' }],
      ['schema_validation_failed', differences(difference({ quantity: 9e11, unit_price_without_tax: 9e11 }))],
    ]
    for (const [reason, changes] of cases) {
      const answer = await correct(key, id, changes)
      expect(statusAndCode(answer)).toBe('422 corrective_draft_invalid')
      expect(answer.json.detail.reason).toBe(reason)
      expect(answer.json.detail.hint ?? answer.json.detail.errors).toBeTruthy()
    }
    expect((await call('GET', '/drafts', { key })).json.total).toBe(0)
  })

  it('a request of another shape is refused', async ({ key }) => {
    const { id } = await issued(key)
    for (const changes of [
      { correction_type: 'X' },
      { correction_type: undefined },
      { external_ref: undefined },
      { external_ref: '' },
      { external_ref: 'x'.repeat(61) },
      { series_code: undefined },
      { series_code: 'x'.repeat(61) },
      { reason_code: undefined },
      { reason_code: 16 },
      { unknown: 1 },
      { corrected_taxable_base: '1' },
      differences(difference({ unknown: 1 })),
      differences(difference({ quantity: '1' })),
      differences({ description: 'x', quantity: 1 }),
    ])
      expect([changes, statusAndCode(await correct(key, id, changes))]).toEqual([
        changes,
        '422 request_validation_error',
      ])
    expect(statusAndCode(await call('POST', `/issued-invoices/${id}/corrective`, { key }))).toMatch(
      /^4(15|22)/,
    )
  })
}
