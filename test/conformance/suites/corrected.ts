/** A corrective invoice beside the invoice that it corrects: what is questioned, by case and by way in. */
import { describe, expect } from 'vitest'
import type { TestCompany, TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, received, receivedXml } from '../invoices.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const CODES = [
  'corrective_type_wrong',
  'corrected_invoice_mismatch',
  'corrected_invoice_cancelled',
  'corrected_invoice_substituted',
  'corrected_amount_exceeded',
  'corrected_amounts_changed',
]
const [TYPE, MISMATCH, CANCELLED, SUBSTITUTED, EXCEEDED, CHANGED] = CODES as [
  string,
  string,
  string,
  string,
  string,
  string,
]

/** The corrected invoice: 100 at 21 %, of 2 March 2026. */
const ORIGINAL = { number: 'O-1', date: '2026-03-02' }

const amounts = (base: number) => ({
  lines: [
    {
      item_description: 'Servicio',
      quantity: Math.sign(base),
      unit_price_without_tax: Math.abs(base),
      tax_output_rate: 21,
    },
  ],
  totals: {
    total_gross_amount_before_taxes: base,
    total_tax_outputs: Math.round(base * 21) / 100,
    invoice_total: Math.round(base * 121) / 100,
  },
})

/** Returns the blocks of a corrective invoice of the original. */
const corrective = (base: number, block: object = {}, header: object = {}) => ({
  header: {
    invoice_type_code: '03',
    invoice_series_code: 'C',
    corrective: {
      reason_code: '16',
      correction_type: 'D',
      invoice_number: ORIGINAL.number,
      invoice_series_code: 'OLD',
      invoice_issue_date: ORIGINAL.date,
      ...block,
    },
    ...header,
  },
  ...amounts(base),
})
const substitution = (base: number, block: object = {}) =>
  corrective(base, {
    correction_type: 'S',
    corrected_taxable_base: 100,
    corrected_tax_amount: 21,
    ...block,
  })

interface Item {
  readonly code: string
  readonly severity: string
  readonly message: string
}

/** Returns the codes of the comparison, after checking that they are warnings with their figures filled in. */
function questions(errors: readonly Item[]): readonly string[] {
  const found = errors.filter(({ code }) => CODES.includes(code))
  for (const { severity, message } of found) {
    expect(severity).toBe('warning')
    expect(message).toMatch(/^[^{}]+\(art\. 15 RD 1619\/2012[^{}]*\)$/)
  }
  return found.map(({ code }) => code)
}

