/**
 * Mail sent by the server to a real SMTP server: what arrives, and the response and rows if it does not. Messages are
 * counted by Message-ID, as by a mailbox that drops duplicates.
 *
 * @slow
 */

import { createHash, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, nextRef } from '#test/conformance/invoices.ts'
import { statusAndCode, stepsOf } from '#test/conformance/steps.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { portOf } from '#test/narrow.ts'
import { PNG } from '#test/png.ts'
import { itInAll, sized } from '#test/size.ts'
import { setLogo } from '../../src/service/company/company-logo.ts'
import { type FakeSmtpServer, refusal, type Script, startFakeSmtpServer, toOf } from './fake-smtp-server.ts'

const SECRET = 'geheim-2026'
const CONTACT = 'facturas@empresa.example'
/** Seconds that a mail server has in these tests. */
const PATIENCE = 2

let mails: FakeSmtpServer
let server: TestServer
let company: TestCompany
let script: Script | undefined
const { issued, eventsOf, get, cancel } = stepsOf(() => server)

beforeAll(async () => {
  mails = await startFakeSmtpServer((...at) => script?.(...at))
  server = await startServer({
    store: 'sqlite',
    env: {
      CUADRA_SMTP_URL: mails.url.replace('//', `//cuadra:${SECRET}@`),
      CUADRA_MAIL_TIMEOUT: String(PATIENCE),
      CUADRA_LOG_LEVEL: 'trace',
    },
  })
  company = await server.company({ contact_email: CONTACT, contact_phone: '+34 910 000 000' })
})
afterEach(() => {
  script = undefined
})
afterAll(async () => {
  await server?.stop()
  await mails?.close()
})

const send = (id: string, body?: unknown, idempotencyKey?: string, key = company.key) =>
  server.call('POST', `/issued-invoices/${id}/send`, {
    key,
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
  })

/** Returns a unique address, by which the mails of a test can be found. */
const someone = () => `${nextRef('ana').toLowerCase()}@cliente.example`
const arrivedFor = (address: string) => mails.arrived.filter(({ recipients }) => recipients.includes(address))
const idsFor = (address: string) => new Set(arrivedFor(address).map(({ mail }) => mail.messageId))
const rowsFor = (invoice: string) =>
  server.past((db) => db.selectFrom('mails').selectAll().where('invoice_id', '=', invoice).execute())

const ANSWERED_LATE = 60_000

