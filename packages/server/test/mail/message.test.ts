/** Messages with hostile names, subjects and texts: the headers stay ours. */
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { sized } from '#test/size.ts'
import { tokens } from '#test/tokens.ts'
import { htmlOf } from '../../src/mail/html.ts'
import { type LetterFacts, letterOf, textOf } from '../../src/mail/letter.ts'
import { composeMessage, type NewMessage } from '../../src/mail/mail-message.ts'

const RUNS = sized(20, 60, 1000)

const plain: NewMessage = {
  from: { name: 'Empresa, S.L.', address: 'facturas@empresa.example' },
  replyTo: undefined,
  to: ['ana@cliente.example'],
  subject: 'Factura F1',
  text: 'Hola',
  html: '<p>Hola</p>',
  files: [{ name: 'F1.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7\n%\u00ff\n') }],
  logo: null,
  messageId: '<1@empresa.example>',
  date: new Date(0),
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\u0000',
        '\u0085',
        '\u2028',
        '\u202e',
        '\ud800',
        '"',
        '<',
        '>',
        ',',
        ';',
        ':',
      ),
      fc.constantFrom(
        'Bcc: x@y.example',
        'Content-Type: text/html',
        '\r\n\r\n',
        '=?utf-8?Q?a?=',
        '--_NmP',
        '.\r\n',
        '../',
        '😀',
        'ñ',
      ),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 10 },
  )
  .map((all) => all.join(''))

const OURS = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'reply-to']

describe('a message', () => {
  it('has only our headers and only ASCII, whatever is in name, subject, text and file name', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, subject, text, file) => {
        const bytes = await composeMessage({
          ...plain,
          from: { ...plain.from, name },
          subject,
          text,
          html: `<p>${text.length}</p>`,
          replyTo: 'otra@empresa.example',
          files: [{ ...required(plain.files[0]), name: file }],
        })
        const raw = bytes.toString('latin1')
        expect(raw).toMatch(/^[\t\r\n -~]*$/)
        // No bare CR or LF: servers differ in how they treat them.
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        const [head = ''] = raw.split('\r\n\r\n')
        const names = head
          .split('\r\n')
          .filter((line) => !/^[ \t]/.test(line))
          .map((line) => line.split(':')[0]?.toLowerCase())
        expect(names.filter((one) => !OURS.includes(one ?? ''))).toEqual([])
        expect(new Set(names).size).toBe(names.length)
        const mail = await simpleParser(bytes)
        expect(mail.from?.value.map(({ address }) => address)).toEqual(['facturas@empresa.example'])
        expect([mail.to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address))).toEqual([
          'ana@cliente.example',
        ])
        expect([mail.cc, mail.bcc]).toEqual([undefined, undefined])
        expect(mail.attachments).toHaveLength(1)
        expect(mail.attachments[0]?.content.equals(Buffer.from(required(plain.files[0]).content))).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('has the same bytes each time, except for the boundary, which is unpredictable', async () => {
    const once = async () =>
      (await composeMessage(plain)).toString('latin1').replaceAll(/_NmP-[0-9a-f]+/g, '_')
    expect(await once()).toBe(await once())
  })
})

const facts: LetterFacts = {
  title: 'Factura',
  number: 'F26000001',
  date: '22/11/2026',
  total: '1.210,00 €',
  toPay: '1.010,00 €',
  due: ['31/12/2026 · 505,00 €', '31/01/2027 · 505,00 €'],
  accounts: ['ES91 2100 0418 4502 0005 1332'],
  company: { name: 'Comercial Demostración, S.L.', phone: null, email: 'facturas@demostracion.example' },
  withXml: true,
  payment: null,
  check: null,
}

describe('a letter', () => {
  it('has every value in Spanish', () => {
    expect(textOf(letterOf(facts, 'es'))).toBe(`Buenos días:

Adjuntamos la factura F26000001 en PDF y como factura electrónica en formato Facturae (XML).

Número:              F26000001
Fecha de expedición: 22/11/2026
Importe total:       1.210,00 €
Importe a pagar:     1.010,00 €
Vencimiento:         31/12/2026 · 505,00 €
                     31/01/2027 · 505,00 €
IBAN:                ES91 2100 0418 4502 0005 1332

Si tiene alguna duda, responda a este correo.

Un cordial saludo,

Comercial Demostración, S.L.
facturas@demostracion.example
`)
  })

  it('has a link to the check of the tax authority, whose address cannot leave its attribute', () => {
    const check = 'https://sede.example/ValidarQR?nif=B1&numserie=A%22><b>&importe=1'
    const letter = letterOf({ ...facts, check }, 'es')
    expect(textOf(letter)).toContain(
      `Compruebe esta factura en la sede electrónica de la Agencia Tributaria:\n${check}\n`,
    )
    expect(htmlOf(letter, false)).toContain(
      'href="https://sede.example/ValidarQR?nif=B1&amp;numserie=A%22&gt;&lt;b&gt;&amp;importe=1"',
    )
  })

  it('has no reply address and no rows without a value', () => {
    const company = { ...facts.company, email: null }
    const text = textOf(
      letterOf(
        { ...facts, title: 'Invoice', company, toPay: null, due: [], accounts: [], withXml: false },
        'en',
      ),
    )
    expect(text).toContain('Please find attached our invoice F26000001 as a PDF.')
    expect(text).not.toMatch(/reply to this e-mail|Amount to pay|Due date|IBAN/)
  })

  it('has only text in its HTML, whatever the client or a customer has written', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (message, number, name) => {
        const letter = letterOf({ ...facts, number, company: { ...facts.company, name } }, 'es', {
          message,
          subject: message,
        })
        const html = htmlOf(letter, false)
        const tags = [...html.matchAll(/<\/?([a-z!]+)/gi)].map(([, tag]) => tag?.toLowerCase())
        const known = tokens`!doctype html head meta title style body table tr td th p br !`
        expect(tags.filter((tag) => !known.includes(tag ?? ''))).toEqual([])
        // The tags are ours: as many as in a letter of harmless texts.
        expect(html.match(/<(?:table|td|th|style|meta|title|html|body)\b/g)).toEqual(
          htmlOf(letterOf({ ...facts, number: '1' }, 'es', { message: 'x', subject: 'x' }), false).match(
            /<(?:table|td|th|style|meta|title|html|body)\b/g,
          ),
        )
        expect(html).not.toMatch(/\bon\w+=|javascript:|https?:/i)
      }),
      { numRuns: RUNS },
    )
  })
})