export function correctedSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, put, issue, importing, eventsOf, cancel } = stepsOf(server)

  interface Stored {
    readonly company: TestCompany
    /** Imports an invoice with this number and returns its id. */
    readonly add: (number: string, invoice: Document, date?: string) => Promise<string>
  }
  const withOriginal = async (invoice: Document): Promise<Stored & { readonly original: string }> => {
    const company = await server().company()
    const add: Stored['add'] = async (number, one, date = '2026-03-10') => {
      const series = one.header?.invoice_series_code ?? 'OLD'
      return (await importing(company, { number, date, series, ref: number, invoice: one })).json.id
    }
    return { company, add, original: await add(ORIGINAL.number, invoice, ORIGINAL.date) }
  }

  const TICKET = { header: { invoice_type_code: '02', invoice_series_code: 'OLD' }, customer: undefined }
  interface Case {
    readonly original?: Document
    readonly before?: (stored: Stored & { readonly original: string }) => Promise<unknown>
    readonly corrective: Document
    readonly found: readonly string[]
  }
  const CASES: Readonly<Record<string, Case>> = {
    'type 03 for a simplified invoice': { original: TICKET, corrective: corrective(-10), found: [TYPE] },
    'type 04 for a full invoice': {
      corrective: corrective(-10, {}, { invoice_type_code: '04' }),
      found: [TYPE],
    },
    'a known number with another date of the year': {
      corrective: corrective(-10, { invoice_issue_date: '2026-03-01' }),
      found: [MISMATCH],
    },
    'a known number with another series': {
      corrective: corrective(-10, { invoice_series_code: 'OTHER' }),
      found: [MISMATCH],
    },
    'a cancelled original': {
      before: ({ company, original }) => cancel(company.key, original),
      corrective: corrective(-10),
      found: [CANCELLED],
    },
    'a second substitution': {
      before: ({ add }) => add('C-0', substitution(90)),
      corrective: substitution(80),
      found: [SUBSTITUTED],
    },
    'one difference beyond the original': { corrective: corrective(-5000), found: [EXCEEDED] },
    'one beyond the original that states its period': {
      corrective: corrective(-5000, { tax_period: { start_date: '2026-03-01', end_date: '2026-03-31' } }),
      found: [EXCEEDED],
    },
    'differences that together go beyond the original': {
      before: ({ add }) => add('C-0', corrective(-60)),
      corrective: corrective(-60),
      found: [EXCEEDED],
    },
    'differences beyond what a substitution left': {
      before: ({ add }) => add('C-0', substitution(50)),
      corrective: corrective(-60),
      found: [EXCEEDED],
    },
    'a substitution with the amounts of before a further import': {
      before: ({ add }) => add(ORIGINAL.number, amounts(300), ORIGINAL.date),
      corrective: substitution(90),
      found: [CHANGED, CHANGED],
    },
    // Near misses.
    'differences that add up to the original': {
      before: ({ add }) => add('C-0', corrective(-40)),
      corrective: corrective(-60),
      found: [],
    },
    'a substitution of an invoice that was corrected by differences': {
      before: ({ add }) => add('C-0', corrective(-40)),
      corrective: substitution(60),
      found: [],
    },
    'a corrective of a corrective': {
      before: ({ add }) => add('C-0', substitution(90)),
      corrective: substitution(80, {
        invoice_number: 'C-0',
        invoice_series_code: 'C',
        invoice_issue_date: '2026-03-10',
        corrected_taxable_base: 90,
        corrected_tax_amount: 18.9,
      }),
      found: [],
    },
    'the same number of another year, imported': {
      corrective: corrective(-5000, { invoice_issue_date: '2025-03-02' }),
      found: [],
    },
    'an original that is not stored': { corrective: corrective(-5000, { invoice_number: 'O-2' }), found: [] },
    'a volume discount of a period, which corrects several invoices': {
      corrective: corrective(-5000, {
        reason_code: '20',
        tax_period: { start_date: '2026-01-01', end_date: '2026-03-02' },
      }),
      found: [],
    },
    'type 04 for a simplified invoice': {
      original: TICKET,
      corrective: corrective(-10, {}, { invoice_type_code: '04' }),
      found: [],
    },
  }

  describe.each(Object.entries(CASES))('%s', (_, { original = {}, before, corrective: invoice, found }) => {
    const prepared = async () => {
      const stored = await withOriginal(original)
      await before?.(stored)
      return stored
    }
    it(`${found.length > 0 ? 'is questioned' : 'is not questioned'} on the draft, at each validation, and in the event of the issue`, async () => {
      const { key } = (await prepared()).company
      const saved = (await put(key, draft({ invoice }))).json
      expect([saved.success, questions(saved.errors)]).toEqual([true, found])
      const validated = (await call('POST', `/drafts/${saved.id}/validate`, { key })).json
      expect([validated.is_valid, questions(validated.errors)]).toEqual([true, found])
      expect((await issue(key, saved.id)).status).toBe(200)
      expect((await eventsOf(key, saved.id)).at(-1).details.warnings ?? []).toEqual(found)
    })

    it(`${found.length > 0 ? 'is questioned' : 'is not questioned'} by an import, which is never blocked`, async () => {
      const { company } = await prepared()
      const { key, data } = company
      const body = imported({ taxId: data.tax_id, number: 'C-1', series: 'C', date: '2026-03-20', invoice })
      body.invoice.header.invoice_number = 'C-1'
      const first = (await call('POST', '/issued-invoices/import', { key, body })).json
      expect([first.success, questions(first.errors)]).toEqual([true, found])
      // The import itself is not another corrective of the original.
      const again = (await call('POST', '/issued-invoices/import', { key, body })).json
      expect([again.id, questions(again.errors)]).toEqual([first.id, found])
    })
  })

  it('the original may change after the draft: the warning comes with the next validation', async () => {
    const { company, add, original } = await withOriginal({})
    const { key } = company
    const request = { correction_type: 'S', reason_code: '16', series_code: 'C', external_ref: nextRef() }
    const made = (await call('POST', `/issued-invoices/${original}/corrective`, { key, body: request })).json
    expect(questions(made.errors)).toEqual([])
    await add(ORIGINAL.number, amounts(300), ORIGINAL.date)
    const { errors } = (await call('POST', `/drafts/${made.id}/validate`, { key })).json
    expect(questions(errors)).toEqual([CHANGED, CHANGED])
    expect(errors[0].message).toContain(
      'corrected_taxable_base is 100, but the corrected invoice O-1 has 300',
    )
    // The draft of another substitution has the amounts of now.
    const body = { ...request, external_ref: nextRef() }
    const next = (await call('POST', `/issued-invoices/${original}/corrective`, { key, body })).json
    expect(questions(next.errors)).toEqual([])
  })

  it('the number of an invoice issued here belongs to one date, whatever the year', async ({ key }) => {
    const saved = (await put(key, draft())).json
    const { number } = (await issue(key, saved.id)).json
    const invoice = corrective(-10, {
      invoice_number: number,
      invoice_series_code: 'F',
      invoice_issue_date: '2024-03-02',
    })
    const { errors } = (await put(key, draft({ invoice }))).json
    expect(questions(errors)).toEqual([MISMATCH])
  })

  const RECEIVED: Readonly<
    Record<
      string,
      { before?: readonly (readonly [string, Document, string?])[]; corrective: Document; found: string[] }
    >
  > = {
    'type 04 for a full invoice': {
      corrective: corrective(-10, {}, { invoice_type_code: '04' }),
      found: [TYPE],
    },
    'another date of the year': {
      corrective: corrective(-10, { invoice_issue_date: '2026-03-01' }),
      found: [MISMATCH],
    },
    'a second substitution': {
      before: [['C-0', substitution(90)]],
      corrective: substitution(80),
      found: [SUBSTITUTED],
    },
    'differences beyond the original': {
      before: [['C-0', corrective(-60)]],
      corrective: corrective(-60),
      found: [EXCEEDED],
    },
    'a substitution with other amounts': {
      before: [[ORIGINAL.number, amounts(300), ORIGINAL.date]],
      corrective: substitution(90),
      found: [CHANGED, CHANGED],
    },
    'partial differences': { before: [['C-0', corrective(-40)]], corrective: corrective(-60), found: [] },
    'the same number of another year': {
      corrective: corrective(-5000, { invoice_issue_date: '2025-03-02' }),
      found: [],
    },
    'the same number of another supplier': {
      corrective: { ...corrective(-5000), supplier: 'B77777779' },
      found: [],
    },
  }
  it.each(Object.entries(RECEIVED))(
    'a received corrective: %s',
    async (_, { before = [], corrective: { supplier, ...invoice }, found }) => {
      const { key, data } = await server().company()
      const register = async (number: string, one: Document, date = '2026-03-10', from = 'B12345674') => {
        const header = { invoice_type_code: '01', ...one.header, invoice_number: number }
        delete header.invoice_series_code
        if (header.corrective) {
          header.corrective = { ...header.corrective }
          delete header.corrective.invoice_series_code
        }
        const body = received({
          taxId: data.tax_id,
          number,
          supplier: from,
          date,
          invoice: { ...one, header },
        })
        const { status, json } = await call('PUT', '/received-invoices', { key, body })
        expect(status).toBeLessThan(300)
        return json
      }
      await register(ORIGINAL.number, {}, ORIGINAL.date)
      for (const one of before) await register(...one)
      const { id, success, errors } = await register('C-1', invoice, '2026-03-20', supplier)
      expect([success, questions(errors)]).toEqual([true, found])
      const again = (await call('POST', `/received-invoices/${id}/validate`, { key })).json
      expect([again.status, questions(again.errors)]).toEqual(['received', found])
    },
  )

  it('a corrective read from XML is compared too', async ({ key, data }) => {
    const original = received({ taxId: data.tax_id, ...ORIGINAL })
    await call('PUT', '/received-invoices', { key, body: original })
    const { header, ...more } = corrective(-5000)
    const xml = receivedXml(
      {
        taxId: data.tax_id,
        number: 'C-1',
        date: '2026-03-20',
        invoice: { header: { ...header, invoice_series_code: undefined, invoice_number: 'C-1' }, ...more },
      },
      'facturae_3_2_2',
    )
    const { json } = await call('POST', '/received-invoices/import?format=facturae_3_2_2', {
      key,
      body: xml,
      headers: { 'Content-Type': 'application/xml' },
    })
    expect(questions(json.errors)).toEqual([EXCEEDED])
  })

  it('a corrective of a later invoice is an error at every way in, which blocks neither import nor registration', async () => {
    const { key, data } = await server().company()
    const later = corrective(-10, { invoice_issue_date: '2099-01-01' })
    const codes = (errors: readonly Item[]) => errors.map(({ code }) => code)
    const NOT_EARLIER = 'corrected_invoice_not_earlier'
    const asDraft = draft({ invoice: later, taxId: data.tax_id })
    for (const path of ['/drafts/validate', '/issued-invoices/validate'])
      expect(codes((await call('POST', path, { key, body: asDraft })).json.errors)).toContain(NOT_EARLIER)
    const saved = (await put(key, asDraft)).json
    expect([saved.success, codes(saved.errors)]).toEqual([false, [NOT_EARLIER]])
    const refused = await issue(key, saved.id)
    expect([refused.status, codes(refused.json.detail.errors)]).toEqual([422, [NOT_EARLIER]])
    const body = imported({ taxId: data.tax_id, number: 'C-1', series: 'C', invoice: later })
    const kept = (await call('POST', '/issued-invoices/import', { key, body })).json
    expect([kept.success, codes(kept.errors)]).toEqual([true, [NOT_EARLIER]])
    const bought = received({ taxId: data.tax_id, number: 'C-1', invoice: later })
    bought.invoice.header = { ...later.header, invoice_number: 'C-1' }
    const pending = (await call('PUT', '/received-invoices', { key, body: bought })).json
    expect([pending.success, codes(pending.errors)]).toEqual([false, [NOT_EARLIER]])
    expect(pending.id).toBeDefined()
  })
}