describe('a mail that arrives', () => {
  it('has PDF and XML byte for byte, the values in text and HTML, and the company as reply address', async () => {
    const to = someone()
    const { id, number } = await issued(
      company.key,
      draft({
        invoice: {
          payment_details: [
            {
              installment_due_date: '2027-01-31',
              installment_amount: 121,
              payment_method_code: '04',
              iban_account_to_be_credited: 'ES9121000418450200051332',
            },
          ],
        },
      }),
    )
    const answer = await send(id, { to: [to], attach_xml: true })
    expect(answer.text).toBe(JSON.stringify({ invoice_id: id, sent_to: [to], refused: [] }))
    const [arrived, ...more] = arrivedFor(to)
    expect(more).toEqual([])
    const { mail, raw } = required(arrived)
    expect(mail.from?.value).toEqual([{ name: 'Empresa de Pruebas, S.L.', address: CONTACT }])
    expect(toOf(mail)).toEqual([to])
    expect(mail.subject).toBe(`Factura ${number} de Empresa de Pruebas, S.L.`)
    const [pdf, xml, ...others] = mail.attachments
    expect(others).toEqual([])
    expect(pdf).toMatchObject({ contentType: 'application/pdf', filename: `${number}.pdf` })
    expect(pdf?.content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf?.content.subarray(-6).toString()).toBe('%%EOF\n')
    expect(xml).toMatchObject({ contentType: 'application/xml', filename: `${number}.xml` })
    const exported = await server.call('GET', `/issued-invoices/${id}/export?format=facturae_3_2_2`, {
      key: company.key,
    })
    expect(xml?.content.toString('utf8')).toBe(exported.text)
    for (const value of [number, '31/01/2027', '121,00', 'ES91 2100 0418 4502 0005 1332', CONTACT]) {
      expect(mail.text).toContain(value)
      expect(mail.html).toContain(value)
    }
    expect(mail.html).toContain('<html lang="es">')
    expect(mail.html).not.toMatch(/<img|src=|https?:|url\(/)
    // The stored digest is that of the bytes that arrived.
    const [row] = await rowsFor(id)
    expect(row).toMatchObject({ state: 'sent', message_id: mail.messageId, attempts: 1, owner: null })
    expect(Number(row?.size)).toBe(raw.length)
    expect(row?.sha256).toBe(createHash('sha256').update(raw).digest('hex'))
    expect(await server.past((db) => db.selectFrom('mail_contents').selectAll().execute())).toEqual([])
  })

  it('shows the logo of the company, and links to the check of the tax authority', async () => {
    const own = await server.company()
    await server.transaction((all) => setLogo(all.of(own.id), PNG, '2026-01-01T00:00:00.000000'))
    await activateVerifactu(server, own.id)
    const { id } = await issued(own.key)
    const to = someone()
    expect((await send(id, { to: [to] }, undefined, own.key)).status).toBe(200)
    const { mail } = required(arrivedFor(to)[0])
    const [logo, pdf] = mail.attachments
    expect(pdf).toMatchObject({ contentType: 'application/pdf', contentDisposition: 'attachment' })
    expect(logo).toMatchObject({ contentType: 'image/png', contentDisposition: 'inline', related: true })
    expect(logo?.content.equals(PNG)).toBe(true)
    const { qr_url } = (await get(own.key, id)).fiscal
    expect(qr_url).toMatch(/^https:.*ValidarQR\?nif=/)
    expect(mail.text).toContain(qr_url)
    // mailparser puts the picture in place of its id.
    expect(mail.html).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt=""`)
    expect(mail.html).toContain(`href="${qr_url.replaceAll('&', '&amp;')}"`)
  })

  it('has the payment link that its PDF has, and none if nothing is to be paid', async () => {
    const own = await server.company({ payment_link: 'https://pagos.example/{number}?importe={amount}&x=1' })
    const { id, number } = await issued(own.key)
    const to = someone()
    await send(id, { to: [to] }, undefined, own.key)
    const { mail } = required(arrivedFor(to)[0])
    expect(mail.text).toContain(`Pague en línea:\nhttps://pagos.example/${number}?importe=121&x=1\n`)
    expect(mail.html).toContain(`href="https://pagos.example/${number}?importe=121&amp;x=1"`)
    const made = await server.call('POST', `/issued-invoices/${id}/corrective`, {
      key: own.key,
      body: {
        reason_code: '01',
        series_code: 'R',
        external_ref: nextRef(),
        correction_type: 'D',
        lines: [{ description: 'Abono', quantity: -1, unit_price_without_tax: 10 }],
      },
    })
    await server.call('POST', `/issued-invoices/${made.json.id}/issue`, { key: own.key })
    const other = someone()
    expect((await send(made.json.id, { to: [other] }, undefined, own.key)).status).toBe(200)
    expect(required(arrivedFor(other)[0]).mail.text).not.toContain('pagos.example')
  })

  it('is in English for a foreign customer, and uses the client’s subject and message if given', async () => {
    const abroad = {
      person_type_code: 'J',
      tax_id: 'DE136695976',
      name: 'Ficciones & Söhne GmbH',
      country_code: 'DE',
      electronic_mail: someone(),
      company: {
        legal_name: 'Ficciones & Söhne GmbH',
        address: { address: 'Hauptstraße 1', post_code: '10115', town: 'Berlin', country_code: 'DE' },
      },
    }
    const lines = [
      {
        item_description: 'Service',
        quantity: 1,
        unit_price_without_tax: 1234.5,
        tax_output_rate: 21,
      },
    ]
    const totals = {
      total_gross_amount_before_taxes: 1234.5,
      total_tax_outputs: 259.25,
      invoice_total: 1493.75,
    }
    const { id, number } = await issued(company.key, draft({ invoice: { customer: abroad, lines, totals } }))
    const to = abroad.electronic_mail
    expect((await send(id)).json.sent_to).toEqual([to])
    const [usual] = arrivedFor(to)
    expect(usual?.mail.subject).toBe(`Invoice ${number} from Empresa de Pruebas, S.L.`)
    expect(usual?.mail.text).toContain('1,493.75')
    expect(usual?.mail.html).toContain('<html lang="en">')
    const message = 'Liebe Frau Weiß,\n\nanbei <b>Rechnung</b> & "Dank".\r\nBis bald'
    expect((await send(id, { subject: 'Rechnung März', message })).status).toBe(200)
    const own = arrivedFor(to)[1]
    expect(own?.mail.subject).toBe('Rechnung März')
    expect(own?.mail.text).toContain('anbei <b>Rechnung</b> & "Dank".\nBis bald')
    expect(own?.mail.html).toContain('anbei &lt;b&gt;Rechnung&lt;/b&gt; &amp; &quot;Dank&quot;.<br>Bis bald')
    expect(own?.mail.text).not.toContain('Please find attached')
    expect(own?.mail.messageId).not.toBe(usual?.mail.messageId)
  })

  it('changes the invoice to sent once, and adds an event each time', async () => {
    const to = someone()
    const { id } = await issued(company.key)
    await send(id, { to: [to] })
    expect((await get(company.key, id)).status).toBe('sent')
    await send(id, { to: [to] })
    expect((await get(company.key, id)).status).toBe('sent')
    const history = (await eventsOf(company.key, id)).filter(
      ({ event_code }: { event_code: string }) => event_code === 'sent',
    )
    expect(
      history.map(({ from_status, to_status }: { from_status: string; to_status: string }) => [
        from_status,
        to_status,
      ]),
    ).toEqual([
      ['ISSUED', 'SENT'],
      [null, null],
    ])
    expect(history.map(({ details }: { details: { message_id: string } }) => details.message_id)).toEqual([
      ...idsFor(to),
    ])
    expect(history[0].details.sent_to).toEqual([to])
  })

  it('simultaneous requests with one key send one mail, with two keys two, and the status is kept', async () => {
    const to = someone()
    const { id } = await issued(company.key)
    const key = randomUUID()
    const same = await Promise.all([1, 2, 3].map(() => send(id, { to: [to] }, key)))
    expect(same.map(statusAndCode)).toEqual(['200', '200', '200'])
    expect(new Set(same.map(({ text }) => text)).size).toBe(1)
    expect(arrivedFor(to)).toHaveLength(1)
    expect(statusAndCode(await send(id, { to: [someone()] }, key))).toBe('409 idempotency_key_reused')
    await Promise.all([send(id, { to: [to] }, randomUUID()), send(id, { to: [to] }, randomUUID())])
    expect(idsFor(to).size).toBe(3)
    expect(arrivedFor(to)).toHaveLength(3)
    expect((await get(company.key, id)).status).toBe('sent')
  })

  it('a rejected address among others is reported, and the others get the mail', async () => {
    const [ana, luis] = [someone(), someone()]
    const { id } = await issued(company.key)
    script = (point, [address]) => {
      if (point === 'rcpt' && address === luis) throw refusal(550, 'no such user here')
    }
    const { json, status } = await send(id, { to: [ana, luis] })
    expect(status).toBe(200)
    expect(json.sent_to).toEqual([ana])
    expect(json.refused).toEqual([
      { address: luis, permanent: true, smtp_code: 550, smtp_response: '550 no such user here' },
    ])
    expect((await get(company.key, id)).status).toBe('sent')
    expect((await eventsOf(company.key, id)).at(-1).details).toMatchObject({
      sent_to: [ana],
      refused: json.refused,
    })
  })

  it('an invoice that is cancelled while its mail is sent stays cancelled, and its history has both', async () => {
    const to = someone()
    const { id } = await issued(company.key)
    script = async (point) => {
      if (point === 'end') expect((await cancel(company.key, id)).status).toBe(200)
    }
    expect(statusAndCode(await send(id, { to: [to] }))).toBe('200')
    expect((await get(company.key, id)).status).toBe('cancelled')
    const codes = (await eventsOf(company.key, id)).map(
      ({ event_code }: { event_code: string }) => event_code,
    )
    expect(codes.slice(-2)).toEqual(['cancelled', 'sent'])
  })
})

describe('a mail that does not arrive', () => {
  const unchanged = async (id: string) => {
    expect((await get(company.key, id)).status).toBe('issued')
    expect((await eventsOf(company.key, id)).at(-1).event_code).toBe('issued')
    const rows = await rowsFor(id)
    expect(rows.map(({ state }) => state)).toEqual(['failed'])
    expect(await server.past((db) => db.selectFrom('mail_contents').selectAll().execute())).toEqual([])
    return JSON.parse(rows[0]?.failure ?? '{}')
  }

  const REFUSALS = [
    ['mail', 550, 'sender_refused', true],
    ['mail', 451, 'sender_refused', false],
    ['rcpt', 550, 'recipients_refused', true],
    ['rcpt', 450, 'recipients_refused', false],
    ['data', 554, 'message_refused', true],
    ['end', 451, 'message_refused', false],
    ['end', 552, 'message_too_large', true],
    ['connect', 554, 'server_refused', true],
    ['connect', 421, 'server_refused', false],
  ] as const
  it.each([
    ['rcpt', 450, 'no', 'in some minutes', false],
    ['rcpt', 451, '4.7.1 greylisted', 'in some minutes', false],
    ['end', 451, '4.7.1 greylisted', 'in some minutes', false],
    ['connect', 421, 'busy', 'in some minutes', false],
    ['rcpt', 452, '4.2.2 mailbox full', 'a mailbox is full', false],
    ['mail', 452, '4.3.1 no space', 'no space left', false],
    ['rcpt', 552, '5.2.2 mailbox full', 'a mailbox is full', true],
    ['end', 552, '5.3.4 too big', 'without attach_xml', true],
    ['rcpt', 550, '5.1.1 unknown', 'correct the addresses', true],
  ] as const)(
    'after %s, the reply %i %s is explained by "%s"',
    async (at, code, text, sentence, permanent) => {
      const { id } = await issued(company.key)
      script = (point) => {
        if (point === at) throw refusal(code, text)
      }
      const { detail } = (await send(id, { to: [someone()] })).json
      expect(detail).toMatchObject({ permanent, message: expect.stringContaining(sentence) })
    },
  )

  it.each(REFUSALS)(
    'rejected at %s with %i: 502 %s, no change, no retry',
    async (at, code, reason, permanent) => {
      const to = someone()
      const { id } = await issued(company.key)
      script = (point) => {
        if (point === at) throw refusal(code, 'not today')
      }
      const key = randomUUID()
      const answer = await send(id, { to: [to] }, key)
      expect(statusAndCode(answer)).toBe('502 email_not_sent')
      expect(answer.json.detail).toMatchObject({ reason, permanent, uncertain: false, smtp_code: code })
      expect(answer.json.detail.smtp_response).toContain('not today')
      expect(await unchanged(id)).toMatchObject({ reason, permanent, smtp_code: code })
      script = undefined
      // A new request, with the same or another key, is processed again.
      expect(statusAndCode(await send(id, { to: [to] }, key))).toBe('200')
      expect(arrivedFor(to)).toHaveLength(1)
    },
  )

  it.each(sized(['data'] as const, ['connect', 'rcpt', 'data'] as const))(
    'a server that falls silent at %s: 502 in time, and no retry',
    async (at) => {
      const to = someone()
      const { id } = await issued(company.key)
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      script = async (point) => {
        if (point !== at) return
        await held
        throw refusal(421, 'too late')
      }
      const answer = await send(id, { to: [to] })
      expect(statusAndCode(answer)).toBe('502 email_not_sent')
      // Its reply at the end of the data is to the whole message.
      expect(answer.json.detail).toMatchObject({
        reason: 'timeout',
        permanent: false,
        uncertain: at === 'data',
      })
      if (at === 'data') expect(answer.json.detail.message).toContain('the customer may have the e-mail')
      await unchanged(id)
      release()
      expect(arrivedFor(to)).toEqual([])
    },
    ANSWERED_LATE,
  )

  it('a connection lost after the whole message gives 502 and states that it may have arrived', async () => {
    const to = someone()
    const { id } = await issued(company.key)
    let broken = () => {}
    script = (point) => {
      if (point !== 'end') return
      broken()
      return new Promise(() => {})
    }
    const closing = new Promise<void>((resolve) => {
      broken = resolve
    })
    const sending = send(id, { to: [to] })
    await closing
    mails.breakOff()
    const answer = await sending
    expect(statusAndCode(answer)).toBe('502 email_not_sent')
    expect(answer.json.detail).toMatchObject({ reason: 'unreachable', permanent: false, uncertain: true })
    await unchanged(id)
  })

  it('no response, row or log line has a secret of the mail server', async () => {
    const rows = await server.past((db) => db.selectFrom('mails').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(SECRET)
    expect(server.output()).not.toContain(SECRET)
    await expect.poll(() => server.output()).toContain('a mail was not sent')
  })
})

describe('other mail servers', () => {
  const with502 = async (url: string, env: Record<string, string> = {}) => {
    const other = await startServer({
      store: 'sqlite',
      env: { CUADRA_SMTP_URL: url, CUADRA_MAIL_TIMEOUT: String(PATIENCE), ...env },
    })
    try {
      const steps = stepsOf(() => other)
      const { key } = await other.company({ contact_email: CONTACT })
      const { id } = await steps.issued(key)
      const answer = await other.call('POST', `/issued-invoices/${id}/send`, {
        key,
        body: { to: [someone()] },
      })
      const { status } = await steps.get(key, id)
      return {
        outcome: statusAndCode(answer),
        detail: answer.json.detail,
        status,
        text: answer.text,
        log: other.output(),
      }
    } finally {
      await other.stop()
    }
  }

  itInAll('an absent server gives 502 unreachable', async () => {
    const closed: Server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const port = portOf(closed)
    await new Promise((resolve) => closed.close(resolve))
    const answer = await with502(`smtp://127.0.0.1:${port}`)
    expect(answer.outcome).toBe('502 email_not_sent')
    expect(answer.detail).toMatchObject({ reason: 'unreachable', permanent: false, uncertain: false })
    expect(answer.status).toBe('issued')
    expect(answer.text).not.toContain(String(port))
  })

  itInAll(
    'a server with an untrusted certificate gives 502 tls and gets no password',
    async () => {
      const users: string[] = []
      const onAuth = (auth: { username?: string | undefined }, _: unknown, done: (error: null) => void) => {
        users.push(auth.username ?? '')
        done(null)
      }
      // smtp-server has its own self-signed certificate.
      const whole = await startFakeSmtpServer(() => {}, { secure: true, onAuth })
      const starting = await startFakeSmtpServer(() => {}, { disabledCommands: [], onAuth })
      try {
        const first = await with502(`smtps://u:${SECRET}@127.0.0.1:${whole.port}`)
        expect(first.outcome).toBe('502 email_not_sent')
        expect(first.detail).toMatchObject({ reason: 'tls', permanent: true })
        const second = await with502(`smtp://u:${SECRET}@127.0.0.1:${starting.port}`)
        expect(second.detail).toMatchObject({ reason: 'tls', permanent: true })
        expect(users).toEqual([])
        expect([...whole.arrived, ...starting.arrived]).toEqual([])
        for (const { log, text } of [first, second]) expect(log + text).not.toContain(SECRET)
      } finally {
        await whole.close()
        await starting.close()
      }
    },
    ANSWERED_LATE,
  )

  itInAll('a server that rejects the password gives 502 login_refused, without its reply', async () => {
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(refusal(535, `wrong password ${SECRET}`))
    const strict = await startFakeSmtpServer(() => {}, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth,
    })
    try {
      const answer = await with502(`smtp://u:${SECRET}@127.0.0.1:${strict.port}`)
      expect(answer.detail).toMatchObject({ reason: 'login_refused', permanent: true, smtp_code: 535 })
      expect(answer.text + answer.log).not.toContain(SECRET)
    } finally {
      await strict.close()
    }
  })
})
