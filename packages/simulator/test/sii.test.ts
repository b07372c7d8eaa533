/** SII messages: acceptance, rejection, acceptance with errors, and queries. */
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  collectionRecord,
  deletionRecord,
  issuedRecord,
  paymentRecord,
  readQueryResponse,
  readResponse,
  readSii,
  receivedRecord,
  SII_ERROR_CODES,
  type SiiMessage,
  type SubmissionInput,
  siiQuery,
  siiXml,
  submission,
} from '#records/sii/index.ts'
import { setAll, setTo } from '#test/put.ts'
import {
  HOLDER,
  issued,
  type Loose,
  line,
  messageOf,
  received,
  recordOf,
} from '#test/records/sii/invoices.ts'
import { officialSchema, samples } from '#test/records/sii/schema.ts'
import { RULE_CODES } from '../src/sii-rules.ts'
import { certificate, post, SII, start } from './client.ts'

/** The invoices of the tests are of March 2026. */
const clock = () => Date.parse('2026-04-10T12:00:00+02:00')
const simulator = await start({ clock })
const CASH = { tax_regime_key: '07' }

const ADDRESSES = {
  ISSUED: 'fe/SiiFactFEV1SOAP',
  RECEIVED: 'fr/SiiFactFRV1SOAP',
  COBROS: 'fe/SiiFactCOBV1SOAP',
  PAGOS: 'fr/SiiFactPAGV1SOAP',
} as const

const answers: string[] = []

async function ask(message: SiiMessage | string, address: string, own = simulator, pfx?: Uint8Array) {
  const body = typeof message === 'string' ? message : siiXml(message, { soap: true })
  const { text } = await post(own, `${SII}${address}`, body, pfx ? { pfx } : {})
  answers.push(text)
  return text
}

async function sent(input: Partial<SubmissionInput>, own = simulator) {
  const whole: SubmissionInput = { book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [], ...input }
  const { book, operation } = whole
  const address = ADDRESSES[operation === 'COBROS' || operation === 'PAGOS' ? operation : book]
  const read = readResponse(await ask(messageOf(submission(whole)), address, own))
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  expect(read.items).toEqual([])
  return read.response
}

const numbered = (number: string) => setTo('header/invoice_number', number)
const record = (number: string, more: object = {}) =>
  recordOf(issuedRecord(issued([line(100, 21, more)], numbered(number))))
const bought = (number: string, more: object = {}) =>
  recordOf(receivedRecord(received([line(100, 21, more)], numbered(number))))

const codesOf = (response: Awaited<ReturnType<typeof sent>>) =>
  response.lines.map(({ aeat_record_state, error_code }) => [aeat_record_state, error_code])

it('accepts both books, stores them and returns a receipt', async () => {
  const first = await sent({ records: [record('A-1'), record('A-2')] })
  expect(first).toMatchObject({ global_status: 'accepted', presenter_nif: HOLDER.nif, operation_type: 'A0' })
  expect(first.csv).toMatch(/^A-[A-Z0-9]{14}$/)
  expect(first.presented_at).toBe('2026-04-10T12:00:00')
  const second = await sent({ book: 'RECEIVED', records: [bought('P-1')] })
  expect(second).toMatchObject({ global_status: 'accepted', book_type: 'RECEIVED' })
  expect(simulator.control.invoices({ taxpayer: HOLDER.nif })).toMatchObject([
    { number: 'A-1', book: 'ISSUED', state: 'Correcta', period: '2026-03' },
    { number: 'A-2' },
    { number: 'P-1', book: 'RECEIVED' },
  ])
})

it('compares registrations, modifications and deletions with the stored invoice', async () => {
  const one = record('B-1')
  const gone = recordOf(deletionRecord(issued([line(100, 21)], numbered('B-1'))))
  const steps: [Partial<SubmissionInput>, string, string | null][] = [
    [{ operation: 'A1', records: [one] }, 'Incorrecto', '3002'],
    [{ operation: 'BAJA', records: [gone] }, 'Incorrecto', '3002'],
    [{ operation: 'A0', records: [one] }, 'Correcto', null],
    [{ operation: 'A0', records: [one] }, 'Incorrecto', '3000'],
    [{ operation: 'A1', records: [one] }, 'Correcto', null],
    [{ operation: 'BAJA', records: [gone] }, 'Correcto', null],
    [{ operation: 'BAJA', records: [gone] }, 'Incorrecto', '3001'],
    [{ operation: 'A1', records: [one] }, 'Incorrecto', '3001'],
    [{ operation: 'A0', records: [one] }, 'Correcto', null],
  ]
  for (const [at, [input, state, code]] of steps.entries()) {
    const response = await sent(input)
    expect([at, ...required(codesOf(response)[0])]).toEqual([at, state, code])
    expect(response.csv === null).toBe(state === 'Incorrecto')
    if (code === '3000')
      expect(response.lines[0]?.duplicate).toMatchObject({
        aeat_record_state: 'Correcta',
        item_status: 'accepted',
      })
  }
})

