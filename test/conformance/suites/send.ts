/** Mailing issued invoices. Without a mail server the mails are files in the data folder. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { describe, expect } from 'vitest'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { draft, nextRef } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

export function sendSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issued, get, eventsOf, become } = stepsOf(server)
  const send = (key: string, id: string, body?: unknown, headers = {}) =>
    call('POST', `/issued-invoices/${id}/send`, { key, headers, ...(body === undefined ? {} : { body }) })
  const folder = () => join(server().dataDir, 'mail')
  const files = () => (existsSync(folder()) ? readdirSync(folder()) : [])
  const mailTo = async (address: string) => {
    const found = []
    for (const name of files()) {
      const raw = readFileSync(join(folder(), name))
      if (raw.includes(`To: ${address}`)) found.push({ name, raw, mail: await simpleParser(raw) })
    }
    return found
  }
  const someone = () => `${nextRef('pagos').toLowerCase()}@cliente.example`
  const to = (...addresses: string[]) => ({ to: addresses })

  it('an issued invoice is mailed as PDF, and its status becomes sent', async () => {
    const { key } = await server().company({ contact_email: 'facturas@pruebas.example' })
    const { id, number } = await issued(key)
    const address = someone()
    const answer = await send(key, id, to(address))
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ invoice_id: id, sent_to: [address], refused: [] })
    expect(await get(key, id)).toMatchObject({ status: 'sent', number })
    expect((await call('GET', '/issued-invoices?status=sent', { key })).json.total).toBe(1)
    const [file, ...others] = await mailTo(address)
    expect(others).toEqual([])
    expect(file?.name).toMatch(/^[0-9a-f-]{36}\.eml$/)
    expect(statSync(join(folder(), file?.name ?? '')).mode & 0o777).toBe(0o600)
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    expect(files().filter((name) => !name.endsWith('.eml'))).toEqual([])
    expect(file?.mail.attachments.map(({ filename }) => filename)).toEqual([`${number}.pdf`])
    expect(file?.mail.from?.value[0]?.address).toBe('facturas@pruebas.example')
    expect((await eventsOf(key, id)).at(-1)).toMatchObject({
      event_type: 'state_transition',
      event_code: 'sent',
      from_status: 'ISSUED',
      to_status: 'SENT',
      details: { sent_to: [address], message_id: file?.mail.messageId },
    })
    transition('issued -> e-mail send -> sent')
  })

  it('sending again keeps the status and makes another mail', async ({ key }) => {
    const { id } = await issued(key)
    const address = someone()
    for (const _ of [1, 2]) expect(statusAndCode(await send(key, id, to(address)))).toBe('200')
    expect((await get(key, id)).status).toBe('sent')
    const mails = await mailTo(address)
    expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(2)
    expect((await eventsOf(key, id)).at(-1)).toMatchObject({ event_code: 'sent', event_type: 'change' })
  })

  it('an imported invoice can be sent, too', async ({ company }) => {
    const { importing } = stepsOf(server)
    const { id } = (await importing(company, { number: 'OLD-77' })).json
    expect(statusAndCode(await send(company.key, id, to(someone())))).toBe('200')
    expect((await get(company.key, id)).status).toBe('sent')
  })

  it('an invoice that is not issued is refused and stays', async ({ key, companyId }) => {
    const id = await saved(key)
    for (const status of ['draft', 'queued', 'cancelled'] as const) {
      await become(companyId, id, status)
      const answer = await send(key, id, to(someone()))
      expect(statusAndCode(answer)).toBe('409 invalid_status_transition')
      expect(answer.json.detail).toMatchObject({ from: status, to: 'sent' })
      expect((await get(key, id)).status).toBe(status)
    }
    expect(statusAndCode(await send(key, randomUUID(), to(someone())))).toBe('404 invoice_not_found')
    expect(statusAndCode(await send(key, 'no-id', to(someone())))).toBe('404 invoice_not_found')
  })

  it('with a key the first response is repeated, whatever happened to the invoice, and no second mail is sent', async () => {
    const { key, id: companyId } = await server().company()
    const { id } = await issued(key)
    const address = someone()
    const once = { 'Idempotency-Key': randomUUID() }
    const first = await send(key, id, to(address), once)
    await become(companyId, id, 'cancelled')
    const second = await send(key, id, to(address), once)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await mailTo(address)).toHaveLength(1)
    expect(statusAndCode(await send(key, id, to(someone()), once))).toBe('409 idempotency_key_reused')
  })

  it('a refused request does not use up its key', async ({ key }) => {
    const { id } = await issued(key)
    const once = { 'Idempotency-Key': randomUUID() }
    expect(statusAndCode(await send(key, id, to(), once))).toBe('422 no_recipient_email')
    expect(statusAndCode(await send(key, id, to(someone()), once))).toBe('200')
  })

  describe('recipients', () => {
    const withMail = (electronic_mail: string) => {
      const document = draft()
      document.invoice.customer = { ...document.invoice.customer, electronic_mail }
      return document
    }

    it('are by default the customer', async ({ key }) => {
      for (const body of [undefined, {}, { to: null }]) {
        const address = someone()
        const { id } = await issued(key, withMail(` ${address} `))
        expect((await send(key, id, body)).json.sent_to).toEqual([address])
      }
    })

    it('are missing: 422 no_recipient_email with the reason', async ({ key }) => {
      const { id } = await issued(key)
      const answer = await send(key, id)
      expect(statusAndCode(answer)).toBe('422 no_recipient_email')
      expect(answer.json.detail.message).toContain('the invoice has no e-mail address for its customer')
      const wrong = await issued(key, withMail('por teléfono'))
      const { json } = await send(key, wrong.id)
      expect(json.detail).toMatchObject({ code: 'no_recipient_email' })
      expect(json.detail.message).toContain('is not valid')
      expect((await send(key, id, to(), { 'Accept-Language': 'es' })).json.detail.message).toBe(
        'No hay dirección de correo a la que enviar: el campo to es una lista vacía. Indique una en el campo «to».',
      )
    })

    it('are used once each, with their domain in DNS form', async ({ key }) => {
      const { id } = await issued(key)
      const answer = await send(
        key,
        id,
        to('Ana@Cliente.Example', 'Ana@cliente.example', 'luis@peña.example'),
      )
      expect(answer.json.sent_to).toEqual(['Ana@cliente.example', 'luis@xn--pea-8ma.example'])
    })

    const WRONG = [
      'ana',
      'ana@',
      '@cliente.example',
      'ana@cliente',
      'ana@127.0.0.1',
      'ana@[127.0.0.1]',
      'ana cliente@cliente.example',
      'Ana <ana@cliente.example>',
      '"ana"@cliente.example',
      'ana@cliente.example\r\nBcc: otro@cliente.example',
      'ana@cliente.example, otro@cliente.example',
      'ana@clien\u0000te.example',
      'añá@cliente.example',
      `${'a'.repeat(65)}@cliente.example`,
      `ana@${'a'.repeat(64)}.example`,
    ]
    it('are addresses: anything else is refused with its path, and nothing is sent', async ({ key }) => {
      const { id } = await issued(key)
      const before = files().length
      for (const wrong of WRONG) {
        const answer = await send(key, id, to('ana@cliente.example', wrong))
        expect(`${wrong} ${statusAndCode(answer)}`).toBe(`${wrong} 422 request_validation_error`)
      }
      expect(files()).toHaveLength(before)
      expect((await send(key, id, to('ana@cliente.example', 'ana'))).json.detail.path).toBe('/to/1')
      expect((await get(key, id)).status).toBe('issued')
    })

    it('are at most twenty', async ({ key }) => {
      const { id } = await issued(key)
      const many = Array.from({ length: 21 }, (_, n) => `ana${n}@cliente.example`)
      expect(statusAndCode(await send(key, id, to(...many)))).toBe('422 request_validation_error')
      expect((await send(key, id, to(...many.slice(1)))).json.sent_to).toHaveLength(20)
    })
  })

  describe('the text', () => {
    it('is the client’s if it sends one', async ({ key }) => {
      const { id } = await issued(key)
      const address = someone()
      const own = { subject: '  Su factura ', message: 'Hola, Ñandú:\n\n<script>alert(1)</script>' }
      expect(statusAndCode(await send(key, id, { ...to(address), ...own }))).toBe('200')
      const [file] = await mailTo(address)
      expect(file?.mail.subject).toBe('Su factura')
      expect(file?.mail.text).toContain('<script>alert(1)</script>')
      expect(file?.mail.html).not.toContain('<script>')
    })

    const WRONG = [
      { subject: 'Factura\r\nBcc: otro@cliente.example' },
      { subject: 'a\u0085b' },
      { subject: '  ' },
      { subject: 'x'.repeat(201) },
      { message: '\u001b[31m' },
      { message: 'x'.repeat(10_001) },
      { subject: 1 },
      { cc: ['ana@cliente.example'] },
      { attach_xml: 'yes' },
      { to: 'ana@cliente.example' },
    ]
    it('that a mail cannot have is refused', async ({ key }) => {
      const { id } = await issued(key)
      for (const wrong of WRONG)
        expect(
          `${JSON.stringify(wrong).slice(0, 40)} ${statusAndCode(await send(key, id, { ...to(someone()), ...wrong }))}`,
        ).toBe(`${JSON.stringify(wrong).slice(0, 40)} 422 request_validation_error`)
      expect((await get(key, id)).status).toBe('issued')
    })
  })

  describe('XML', () => {
    it('is attached as Facturae on request', async ({ key }) => {
      const { id, number } = await issued(key)
      const address = someone()
      expect(statusAndCode(await send(key, id, { ...to(address), attach_xml: true }))).toBe('200')
      const [file] = await mailTo(address)
      const xml = file?.mail.attachments.find(({ contentType }) => contentType === 'application/xml')
      expect(xml?.filename).toBe(`${number}.xml`)
      const exported = await call('GET', `/issued-invoices/${id}/export?format=facturae_3_2_2`, { key })
      expect(xml?.content.toString('utf8')).toBe(exported.text)
    })

    it('that cannot carry the invoice is refused before anything is sent', async ({ key }) => {
      const unwritable = draft()
      // Facturae limits a name to 80 characters.
      const { customer } = unwritable.invoice
      const legal_name = 'Cliente '.repeat(12).trim()
      unwritable.invoice.customer = {
        ...customer,
        name: legal_name,
        company: { ...customer.company, legal_name },
      }
      const { id } = await issued(key, unwritable)
      const before = files().length
      const answer = await send(key, id, { ...to(someone()), attach_xml: true })
      expect(statusAndCode(answer)).toBe('422 export_not_possible')
      expect(answer.json.detail.format).toBe('facturae_3_2_2')
      expect(files()).toHaveLength(before)
      expect((await get(key, id)).status).toBe('issued')
      expect(statusAndCode(await send(key, id, to(someone())))).toBe('200')
    })

    it('that makes the mail too large for mail servers is refused', async ({ key }) => {
      const line = {
        item_description: 'Servicio de mantenimiento',
        quantity: 1,
        unit_price_without_tax: 1,
        tax_output_rate: 21,
      }
      const lines = Array.from({ length: 1600 }, () => line)
      const totals = { total_gross_amount_before_taxes: 1600, total_tax_outputs: 336, invoice_total: 1936 }
      const { id } = await issued(key, draft({ invoice: { lines, totals } }))
      const answer = await send(key, id, { ...to(someone()), attach_xml: true })
      expect(statusAndCode(answer)).toBe('422 mail_too_large')
      expect(answer.json.detail.bytes).toBeGreaterThan(answer.json.detail.max_bytes)
      expect((await get(key, id)).status).toBe('issued')
    })
  })
}
