/** A full invoice issued in exchange for a ticket: F3 in both systems and in the books, or F1 with the reason. */

import { recordFor } from 'cuadra-server/service/sii/sending/sii-record.ts'
import { describe, expect, it } from 'vitest'
import { administer } from '../administrator.ts'
import type { TestCompany, TestServer } from '../harness.ts'
import { CUSTOMER, type Document, draft } from '../invoices.ts'
import { stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const NOT_REPLACED = 'simplified_invoice_not_replaced'
const ENROLLED = {
  fiscal_systems: { sii_in_plan: true },
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
}

interface Item {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly extra: { readonly reason?: string } | null
}

export function replacementSuite(server: () => TestServer): void {
  const { call, put, saved, issue, issued, importing, eventsOf, cancel, seriesTemplate, change } =
    stepsOf(server)

  const ticket = (invoice: Document = {}, series = 'T'): Document => {
    const document = draft({ series, invoice })
    document.invoice.header.invoice_type_code = '02'
    if (!invoice.customer) delete document.invoice.customer
    return document
  }
  /** A corrective ticket by differences of -10 euros and their tax. */
  const refund = ({ number, issue_date }: Document): Document => {
    const document = ticket({
      lines: [{ item_description: 'Abono', quantity: -1, unit_price_without_tax: 10, tax_output_rate: 21 }],
      totals: { total_gross_amount_before_taxes: -10, total_tax_outputs: -2.1, invoice_total: -12.1 },
    })
    const corrective = {
      reason_code: '16',
      correction_type: 'D',
      invoice_number: number,
      invoice_issue_date: issue_date,
    }
    document.invoice.header = { invoice_type_code: '04', invoice_series_code: 'RT', corrective }
    return document
  }
  const full = (related: object, invoice: object = {}): Document =>
    draft({ invoice: { additional_data: { related_invoice: related }, ...invoice } })
  const referring = ({ number, series, issue_date }: Document) => ({ number, series, issue_date })

  const active = async (file: Record<string, unknown> = {}): Promise<TestCompany> => {
    const company = await server().company(file)
    await activateVerifactu(server(), company.id)
    return company
  }
  /** Returns the records of an invoice, oldest first. */
  const recordsOf = async (invoiceId: string) => {
    const rows = await server().past((db) =>
      db
        .selectFrom('verifactu_records')
        .select('record')
        .where('invoice_id', '=', invoiceId)
        .where('tipo', '=', 'alta')
        .orderBy('sequence')
        .execute(),
    )
    return rows.map(({ record }) => JSON.parse(record).RegistroAlta)
  }
  const decisionOf = async (key: string, id: string) => {
    return (await eventsOf(key, id)).find(({ event_code }: Document) => event_code === 'issued').details
  }
  const ofReplacement = (errors: readonly Item[]) => errors.filter(({ code }) => code === NOT_REPLACED)

  it('a full invoice that names its ticket is F3 with the ticket in FacturasSustituidas, and its event says so', async () => {
    const { key } = await active()
    const sold = await issued(key, ticket())
    const answer = await put(key, full(referring(sold)))
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    const { id } = (await issue(key, answer.json.id)).json
    const [record] = await recordsOf(id)
    expect(record.TipoFactura).toBe('F3')
    expect(record.FacturasSustituidas.IDFacturaSustituida).toMatchObject([
      {
        NumSerieFactura: sold.number,
        FechaExpedicionFactura: sold.issue_date.split('-').reverse().join('-'),
      },
    ])
    expect((await decisionOf(key, id)).replaces).toEqual({
      invoice_id: sold.id,
      number: sold.number,
      issue_date: sold.issue_date,
    })
    const events = await eventsOf(key, sold.id)
    expect(events.at(-1)).toMatchObject({ event_code: 'replaced', details: { invoice_id: id } })
  })

  it('a corrective ticket (R5) can be replaced too, and the number alone names a ticket', async () => {
    const { key } = await active()
    const first = await issued(key, ticket())
    const document = refund(first)
    const { number } = await issued(key, document)
    const { lines, totals } = document.invoice
    const { id } = await issued(key, full({ number }, { lines, totals }))
    expect((await recordsOf(id))[0].TipoFactura).toBe('F3')
  })

  it('an invoice that names a full invoice, or one that is not stored here, is F1 without a warning', async () => {
    const { key } = await active()
    const rent = await issued(key)
    for (const related of [referring(rent), { number: 'T-UNKNOWN', series: 'T' }]) {
      const answer = await put(key, full(related))
      expect(answer.json.errors).toEqual([])
      const { id } = (await issue(key, answer.json.id)).json
      expect((await recordsOf(id))[0].TipoFactura).toBe('F1')
      const details = await decisionOf(key, id)
      expect([details.replaces, details.not_replaced]).toEqual([undefined, undefined])
    }
  })

  describe('stays F1 with a warning on the draft and the reason in the event', () => {
    const deposit = {
      lines: [{ item_description: 'Señal', quantity: 1, unit_price_without_tax: 30, tax_output_rate: 21 }],
      totals: { total_gross_amount_before_taxes: 30, total_tax_outputs: 6.3, invoice_total: 36.3 },
    }
    const byACent = {
      lines: [
        { item_description: 'Servicio', quantity: 1, unit_price_without_tax: 99.99, tax_output_rate: 21 },
      ],
      totals: { total_gross_amount_before_taxes: 99.99, total_tax_outputs: 21, invoice_total: 120.99 },
    }
    const abroad = {
      person_type_code: 'F',
      name: 'Jean Dupont',
      country_code: 'FR',
      person: {
        address: { address: 'Rue Inventée, 7', post_code: '75001', town: 'Paris', country_code: 'FR' },
      },
    }
    type Prepare = (company: TestCompany) => Promise<{ related: object; invoice?: object }>
    const CASES: readonly (readonly [string, string, Prepare])[] = [
      [
        'the final invoice of a ticket for an advance payment',
        'total',
        async ({ key }) => ({ related: referring(await issued(key, ticket(deposit))) }),
      ],
      [
        'a ticket with another total by a cent',
        'total',
        async ({ key }) => ({ related: referring(await issued(key, ticket(byACent))) }),
      ],
      [
        'a ticket that is named with another series',
        'series',
        async ({ key }) => ({ related: { ...referring(await issued(key, ticket())), series: 'T2' } }),
      ],
      [
        'a ticket that is named with another date',
        'date',
        async ({ key }) => ({
          related: { ...referring(await issued(key, ticket())), issue_date: '2026-01-02' },
        }),
      ],
      [
        'an imported ticket',
        'imported',
        async (company) => {
          const header = { invoice_type_code: '02', invoice_series_code: 'OLD' }
          const answer = await importing(company, {
            number: 'OLD-T1',
            invoice: { header, customer: undefined },
          })
          expect(answer.json.success).toBe(true)
          return { related: { number: 'OLD-T1', series: 'OLD', issue_date: '2026-03-02' } }
        },
      ],
      [
        'a cancelled ticket',
        'cancelled',
        async ({ key }) => {
          const sold = await issued(key, ticket())
          await cancel(key, sold.id)
          return { related: referring(sold) }
        },
      ],
      [
        'a ticket of a later day',
        'later',
        async ({ key, id }) => {
          const sold = await issued(key, ticket())
          // As after a clock that was ahead.
          await change(id, 'invoices', { issue_date: '2099-01-01' }, { invoice_id: sold.id })
          return { related: { ...referring(sold), issue_date: '2099-01-01' } }
        },
      ],
      [
        'a simplified invoice that identifies its customer (art. 7.2 and 7.3)',
        'qualified',
        async ({ key }) => ({ related: referring(await issued(key, ticket({ customer: CUSTOMER }))) }),
      ],
      [
        'an invoice to a consumer abroad without an identifier',
        'recipient',
        async ({ key }) => ({
          related: referring(await issued(key, ticket())),
          invoice: { customer: abroad },
        }),
      ],
      [
        'a credited ticket',
        'credited',
        async ({ key }) => {
          const sold = await issued(key, ticket())
          const { json } = await call('POST', `/issued-invoices/${sold.id}/corrective`, {
            key,
            body: {
              correction_type: 'D',
              reason_code: '16',
              series_code: 'RT',
              external_ref: `credit-${sold.id}`,
              lines: [{ description: 'Devolución', quantity: -1, unit_price_without_tax: 10 }],
            },
          })
          expect((await issue(key, json.id)).status).toBe(200)
          return { related: referring(sold) }
        },
      ],
      [
        'a ticket that another invoice replaces',
        'replaced',
        async ({ key }) => {
          const sold = await issued(key, ticket())
          await issued(key, full(referring(sold)))
          return { related: referring(sold) }
        },
      ],
      [
        'an exempt ticket with the total of a taxed invoice',
        'breakdown',
        async ({ key }) => {
          const exempt = { quantity: 1, unit_price_without_tax: 121, tax_treatment_code: 'TAXABLE_EXEMPT' }
          const sold = ticket({
            lines: [{ item_description: 'Curso', ...exempt, exemption_reason_code: 'E1' }],
            totals: { total_gross_amount_before_taxes: 121, total_tax_outputs: 0, invoice_total: 121 },
          })
          return { related: referring(await issued(key, sold)) }
        },
      ],
      [
        'a ticket with the same total at two rates',
        'breakdown',
        async ({ key }) => {
          const [item_description, quantity] = ['Venta', 1]
          const sold = ticket({
            lines: [
              { item_description, quantity, unit_price_without_tax: 10, tax_output_rate: 10 },
              { item_description, quantity, unit_price_without_tax: 90.91, tax_output_rate: 21 },
            ],
            totals: { total_gross_amount_before_taxes: 100.91, total_tax_outputs: 20.09, invoice_total: 121 },
          })
          return { related: referring(await issued(key, sold)) }
        },
      ],
      [
        'a ticket whose only record was rejected',
        'not_recorded',
        async ({ key }) => {
          const sold = await issued(key, ticket())
          await server().past((db) =>
            db
              .updateTable('verifactu_records')
              .set({ estado: 'rejected' })
              .where('invoice_id', '=', sold.id)
              .execute(),
          )
          return { related: referring(sold) }
        },
      ],
      [
        'a ticket that was never registered',
        'not_recorded',
        async ({ key, id }) => {
          const sold = await issued(key, ticket())
          await server().past((db) =>
            db.deleteFrom('verifactu_records').where('invoice_id', '=', sold.id).execute(),
          )
          await server().transaction((tx) => tx.of(id).delete('verifactu_chains').execute())
          return { related: referring(sold) }
        },
      ],
    ]
    it.each(CASES)('%s', async (_, reason, prepare) => {
      const company = await active()
      const { key } = company
      const { related, invoice } = await prepare(company)
      const answer = await put(key, full(related, invoice))
      const found = ofReplacement(answer.json.errors)
      expect(found).toMatchObject([
        { severity: 'warning', path: '/invoice/additional_data/related_invoice', extra: { reason } },
      ])
      expect(found[0]?.message).not.toContain('{')
      const again = await call('POST', `/drafts/${answer.json.id}/validate`, { key })
      expect(ofReplacement(again.json.errors)).toEqual(found)
      const spanish = await call('POST', `/drafts/${answer.json.id}/validate`, {
        key,
        headers: { 'Accept-Language': 'es' },
      })
      expect(ofReplacement(spanish.json.errors)[0]?.message).toMatch(
        /^La factura no sustituye a la simplificada [^{]*$/,
      )
      const { id } = (await issue(key, answer.json.id)).json
      const [record] = await recordsOf(id)
      expect([record.TipoFactura, record.FacturasSustituidas]).toEqual([
        reason === 'recipient' ? 'F2' : 'F1',
        undefined,
      ])
      const details = await decisionOf(key, id)
      expect([details.replaces, details.not_replaced.reason]).toEqual([undefined, reason])
    })
  })

  it('two drafts for one ticket, issued concurrently, give one F3', async () => {
    const { key } = await active()
    const sold = await issued(key, ticket())
    // Each in its own series, so that no lock of a series orders them.
    const drafts = await Promise.all(
      ['A', 'B', 'C'].map((invoice_series_code) => {
        const document = full(referring(sold))
        document.invoice.header.invoice_series_code = invoice_series_code
        return saved(key, document)
      }),
    )
    const answers = await Promise.all(drafts.map((id) => issue(key, id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const records = await Promise.all(drafts.map(recordsOf))
    expect(records.map(([record]) => record.TipoFactura).sort()).toEqual(['F1', 'F1', 'F3'])
  })

  it('an issue and the concurrent cancellation of its ticket both succeed, in one order or the other', async () => {
    const { key } = await active()
    const tickets = await Promise.all([1, 2, 3, 4].map(() => issued(key, ticket())))
    for (const sold of tickets) {
      const id = await saved(key, full(referring(sold)))
      const [made, cancelled] = await Promise.all([issue(key, id), cancel(key, sold.id)])
      expect([made.status, cancelled.status]).toEqual([200, 200])
      const { replaces, not_replaced } = await decisionOf(key, id)
      expect(replaces?.invoice_id ?? not_replaced.reason).toBe(replaces ? sold.id : 'cancelled')
    }
  })

  it('once its F3 is cancelled, a ticket can be replaced again', async () => {
    const { key } = await active()
    const sold = await issued(key, ticket())
    const first = await issued(key, full(referring(sold)))
    await cancel(key, first.id)
    const second = await issued(key, full(referring(sold)))
    expect((await recordsOf(second.id))[0].TipoFactura).toBe('F3')
  })

  it('an F3 with a forced number, in a series with a template, is F3 too', async () => {
    const { key, id: companyId } = await active()
    await seriesTemplate(companyId, 'F', 'F-{number:3}')
    const sold = await issued(key, ticket())
    const { json } = await issue(key, await saved(key, full(referring(sold))), { invoice_number: 'F-007' })
    expect((await recordsOf(json.id))[0]).toMatchObject({
      TipoFactura: 'F3',
      IDFactura: { NumSerieFactura: 'F-007' },
    })
  })

  it('the SII record names the ticket in FacturasAgrupadas, and keeps the decision of the issue', async () => {
    const { key, id: companyId } = await server().company(ENROLLED)
    const sold = await issued(key, ticket())
    const made = await issued(key, full(referring(sold)))
    const facturaOf = (id: string) =>
      server().transaction(async (all) => {
        const tx = all.of(companyId)
        const { canonical } = await tx
          .find('invoice_documents', { invoice_id: id })
          .select('canonical')
          .executeTakeFirstOrThrow()
        const result = await recordFor(tx, id, JSON.parse(canonical!), 'issued')
        if (!result.ok || !('FacturaExpedida' in result.record)) throw new Error(JSON.stringify(result))
        return result.record.FacturaExpedida
      })
    const expected = {
      TipoFactura: 'F3',
      FacturasAgrupadas: { IDFacturaAgrupada: [{ NumSerieFacturaEmisor: sold.number }] },
    }
    expect(await facturaOf(made.id)).toMatchObject(expected)
    // What happens to the ticket later changes nothing.
    await cancel(key, sold.id)
    expect(await facturaOf(made.id)).toMatchObject(expected)
    const other = await issued(key, full(referring(sold)))
    expect((await facturaOf(other.id)).TipoFactura).toBe('F1')
  })

  it('a ticket that the SII never had is not replaced', async () => {
    const { key, id } = await server().company(ENROLLED)
    const sold = await issued(key, ticket())
    await server().transaction((tx) => tx.of(id).delete('sii_records', { invoice_id: sold.id }).execute())
    const made = await issued(key, full(referring(sold)))
    expect((await decisionOf(key, made.id)).not_replaced.reason).toBe('not_recorded')
  })

  it('a ticket that the SII rejected is not replaced; one that it has with a rejected modification is', async () => {
    const { key } = await server().company(ENROLLED)
    for (const [registered, reason] of [
      [null, 'not_recorded'],
      ['{}', undefined],
    ] as const) {
      const sold = await issued(key, ticket())
      await server().past((db) =>
        db
          .updateTable('sii_records')
          .set({ status: 'rejected', registered: registered })
          .where('invoice_id', '=', sold.id)
          .execute(),
      )
      const made = await issued(key, full(referring(sold)))
      expect((await decisionOf(key, made.id)).not_replaced?.reason).toBe(reason)
    }
  })

  it('the cancellation of a replaced ticket names its F3 in the event, unless that is cancelled too', async () => {
    const { key } = await active()
    for (const inForce of [true, false]) {
      const sold = await issued(key, ticket())
      const made = await issued(key, full(referring(sold)))
      if (!inForce) await cancel(key, made.id)
      await cancel(key, sold.id)
      const events = await eventsOf(key, sold.id)
      const { details } = events.find(({ event_code }: Document) => event_code === 'cancelled')
      expect(details.replaced_by).toBe(inForce ? made.number : undefined)
    }
  })

  it('a corrective invoice of a replaced ticket has a warning that names the F3, in both languages', async () => {
    const { key } = await active()
    const sold = await issued(key, ticket())
    const made = await issued(key, full(referring(sold)))
    const document = refund(sold)
    const saved = await put(key, document)
    for (const [language, text] of [
      ['en', `The full invoice ${made.number} (F3) replaces the simplified invoice ${sold.number}.`],
      ['es', `La factura completa ${made.number} (F3) sustituye a la simplificada ${sold.number}.`],
    ] as const) {
      const headers = { 'Accept-Language': language }
      const { json } = await call('POST', `/drafts/${saved.json.id}/validate`, { key, headers })
      const found = json.errors.filter(({ code }: Item) => code === 'corrected_invoice_exchanged')
      expect(found).toMatchObject([{ severity: 'warning', message: expect.stringContaining(text) }])
    }
    await cancel(key, made.id)
    const { json } = await call('POST', `/drafts/${saved.json.id}/validate`, { key })
    expect(json.errors).toEqual([])
  })

  it('a further registration of an F3 (`verifactu correct`) is F3 with the same ticket, even if that is cancelled', async () => {
    const company = await active()
    const { key } = company
    const sold = await issued(key, ticket())
    const made = await issued(key, full(referring(sold)))
    await cancel(key, sold.id)
    expect((await administer(server(), ['verify', '--company', company.id])).stderr).toBe('')
    // As made while nothing was sent: the authority has no record of the invoice.
    await server().past((db) =>
      db
        .updateTable('verifactu_records')
        .set({ estado: 'registered' })
        .where('invoice_id', '=', made.id)
        .execute(),
    )
    const { status, stderr } = await administer(server(), [
      ...['verifactu', 'correct', '--company', company.id, '--invoice', made.id],
    ])
    expect([status, stderr]).toEqual([0, ''])
    const [first, second] = await recordsOf(made.id)
    expect([second.TipoFactura, second.FacturasSustituidas]).toEqual(['F3', first.FacturasSustituidas])
  })
}