it('accepts collections and payments of cash-basis invoices only', async () => {
  const cash = issued([line(100, 21, CASH)], numbered('C-1'))
  const plain = issued([line(100, 21, CASH)], numbered('C-2'))
  const paid = [
    { date: '2026-04-01', amount: 50 },
    { date: '2026-04-02', amount: 71 },
  ]
  const collect = (invoice: Loose) =>
    sent({ operation: 'COBROS', records: [recordOf(collectionRecord(invoice, paid))] })
  expect(codesOf(await collect(cash))).toEqual([['Incorrecto', '3002']])
  await sent({ records: [recordOf(issuedRecord(cash)), record('C-2')] })
  expect(codesOf(await collect(cash))).toEqual([['Correcto', null]])
  expect(codesOf(await collect(plain))).toEqual([['Incorrecto', '3005']])
  expect(codesOf(await sent({ operation: 'A1', records: [record('C-1')] }))).toEqual([['Incorrecto', '3011']])
  await sent({ operation: 'BAJA', records: [recordOf(deletionRecord(cash))] })
  expect(codesOf(await collect(cash))).toEqual([['Incorrecto', '3003']])
  const supplied = received([line(100, 21, CASH)], numbered('C-9'))
  await sent({ book: 'RECEIVED', records: [recordOf(receivedRecord(supplied))] })
  const payment = recordOf(paymentRecord(supplied, paid))
  expect(codesOf(await sent({ book: 'RECEIVED', operation: 'PAGOS', records: [payment] }))).toEqual([
    ['Correcto', null],
  ])
  const wrong = structuredClone(payment)
  wrong.Pagos.Pago[0].Medio = '03'
  expect(codesOf(await sent({ book: 'RECEIVED', operation: 'PAGOS', records: [wrong] }))).toEqual([
    ['Incorrecto', '1151'],
  ])
})

it('decides on each record by its content, with one code', async () => {
  const change = (number: string, alter: (record: Loose) => void): Loose => {
    const one = record(number)
    alter(one)
    return one
  }
  const cases: [string, (record: Loose) => void, string, string | null][] = [
    ['D-1', () => {}, 'Correcto', null],
    ['D-2', (one) => (one.IDFactura.FechaExpedicionFacturaEmisor = '11-04-2026'), 'Incorrecto', '1125'],
    ['D-3', (one) => (one.PeriodoLiquidacion = { Ejercicio: '2026', Periodo: '05' }), 'Incorrecto', '1145'],
    ['D-4', (one) => (one.FacturaExpedida.TipoRectificativa = 'I'), 'Incorrecto', '1135'],
    ['D-5', (one) => (one.FacturaExpedida.TipoFactura = 'R1'), 'Incorrecto', '1134'],
    ['D-6', (one) => delete one.FacturaExpedida.Contraparte, 'Incorrecto', '1158'],
    ['D-7', (one) => (one.FacturaExpedida.BaseImponibleACoste = '1.00'), 'AceptadoConErrores', '2001'],
    [
      'D-8',
      setAll({
        'FacturaExpedida/TipoFactura': 'R1',
        'FacturaExpedida/TipoRectificativa': 'I',
        'FacturaExpedida/FacturasRectificadas': {
          IDFacturaRectificada: [
            { NumSerieFacturaEmisor: 'nunca', FechaExpedicionFacturaEmisor: '01-03-2026' },
          ],
        },
      }),
      'AceptadoConErrores',
      '2003',
    ],
    ['D-9', (one) => (one.IDFactura.IDEmisorFactura.NIF = 'A58818501'), 'Incorrecto', '1112'],
  ]
  // Written by hand: the engine would reject some of these.
  const message = messageOf(
    submission({ book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [record('D-0')] }),
  )
  const value = {
    ...message.value,
    RegistroLRFacturasEmitidas: cases.map(([number, alter]) => change(number, alter)),
  }
  const read = readResponse(await ask({ root: message.root, value }, ADDRESSES.ISSUED))
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  expect(codesOf(read.response)).toEqual(cases.map(([, , state, code]) => [state, code]))
  expect(read.response.global_status).toBe('partially_accepted')
})

