/** Records of invoices in the books: registered, modified or deleted, by what the tax authority has. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { officialSchema } from '#test/records/sii/schema.ts'
import { ISSUED_CHANNEL } from '../../../../src/service/sii/sending/sii-invoices.ts'
import { SiiFixture } from './fixture.ts'

const because = officialSchema ? '' : ' (the official schema is not here: messages are not held against it)'
const LINES = (price: number) => ({
  totals: {
    total_gross_amount_before_taxes: price,
    total_tax_outputs: price * 0.21,
    invoice_total: price * 1.21,
  },
  lines: [{ item_description: 'Material', quantity: 1, unit_price_without_tax: price, tax_output_rate: 21 }],
})

describe(`books of invoices${because}`, () => {
  let fixture: SiiFixture
  beforeEach(async () => {
    fixture = await SiiFixture.open()
  }, 60_000)
  afterEach(() => fixture.close())

  const stored = async (id: string, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') =>
    fixture.authority.stored(book, '2026-11').get(await fixture.numberOf(id))

  it('an issued and a received invoice are registered, each in its book, with one CSV', async () => {
    const [sold = ''] = await fixture.issue()
    const bought = await fixture.buy()
    await fixture.drain()
    expect(fixture.authority.messages.map(({ root }) => root).sort()).toEqual([
      'SuministroLRFacturasEmitidas',
      'SuministroLRFacturasRecibidas',
    ])
    for (const id of [sold, bought]) {
      expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
      expect((await fixture.status(id)).accepted_at).not.toBeNull()
    }
    const shown = {
      global_status: 'accepted',
      operation_type: 'A0',
      record_count: 1,
      xml: expect.any(String),
    }
    const submissions = await fixture.submissions()
    expect(submissions).toMatchObject([shown, shown])
    expect(new Set(submissions.map(({ csv }) => csv?.length)).has(undefined)).toBe(false)
    expect((await fixture.pending()).items).toEqual([])
    expect((await fixture.status(sold)).last_submission_id).not.toBeNull()
  })

  it('a message has invoices of one deadline by date of issue and then as they were made, whatever their ids', async () => {
    const made: string[] = []
    for (let count = 0; count < 8; count++) made.push(...(await fixture.issue()))
    // Imported late: made after the others, and issued before them.
    const [early = ''] = await fixture.issue()
    const { canonical } = await fixture.store
      .find('invoice_documents', { invoice_id: early })
      .select('canonical')
      .executeTakeFirstOrThrow()
    const data = JSON.parse(canonical ?? '')
    data.invoice.issue_data.issue_date = '2026-11-01'
    await fixture.store.transaction(async (tx) => {
      await tx.change('invoices', { issue_date: '2026-11-01' }, { invoice_id: early })
      await tx.change('invoice_documents', { canonical: JSON.stringify(data) }, { invoice_id: early })
      await tx.update('sii_records', { deadline: '2026-12-01' }).execute()
    })
    await fixture.drain()
    const items = await fixture.store
      .select('sii_submission_items')
      .select('invoice_id')
      .orderBy('line')
      .execute()
    expect(items.map(({ invoice_id }) => invoice_id)).toEqual([early, ...made])
  })

  it('the nearest deadline decides which records a message has; in it they go by date of issue', async () => {
    const later = await fixture.issue()
    fixture.now += 5 * 86_400_000
    const first = await fixture.issue()
    await fixture.call.store.transaction((tx) =>
      tx.change('sii_records', { deadline: '2026-11-02' }, { invoice_id: first[0] ?? '' }),
    )
    const search = { environment: 'production', now: fixture.now, most: 1 } as const
    expect(await ISSUED_CHANNEL.waiting(fixture.store, search)).toMatchObject([{ invoice_id: first[0] }])
    await fixture.drain()
    expect(fixture.authority.messages.map(({ numbers }) => numbers)).toEqual([
      [await fixture.numberOf(later[0] ?? ''), await fixture.numberOf(first[0] ?? '')],
    ])
  })

  it('a cancelled invoice is modified, not deleted: its identity stays and all amounts are zero', async () => {
    const [id = ''] = await fixture.issue()
    await fixture.drain()
    await fixture.cancel(id)
    expect(await fixture.status(id)).toMatchObject({ status: 'pending_modification' })
    await fixture.drain()
    const number = await fixture.numberOf(id)
    expect(fixture.authority.came()).toEqual([`A0 ${number}`, `A1 ${number}`])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    const { state, record } = (await stored(id)) ?? {}
    expect(state).toBe('Correcta')
    expect(record.FacturaExpedida).toMatchObject({
      ImporteTotal: '0.00',
      DescripcionOperacion: 'Factura anulada. Servicios de prueba',
      TipoDesglose: {
        DesgloseFactura: {
          Sujeta: {
            NoExenta: {
              TipoNoExenta: 'S1',
              DesgloseIVA: {
                DetalleIVA: [{ TipoImpositivo: '21', BaseImponible: '0.00', CuotaRepercutida: '0.00' }],
              },
            },
          },
        },
      },
    })
  })

  it('an invoice cancelled before its registration is registered without amounts, once', async () => {
    const [id = ''] = await fixture.issue()
    await fixture.cancel(id)
    expect(await fixture.status(id)).toMatchObject({ status: 'pending' })
    await fixture.drain()
    expect(fixture.authority.came()).toEqual([`A0 ${await fixture.numberOf(id)}`])
    expect((await stored(id))?.record.FacturaExpedida.ImporteTotal).toBe('0.00')
  })

  it('a received invoice that changes after acceptance is sent as a modification', async () => {
    const id = await fixture.buy()
    await fixture.drain()
    await fixture.buy({ invoice: LINES(200) })
    expect(await fixture.status(id)).toMatchObject({ status: 'pending_modification' })
    await fixture.drain()
    expect(fixture.authority.came()).toEqual(['A0 R-1', 'A1 R-1'])
    expect((await stored(id, 'RECEIVED'))?.record.FacturaRecibida.ImporteTotal).toBe('242.00')
    await expect(fixture.discard(id)).rejects.toMatchObject({ code: 'invoice_delete_not_allowed' })
  })

  it('an invoice with a wrong date or number is deleted and registered again with the right ones', async () => {
    const id = await fixture.buy()
    await fixture.drain()
    await fixture.buy({ number: 'R-2', date: '2026-11-17' }, id)
    await fixture.drain()
    expect(fixture.authority.came()).toEqual(['A0 R-1', 'BAJA R-1', 'A0 R-2'])
    const book = fixture.authority.stored('RECEIVED', '2026-11')
    expect([book.get('R-1')?.state, book.get('R-2')?.state]).toEqual(['Anulada', 'Correcta'])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    expect(fixture.authority.messages[1]?.root).toBe('BajaLRFacturasRecibidas')
  })

  it('a received invoice deleted before its registration leaves no trace', async () => {
    const id = await fixture.buy()
    await fixture.discard(id)
    await fixture.drain()
    expect(await fixture.records()).toEqual([])
    expect(fixture.authority.messages).toEqual([])
  })

  it('a rejected invoice has a reason and an instruction in both languages, and is sent again when its data change', async () => {
    fixture.authority.faults.add({ kind: 'reject', code: 1117, number: 'R-1', times: 1 })
    const id = await fixture.buy()
    await fixture.drain()
    const rejected = await fixture.status(id)
    expect(rejected).toMatchObject({ status: 'rejected', error_code: '1117' })
    // The text of the authority is a quote.
    expect(rejected.error_description).toMatch(/^"[^"]+[^."]"\. The invoice is not in the book\./)
    expect((await fixture.status(id, 'es')).error_description).toMatch(
      /^«[^»]+[^.»]»\. La factura no figura en el libro\./,
    )
    expect((await fixture.pending()).items).toEqual([])
    await fixture.drain()
    expect(fixture.authority.messages).toHaveLength(1)
    const [submission] = await fixture.submissions()
    expect(submission).toMatchObject({ global_status: 'rejected', csv: null })
    await fixture.buy({ invoice: LINES(200) })
    expect(await fixture.status(id)).toMatchObject({ status: 'pending', error_code: null })
    await fixture.drain()
    expect(fixture.authority.came()).toEqual(['A0 R-1', 'A0 R-1'])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('a rejected invoice is sent again by send-now after the cause was fixed elsewhere', async () => {
    const [id = ''] = await fixture.issue()
    fixture.authority.faults.add({ kind: 'reject', code: 1116, times: 1 })
    await fixture.drain()
    expect(await fixture.status(id)).toMatchObject({ status: 'rejected' })
    await fixture.resendInvoice(id)
    const { messages, waiting } = await fixture.sendNow(id)
    expect(waiting).toBe(0)
    expect(messages).toMatchObject([{ operation_type: 'A0', global_status: 'accepted', items: [] }])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('an invoice accepted with errors has an instruction, and is sent as a modification by send-now', async () => {
    const [id = ''] = await fixture.issue()
    fixture.authority.faults.add({ kind: 'accept_with_errors', code: 2011, times: 1 })
    await fixture.drain()
    const shown = await fixture.status(id)
    expect(shown).toMatchObject({ status: 'accepted_with_errors', error_code: '2011' })
    expect(shown.error_description).toContain('The invoice is in the book, with errors.')
    const [submission] = await fixture.submissions()
    expect(submission).toMatchObject({ global_status: 'partially_accepted', csv: expect.any(String) })
    await fixture.resendInvoice(id)
    await fixture.sendNow(id)
    const number = await fixture.numberOf(id)
    expect(fixture.authority.came()).toEqual([`A0 ${number}`, `A1 ${number}`])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('accepted and rejected records of a message each get their own status', async () => {
    const ids = await fixture.issue(3)
    const number = await fixture.numberOf(ids[1] ?? '')
    fixture.authority.faults.add({ kind: 'reject', code: 1117, number, times: 1 })
    await fixture.drain()
    const states = await Promise.all(ids.map(async (id) => (await fixture.status(id)).status))
    expect(states).toEqual(['accepted', 'rejected', 'accepted'])
    expect(await fixture.submissions()).toMatchObject([
      { global_status: 'partially_accepted', record_count: 3, csv: expect.any(String) },
    ])
  })

  it('an invoice registered by hand is adopted if its content is equal, and modified otherwise', async () => {
    const [same = ''] = await fixture.issue()
    await fixture.drain()
    const lostIt = async (id: string) =>
      fixture.call.store.transaction((tx) =>
        tx.change(
          'sii_records',
          {
            status: 'pending',
            operation_type: 'A0',
            registered: null,
            accepted_at: null,
          },
          { invoice_id: id },
        ),
      )
    await lostIt(same)
    await fixture.drain()
    const number = await fixture.numberOf(same)
    expect(fixture.authority.came()).toEqual([`A0 ${number}`, `A0 ${number}`])
    expect(fixture.authority.queries).toBe(1)
    expect(await fixture.status(same)).toMatchObject({ status: 'accepted', error_code: null })
    const id = await fixture.buy()
    await fixture.drain()
    await fixture.buy({ invoice: LINES(200) })
    await lostIt(id)
    await fixture.drain()
    expect(fixture.authority.came().slice(2)).toEqual(['A0 R-1', 'A0 R-1', 'A1 R-1'])
    expect((await stored(id, 'RECEIVED'))?.record.FacturaRecibida.ImporteTotal).toBe('242.00')
    expect(fixture.authority.registered().get('R-1')).toBe(1)
  })

  it('a modification of a missing record is sent as a registration', async () => {
    const id = await fixture.buy()
    await fixture.drain()
    fixture.authority.annul('RECEIVED', 'R-1')
    fixture.authority.faults.add({ kind: 'reject', code: 3002, times: 1 })
    await fixture.buy({ invoice: LINES(200) })
    await fixture.drain()
    expect(fixture.authority.came()).toEqual(['A0 R-1', 'A1 R-1', 'A0 R-1'])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
  })

  it('an invoice deleted by others at the tax authority is not registered again automatically, and has an instruction', async () => {
    const id = await fixture.buy()
    await fixture.drain()
    fixture.authority.annul('RECEIVED', 'R-1')
    await fixture.buy({ invoice: LINES(200) })
    await fixture.drain()
    const shown = await fixture.status(id)
    expect(shown).toMatchObject({ status: 'deleted', error_code: '3001' })
    expect(shown.error_description).toContain('Another program deleted the record of the invoice')
    await fixture.resendInvoice(id)
    await fixture.sendNow(id)
    expect(fixture.authority.came()).toEqual(['A0 R-1', 'A1 R-1', 'A0 R-1'])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('an invoice whose record cannot be built has a reason and does not block others', async () => {
    const bad = await fixture.buy()
    await fixture.call.store.transaction(async (tx) => {
      const { canonical } = await tx
        .find('invoice_documents', { invoice_id: bad })
        .select('canonical')
        .executeTakeFirstOrThrow()
      const data = JSON.parse(canonical ?? '')
      data.invoice.supplier = { ...data.invoice.supplier, tax_id: '', name: '' }
      await tx.change('invoice_documents', { canonical: JSON.stringify(data) }, { invoice_id: bad })
    })
    const good = await fixture.buy({ number: 'R-2' })
    const [sold = ''] = await fixture.issue()
    await fixture.drain()
    for (const id of [good, sold]) expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    const shown = await fixture.status(bad)
    expect(shown).toMatchObject({ status: 'pending', error_code: 'sii.counterparty' })
    expect(shown.error_description).toContain('The book record of this invoice cannot be generated')
    expect((await fixture.status(bad, 'es')).error_description).toContain('No se puede generar el registro')
    expect((await fixture.pending()).items).toMatchObject([
      { invoice_public_id: bad, error_code: 'sii.counterparty', error_description: shown.error_description },
    ])
    await fixture.buy({}, bad)
    await fixture.drain()
    expect(await fixture.status(bad)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('an invoice whose stored document changed in the database is not sent, and does not block others', async () => {
    const bad = await fixture.buy()
    const write = (canonical: string) =>
      fixture.app.store.transaction((tx) =>
        tx
          .acrossCompanies('a test')
          .updateTable('invoice_documents')
          .set({ canonical })
          .where('invoice_id', '=', bad)
          .execute(),
      )
    const { canonical } = await fixture.call.store
      .find('invoice_documents', { invoice_id: bad })
      .select('canonical')
      .executeTakeFirstOrThrow()
    const text = canonical ?? ''
    await write(text.replace('Material', 'Materials'))
    const good = await fixture.buy({ number: 'R-2' })
    await fixture.drain()
    expect(await fixture.status(good)).toMatchObject({ status: 'accepted' })
    const shown = await fixture.status(bad)
    expect(shown).toMatchObject({ status: 'pending', error_code: 'document_damaged' })
    expect(shown.error_description).toContain('changed in the database. Run `cuadra-admin verify`')
    await write(text)
    await fixture.sendNow(bad)
    expect(await fixture.status(bad)).toMatchObject({ status: 'accepted', error_code: null })
  })

  it('nothing is sent automatically with auto_submit off; send-now sends it', async () => {
    const quiet = await SiiFixture.open({ auto: false })
    try {
      const [id = ''] = await quiet.issue()
      expect(await quiet.step()).toEqual({ is: 'idle' })
      expect(quiet.authority.messages).toEqual([])
      const { messages, waiting, blocked } = await quiet.sendNow()
      expect(messages).toMatchObject([{ book_type: 'ISSUED', global_status: 'accepted', record_count: 1 }])
      expect({ waiting, blocked }).toEqual({ waiting: 0, blocked: null })
      expect(await quiet.status(id)).toMatchObject({ status: 'accepted' })
    } finally {
      await quiet.close()
    }
  })
})