it('every code of its rules is documented', () => {
  const known = new Set(SII_ERROR_CODES.map(({ code }) => code))
  expect(RULE_CODES.filter((code) => !known.has(code) && code !== 2041)).toEqual([])
})

it('rejects a record for an invalid value and the message for a missing one', async () => {
  const message = messageOf(
    submission({ book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [record('E-1'), record('E-2')] }),
  )
  const xml = siiXml(message, { soap: true })
  for (const [field, code] of [
    ['TipoFactura', '1107'],
    ['Periodo', '1102'],
    ['ClaveRegimenEspecialOTrascendencia', '1109'],
    ['TipoNoExenta', '1114'],
  ] as const) {
    const altered = xml.replace(new RegExp(`(<sii:${field}>)[^<]*`), '$1?')
    const wrong = readResponse(await ask(altered, ADDRESSES.ISSUED))
    if (!wrong.ok) throw new Error(JSON.stringify(wrong.items))
    expect(codesOf(wrong.response)[0], field).toEqual(['Incorrecto', code])
  }
  const withDate = (date: string) => xml.replace(/(<sii:FechaExpedicionFacturaEmisor>)[^<]*/, `$1${date}`)
  const cases: [string, string, string][] = [
    // The response repeats number and date, so a record with an invalid date has no line in it.
    ['1106', ADDRESSES.ISSUED, withDate('aa-bb-cccc')],
    ['3004', ADDRESSES.ISSUED, withDate('?')],
    ['4102', ADDRESSES.ISSUED, xml.replace(/<sii:TipoFactura>F1<\/sii:TipoFactura>/, '')],
    ['4102', ADDRESSES.ISSUED, xml.replace('<sii:TipoFactura>', '<sii:Nada/><sii:TipoFactura>')],
    ['4100', ADDRESSES.ISSUED, xml.replace('>1.1<', '>1.0<')],
    ['4101', ADDRESSES.ISSUED, xml.replace('>A0<', '>A9<')],
    ['4122', ADDRESSES.ISSUED, xml.replace(`<sii:NIF>${HOLDER.nif}<`, '<sii:NIF>b<')],
    ['4124', ADDRESSES.RECEIVED, xml],
    ['4103', ADDRESSES.ISSUED, xml.slice(0, 900)],
    ['4108', ADDRESSES.ISSUED, '<nada xmlns="urn:nada"/>'],
  ]
  for (const [code, address, body] of cases) {
    const read = readResponse(await ask(body, address))
    if (!read.ok) throw new Error(JSON.stringify(read.items))
    expect([code, read.response.global_status, read.response.error_code]).toEqual([code, 'error', code])
  }
})

it('checks the owner of the certificate and the registration', async () => {
  const own = await start({ clock, siiHolders: ['A58818501'] })
  const message = messageOf(
    submission({ book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [record('F-1')] }),
  )
  const code = async (taxId: string) => {
    const read = readResponse(await ask(message, ADDRESSES.ISSUED, own, await certificate(taxId)))
    return read.ok && read.response.error_code
  }
  expect(await code('A58818501')).toBe('4114')
  expect(await code(HOLDER.nif)).toBe('4118')
})

it('returns queries of both books and of payments in pages', async () => {
  const own = await start({ clock, pageSize: 2 })
  const invoices = ['G-1', 'G-2', 'G-3'].map((number) => issued([line(100, 21, CASH)], numbered(number)))
  await sent({ records: invoices.map((invoice) => recordOf(issuedRecord(invoice))) }, own)
  await sent({ operation: 'A1', records: [recordOf(issuedRecord(required(invoices[1])))] }, own)
  await sent({ operation: 'BAJA', records: [recordOf(deletionRecord(required(invoices[2])))] }, own)
  const paid = [1, 2, 3].map((day) => ({ date: `2026-04-0${day}`, amount: 10 }))
  await sent({ operation: 'COBROS', records: [recordOf(collectionRecord(required(invoices[0]), paid))] }, own)
  await sent({ book: 'RECEIVED', records: [bought('G-9')] }, own)
  const query = async (more: object, book: 'ISSUED' | 'RECEIVED' = 'ISSUED') => {
    const message = messageOf(siiQuery({ book, holder: HOLDER, period: '2026-03', ...more }))
    const read = readQueryResponse(await ask(message, ADDRESSES[book], own))
    if (!read.ok) throw new Error(JSON.stringify(read.items))
    return read.response
  }
  const first = await query({})
  expect(first.records.map((row) => [row.invoice_number, row.aeat_record_state])).toEqual([
    ['G-1', 'Correcta'],
    ['G-2', 'Correcta'],
  ])
  expect(first.records[0]).toMatchObject({ presented_at: '2026-04-10T12:00:00', reconciliation: '1' })
  expect(first.records.map(({ record: data }) => (data as Loose).Cobros)).toEqual(['S', 'N'])
  const second = await query({ page_after: first.page_after })
  expect(second.records.map((row) => [row.invoice_number, row.aeat_record_state])).toEqual([
    ['G-3', 'Anulada'],
  ])
  expect(second.page_after).toBeNull()
  const numbers = async (more: object, book?: 'RECEIVED') =>
    (await query(more, book)).records.map((row) => row.invoice_number)
  expect(await numbers({ number: 'G-2' })).toEqual(['G-2'])
  expect(await numbers({ modified: true })).toEqual(['G-2', 'G-3'])
  expect(await numbers({ period: '2026-02' })).toEqual([])
  expect(await numbers({ presented: { from: '2026-04-11' } })).toEqual([])
  expect(await numbers({}, 'RECEIVED')).toEqual(['G-9'])
  const { IDFactura } = recordOf(issuedRecord(required(invoices[0])))
  const collections = (more: object = {}, id: object = IDFactura): SiiMessage => ({
    root: 'ConsultaCobros',
    value: {
      Cabecera: { IDVersionSii: '1.1', Titular: { NombreRazon: HOLDER.name, NIF: HOLDER.nif } },
      FiltroConsultaCobros: { IDFactura: id, ...more },
    },
  })
  const page: Loose = readSii(await ask(collections(), ADDRESSES.COBROS, own))
  expect(page.value.RegistroRespuestaConsultaCobros.map((row: Loose) => row.DatosCobro.Fecha)).toEqual([
    '01-04-2026',
    '02-04-2026',
  ])
  const rest: Loose = readSii(
    await ask(collections({ ClavePaginacion: page.value.ClavePaginacion }), ADDRESSES.COBROS, own),
  )
  expect(rest.value.RegistroRespuestaConsultaCobros).toHaveLength(1)
  const none = await ask(
    collections({}, { ...IDFactura, NumSerieFacturaEmisor: 'nunca' }),
    ADDRESSES.COBROS,
    own,
  )
  expect(none).toContain('Codigo[3503]')
})

const SAMPLE_ADDRESSES: Readonly<Record<string, keyof typeof ADDRESSES>> = {
  'issued-collections-recc': 'COBROS',
  'received-payments-recc': 'PAGOS',
}

it.skipIf(Object.keys(samples).length === 0)(
  'accepts every sample message of the reference or rejects it with the expected code',
  async () => {
    const own = await start({ clock })
    // Payments and deletions come after their invoices.
    const later = /deletion|recc/
    const names = Object.keys(samples)
      .filter((name) => !name.startsWith('response'))
      .sort((a, b) => Number(later.test(a)) - Number(later.test(b)))
    const results: Record<string, string> = {}
    for (const name of names) {
      const book = SAMPLE_ADDRESSES[name] ?? (name.startsWith('issued') ? 'ISSUED' : 'RECEIVED')
      const read = readResponse(await ask(required(samples[name]), ADDRESSES[book], own))
      if (!read.ok) throw new Error(JSON.stringify(read.items))
      results[name] = read.response.lines.map((one) => one.error_code ?? one.aeat_record_state).join(' ')
    }
    const correct = Object.fromEntries(names.map((name) => [name, 'Correcto']))
    expect(results).toEqual({
      ...correct,
      // Its invoice and the one it corrects are not among the samples.
      'issued-collections-recc': '3002',
      'issued-r1-substitution': '2003',
      // Another sample has its number, and a third one deletes its invoice.
      'received-reverse-charge': '3000',
      'received-payments-recc': '3006',
    })
  },
)

it.skipIf(officialSchema === null)('every answer of these tests is valid by the official schemas', () => {
  const documents = answers.filter((text) => !text.includes('Fault'))
  expect(documents.length).toBeGreaterThan(25)
  expect(documents.flatMap((xml) => required(officialSchema)()(xml))).toEqual([])
})
