/** `cuadra record` and `cuadra verify-chain`. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { spanishTimestamp } from '#records/fiscal/timestamp.ts'
import {
  cancellationRecord,
  type FiscalRecord,
  linkOf,
  qrUrlOf,
  readVerifactu,
  recordXml,
  registrationRecord,
  submissionXml,
} from '#records/verifactu/index.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { alta, anulacion, evento, HEADER, SYSTEM } from '../../records/verifactu/records.ts'
import { sized } from '../../size.ts'
import { cuadra, EXAMPLE, root, WRONG } from './run.ts'

/** Size of a long chain, and the indexes of a removed and a changed record. */
const MANY = sized(5000, 6000, 20_000)
const COUNT = MANY.toLocaleString('en')
const LOST = 4345
const CHANGED = 2000

/** Tests also change records in ways that their type forbids. */
type Loose = any

const folder = temporaryFolder()

const fileOf = filesOf(folder)

const json = (name: string, value: unknown): string => fileOf(name, JSON.stringify(value))

const TIMESTAMP = '2026-03-05T12:00:00+01:00'
const LATER = '2026-03-05T12:00:01+01:00'
const SYSTEM_FILE = json('system.json', SYSTEM)
const FIRST = ['--first', '--system', SYSTEM_FILE]
const AT = ['--timestamp', TIMESTAMP]
const AT_LATER = ['--timestamp', LATER]

/** Returns an example with a number and a date. */
const numbered = (file: string, number: string, date: string): Loose => {
  const invoice = JSON.parse(readFileSync(`${root}${file}`, 'utf8'))
  invoice.invoice.header.invoice_number = number
  invoice.invoice.issue_data.issue_date = date
  return invoice
}

const INVOICE = numbered(EXAMPLE, 'WEB-1', '2026-03-05')
const INVOICE_FILE = json('invoice.json', INVOICE)
const SECOND_FILE = json('second.json', numbered(EXAMPLE, 'WEB-2', '2026-03-05'))

const record = (...args: string[]) => cuadra(['record', ...args])
/** Records the second invoice after the record of a file. */
const recordAfter = (file: string, ...args: string[]) =>
  record(SECOND_FILE, '--previous', file, ...AT_LATER, ...args)
const verify = (...args: string[]) => cuadra(['verify-chain', ...args])

/** Returns the record that the library makes, which the command must print. */
const expected = (invoice: unknown, previous: FiscalRecord | null = null, timestamp = TIMESTAMP) => {
  const { data } = validate(invoice, { operation: 'issue', today: timestamp.slice(0, 10) })
  const made = registrationRecord(required(data), { system: SYSTEM, previous, timestamp })
  expect(made.items).toEqual([])
  return required(made.record)
}

const ONE = expected(INVOICE)

/** Returns a chain of `count` records ten seconds apart; every fourth cancels the previous one. */
const chainOf = (count: number): Loose[] => {
  const records: Loose[] = []
  for (let i = 0; i < count; i++) {
    const last = records.at(-1)
    const link = last ? { RegistroAnterior: linkOf(last) } : { PrimerRegistro: 'S' }
    const timestamp = spanishTimestamp(Date.UTC(2026, 0, 15, 9) + i * 10_000)
    const change = (r: Loose) => {
      const id = i % 4 === 3 ? 'NumSerieFacturaAnulada' : 'NumSerieFactura'
      r.IDFactura[id] = i % 4 === 3 ? `A-${i - 1}` : `A-${i}`
      r.Encadenamiento = link
      r.FechaHoraHusoGenRegistro = timestamp
    }
    records.push(i % 4 === 3 ? anulacion(change) : alta(change))
  }
  return records
}

const ndjson = (records: readonly unknown[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('')

const CHAIN = chainOf(12)

/** Returns records as XML, within an element that is not part of VeriFactu. */
const wrapped = (records: readonly FiscalRecord[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<archivo>\n${records
    .map((one) => recordXml(one, { declaration: false }))
    .join('\n')}\n</archivo>\n`

describe('record', () => {
  it('makes the first record of an installation', async () => {
    const { code, out, err } = await record(INVOICE_FILE, ...FIRST, ...AT)
    expect([code, err]).toEqual([0, ''])
    const { RegistroAlta, hash, qr_url } = JSON.parse(out)
    expect({ RegistroAlta }).toEqual(ONE)
    expect(hash).toBe(RegistroAlta.Huella)
    expect(RegistroAlta.Encadenamiento).toEqual({ PrimerRegistro: 'S' })
    expect(qr_url).toBe(qrUrlOf(RegistroAlta))
  })

  it('assigns a number and a date to a draft', async () => {
    const args = ['--number', 'WEB-1', '--date', '2026-03-05', ...FIRST, ...AT]
    expect(await record(EXAMPLE, ...args)).toEqual(await record(INVOICE_FILE, ...FIRST, ...AT))
    expect((await record(INVOICE_FILE, ...args)).code).toBe(0)
  })

  it('reads the invoice from the standard input', async () => {
    const input = JSON.stringify(INVOICE)
    const { code, out } = await cuadra(['record', '-', ...FIRST, ...AT], { input })
    expect(code).toBe(0)
    expect(JSON.parse(out).RegistroAlta).toEqual(ONE.RegistroAlta)
  })

  it('uses the current time in the zone without --timestamp', async () => {
    const today = spanishTimestamp(Date.now(), 'Atlantic/Canary')
    const invoice = json('today.json', numbered(EXAMPLE, 'WEB-1', today.slice(0, 10)))
    for (const zone of ['Atlantic/Canary', 'Europe/Madrid'] as const) {
      const before = Math.floor(Date.now() / 1000) * 1000
      const { code, out } = await record(invoice, ...FIRST, '--zone', zone)
      expect(code).toBe(0)
      const { FechaHoraHusoGenRegistro: timestamp } = JSON.parse(out).RegistroAlta
      const at = Date.parse(timestamp)
      expect(at).toBeGreaterThanOrEqual(before)
      expect(at).toBeLessThanOrEqual(Date.now())
      expect(timestamp).toBe(spanishTimestamp(at, zone))
    }
    const { err } = await record(invoice, ...FIRST, '--zone', 'Europe/Lisbon')
    expect(err).toContain('Allowed choices are Europe/Madrid, Atlantic/Canary')
  })

  it('reads the company of the invoice', async () => {
    const company = json('company.json', { tax_id: 'B12345674' })
    const { code, err } = await record(INVOICE_FILE, ...FIRST, ...AT, '--company', company)
    expect(code).toBe(1)
    expect(err).toContain('/invoice/supplier/tax_id')
  })

  describe('after another record', async () => {
    const first = fileOf('first.json', (await record(INVOICE_FILE, ...FIRST, ...AT)).out)
    const SECOND = expected(numbered(EXAMPLE, 'WEB-2', '2026-03-05'), ONE, LATER)
    const other: Loose = structuredClone(ONE)
    other.RegistroAlta.IDFactura.NumSerieFactura = 'OTHER'
    const both = `${JSON.stringify(other, null, 2)}\n${readFileSync(first, 'utf8')}`
    const xml = submissionXml({ Cabecera: HEADER, RegistroFactura: [other, ONE] })
    const indented = recordXml(ONE, { declaration: false, indent: 2 })
    it.each([
      ['as the first command printed it', first],
      ['under `record`', json('under.json', { ok: true, record: ONE })],
      ['as the last line of NDJSON', fileOf('two.ndjson', ndjson([other, ONE]))],
      ['as the last line, after a broken one', fileOf('broken.ndjson', `{"a"\n${ndjson([ONE])}`)],
      ['as the last of a list', json('list.json', [other, ONE])],
      ['as the last of several printed documents', fileOf('both.json', both)],
      ['in a message', json('message.json', { Cabecera: HEADER, RegistroFactura: [other, ONE] })],
      ['as XML', fileOf('first.xml', recordXml(ONE))],
      ['as XML with spaces before it', fileOf('spaces.xml', `\ufeff\n  ${indented}`)],
      ['as the last of a message in XML', fileOf('message.xml', xml)],
      ['as the last of an archive in XML', fileOf('archive.xml', wrapped([other, ONE]))],
    ])('%s', async (_, file) => {
      const { code, out, err } = await recordAfter(file)
      expect([code, err]).toEqual([0, ''])
      expect(JSON.parse(out).RegistroAlta).toEqual(SECOND.RegistroAlta)
    })

    it('given as a link, which names no system', async () => {
      const link = json('link.json', linkOf(ONE))
      const { code, err } = await recordAfter(link)
      expect(code).toBe(2)
      expect(err).toMatch(/^cuadra: the previous record has no SistemaInformatico block: .+\n$/)
      const { out } = await recordAfter(link, '--system', SYSTEM_FILE)
      expect(JSON.parse(out).RegistroAlta).toEqual(SECOND.RegistroAlta)
    })

    it('with the system of another file', async () => {
      const newer = json('newer.json', { SistemaInformatico: { ...SYSTEM, Version: '2.0' } })
      const { out } = await recordAfter(first, '--system', newer)
      expect(JSON.parse(out).RegistroAlta.SistemaInformatico.Version).toBe('2.0')
      const same = await recordAfter(first, '--system', first)
      expect(JSON.parse(same.out).RegistroAlta).toEqual(SECOND.RegistroAlta)
    })

    it('but not with an earlier timestamp', async () => {
      const { code, out, err } = await recordAfter(first, '--timestamp', '2026-03-05T11:59:59+01:00')
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain('record.previous_later  /timestamp')
    })
  })

  describe('in another format', () => {
    const make = (...args: string[]) => record(INVOICE_FILE, ...FIRST, ...AT, ...args)

    it('XML', async () => {
      const { code, out, err } = await make('--xml')
      expect([code, err, out]).toEqual([0, '', `${recordXml(ONE)}\n`])
      const { document, items } = readVerifactu(out)
      expect(items).toEqual([])
      expect(document).toEqual({ root: 'RegistroAlta', value: ONE.RegistroAlta })
    })

    it('the QR code on the standard output', async () => {
      for (const args of [['--svg'], ['--svg', '-']]) {
        const { code, out, err } = await make(...args)
        expect([code, err]).toEqual([0, ''])
        expect(out).toMatch(/^<svg [^\n]+<\/svg>\n$/)
        expect(out).toContain('<text')
        expect(out).toContain(qrUrlOf(ONE.RegistroAlta).replaceAll('&', '&amp;'))
      }
      expect(existsSync(`${root}-`)).toBe(false)
    })

    it('the QR code in a file, besides the record', async () => {
      const file = join(folder, 'qr.svg')
      const { code, out } = await make('--svg', file)
      expect(code).toBe(0)
      expect(JSON.parse(out).RegistroAlta).toEqual(ONE.RegistroAlta)
      expect(`${readFileSync(file, 'utf8')}\n`).toBe((await make('--svg')).out)
      expect((await make('--xml', '--svg', file)).out).toBe((await make('--xml')).out)
    })

    it('the QR code of the test service, and of a system that is not VERI*FACTU', async () => {
      const url = async (...args: string[]) => new URL(JSON.parse((await make(...args)).out).qr_url)
      expect((await url()).href).toMatch('https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?')
      expect((await url('--environment', 'test')).host).toBe('prewww2.aeat.es')
      expect((await url('--no-verifiable')).pathname).toBe('/wlpl/TIKE-CONT/ValidarQRNoVerifactu')
      expect((await make('--no-verifiable', '--svg')).out).not.toContain('VERI*FACTU')
      expect((await make('--environment', 'pre')).err).toContain('Allowed choices are production, test')
    })
  })

  describe('of a cancellation', () => {
    const CANCELLED = required(
      cancellationRecord(ONE, { system: SYSTEM, previous: ONE, timestamp: LATER }).record,
    )
    const first = json('registered.json', ONE)
    const args = ['--cancel', '--previous', first, ...AT_LATER]

    it.each([
      ['its record', first],
      ['its record as XML', fileOf('registered.xml', recordXml(ONE))],
      ['its identity', json('identity.json', linkOf(ONE))],
    ])('from %s', async (_, file) => {
      const { code, out, err } = await record(file, ...args)
      expect([code, err]).toEqual([0, ''])
      const { RegistroAnulacion, hash, qr_url } = JSON.parse(out)
      expect({ RegistroAnulacion }).toEqual(CANCELLED)
      expect([hash, qr_url]).toEqual([RegistroAnulacion.Huella, null])
    })

    it('as XML', async () => {
      expect((await record(first, ...args, '--xml')).out).toBe(`${recordXml(CANCELLED)}\n`)
    })

    it('can be followed by others', async () => {
      const file = json('cancelled.json', CANCELLED)
      const { out } = await recordAfter(file)
      expect(JSON.parse(out).RegistroAlta.Encadenamiento.RegistroAnterior).toEqual(linkOf(CANCELLED))
    })

    it('needs a file with a single record', async () => {
      const { code, err } = await record(fileOf('several.ndjson', ndjson(CHAIN)), ...args)
      expect(code).toBe(2)
      expect(err).toContain('contains 12 records; use a file with a single record')
    })
  })

  describe('rejects', () => {
    it('an invalid invoice, with its items', async () => {
      const { code, out, err } = await record(WRONG, ...FIRST, ...AT)
      expect([code, out]).toEqual([1, ''])
      for (const item of ['tax_rate_unknown  /invoice/lines/0', 'customer_domicile_required'])
        expect(err).toContain(item)
      const spanish = await record(WRONG, ...FIRST, ...AT, '--locale', 'es')
      expect(spanish.err).toContain('no tiene ningún tipo del')
    })

    it('an invoice without number and date', async () => {
      const { code, err } = await record(EXAMPLE, ...FIRST, ...AT)
      expect(code).toBe(1)
      expect(err.match(/record\.required {2}\S+/g)).toEqual([
        'record.required  /invoice/header/invoice_number',
        'record.required  /invoice/issue_data/issue_date',
      ])
    })

    it('a document that is not an invoice', async () => {
      const { code, err } = await record(json('number.json', 3), ...FIRST, ...AT, '--number', 'A')
      expect(code).toBe(1)
      expect(err).toContain('schema.type')
    })

    it('a timestamp outside of Spanish time zones', async () => {
      const { code, err } = await record(INVOICE_FILE, ...FIRST, '--timestamp', '2026-03-05T12:00:00+05:00')
      expect(code).toBe(1)
      expect(err).toContain('record.timestamp_zone  /timestamp')
    })

    it('an invoice with items as JSON', async () => {
      const { code, out, err } = await record(EXAMPLE, ...FIRST, ...AT, '--json')
      expect([code, err]).toEqual([1, ''])
      const { record: none, errors } = JSON.parse(out)
      expect(none).toBeNull()
      expect(errors.map(({ code }: { code: string }) => code)).toEqual(['record.required', 'record.required'])
    })

    it('a system that the authority would reject', async () => {
      const system = json('bad-system.json', { ...SYSTEM, IdSistemaInformatico: 'abc' })
      const { code, err } = await record(INVOICE_FILE, '--first', '--system', system, ...AT)
      expect(code).toBe(1)
      expect(err).toMatch(/aeat\.\d+ {2}\/RegistroAlta\/SistemaInformatico\/IdSistemaInformatico/)
    })
  })

  const bare: Loose = structuredClone(ONE)
  delete bare.RegistroAlta.Huella
  const anonymous: Loose = structuredClone(ONE)
  delete anonymous.RegistroAlta.IDFactura
  const bad = fileOf('bad.txt', 'hello\n')
  it.each([
    [
      'no previous record',
      [INVOICE_FILE, '--system', SYSTEM_FILE],
      'the previous record is missing: use --previous <file>, or --first',
    ],
    [
      'both',
      [INVOICE_FILE, ...FIRST, '--previous', INVOICE_FILE],
      '--first and --previous cannot be combined: use only one',
    ],
    [
      'no system',
      [INVOICE_FILE, '--first', ...AT],
      'the previous record has no SistemaInformatico block: pass the block in a file with --system <file>',
    ],
    ['a missing invoice', ['no.json', ...FIRST, ...AT], 'no.json: no such file'],
    ['a missing previous record', [INVOICE_FILE, '--previous', 'no.json', ...AT], 'no.json: no such file'],
    ['a missing system', [INVOICE_FILE, '--first', '--system', 'no.json', ...AT], 'no.json: no such file'],
    ['an invoice that is not JSON', [bad, ...FIRST, ...AT], 'bad.txt: invalid JSON at line 1, column 1'],
    [
      'an invoice that is not text',
      [fileOf('latin1.json', Uint8Array.of(34, 0xf1, 34)), ...FIRST, ...AT],
      'latin1.json: not UTF-8',
    ],
    ['a previous record that is not JSON', [INVOICE_FILE, '--previous', bad, ...AT], '--previous'],
    ['a system that is not JSON', [INVOICE_FILE, '--first', '--system', bad, ...AT], '--system'],
    [
      'a file without records',
      [INVOICE_FILE, '--previous', INVOICE_FILE, ...AT],
      'contains neither a record nor a chain link with its Huella',
    ],
    ['an empty file', [INVOICE_FILE, '--previous', fileOf('empty.json', ''), ...AT], 'is empty'],
    [
      'XML without records',
      [INVOICE_FILE, '--previous', fileOf('none.xml', '<a/>'), ...AT],
      'no VeriFactu element',
    ],
    [
      'XML with a document type',
      [INVOICE_FILE, '--previous', fileOf('doctype.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), ...AT],
      'Remove the DOCTYPE',
    ],
    [
      'a record without Huella',
      [INVOICE_FILE, '--previous', json('bare.json', bare), ...AT],
      'its record has no Huella',
    ],
    [
      'a record without identity',
      [INVOICE_FILE, '--previous', json('anonymous.json', anonymous), ...AT],
      'its record has no IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura',
    ],
    [
      'an event',
      [INVOICE_FILE, '--previous', json('event.json', evento()), ...AT],
      'contains an event; events have their own chain',
    ],
    ['a cancelled event', [json('event.json', evento()), ...FIRST, '--cancel', ...AT], 'contains an event'],
    [
      'an invoice to be cancelled',
      [INVOICE_FILE, ...FIRST, '--cancel', ...AT],
      'contains neither a record nor a chain link',
    ],
    [
      'a file without a system',
      [INVOICE_FILE, '--first', '--system', INVOICE_FILE, ...AT],
      'must contain the block SistemaInformatico',
    ],
    [
      'a different number',
      [INVOICE_FILE, ...FIRST, ...AT, '--number', 'X'],
      '--number: the invoice already has the invoice_number "WEB-1"',
    ],
    [
      'a different date',
      [INVOICE_FILE, ...FIRST, ...AT, '--date', '2026-03-04'],
      '--date: the invoice already has the issue_date "2026-03-05"',
    ],
    [
      'the number of a cancellation',
      [json('registered.json', ONE), ...FIRST, ...AT, '--cancel', '--number', 'X'],
      'remove --number and --date',
    ],
    [
      'the QR of a cancellation',
      [json('registered.json', ONE), ...FIRST, ...AT, '--cancel', '--svg'],
      'a cancellation has no QR code',
    ],
    [
      'a QR code in a missing folder',
      [INVOICE_FILE, ...FIRST, ...AT, '--svg', '/no/such/qr.svg'],
      '--svg /no/such/qr.svg: cannot be written: no such folder',
    ],
    ['the standard input twice', ['-', '--previous', '-', ...AT], 'the standard input can be read only once'],
  ])('exits 2 with one line for %s', async (_, args, messages) => {
    const { code, out, err } = await record(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^cuadra: [^\n]+\n$/)
    expect(err).toContain(messages)
    expect(err).not.toContain('unexpected error')
  })

  it.each([
    ['--timestamp', 'yesterday'],
    ['--timestamp', '2026-02-30T10:00:00+01:00'],
    ['--timestamp', '2026-03-05T25:00:00+01:00'],
    ['--timestamp', '2026-03-05T10:00:00'],
    ['--date', '2026-02-30'],
  ])('exits 2 for %s %s', async (flag, value) => {
    const { code, out, err } = await record(INVOICE_FILE, ...FIRST, flag, value)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`'${value}' is invalid. Use a `)
  })

  it('prints no control characters of the input', async () => {
    const invoice = numbered(EXAMPLE, 'WEB-1', '2026-03-05')
    invoice['\u001b[31m'] = 1
    const { code, err } = await record(json('escape.json', invoice), ...FIRST, ...AT)
    expect(code).toBe(1)
    expect(err).not.toContain('\u001b')
  })
})

describe('verify-chain', () => {
  const whole = fileOf('chain.ndjson', ndjson(CHAIN))
  const INTACT = '✔ 12 records, 1 chain: intact\n'
  const [head, tail] = [CHAIN.slice(0, 5), CHAIN.slice(5)]
  const message = { Cabecera: HEADER, RegistroFactura: CHAIN }
  const messages = submissionXml(message)
  const prefixed = messages
    .replaceAll('sf:', 'sum1:')
    .replaceAll('xmlns:sf=', 'xmlns:sum1=')
    .replaceAll('sfLR', 'sum')
  const spaced = ndjson(CHAIN).replaceAll('\n', '\r\n\r\n')
  const rows = CHAIN.map((one) => JSON.stringify(one))
  const printed = CHAIN.map((one) => JSON.stringify({ ...one, hash: 'x', qr_url: null }, null, 2))
  const INTACT_PART = '✔ 7 records, 1 chain: intact\n'

  it.each([
    ['NDJSON', [whole]],
    ['NDJSON with blanks, a mark and other line ends', [fileOf('crlf.ndjson', `\ufeff\r\n${spaced}`)]],
    ['a list on one line', [json('array.json', CHAIN)]],
    ['lists on several lines', [fileOf('arrays.ndjson', ndjson([head, tail]))]],
    ['a list over several lines', [fileOf('pretty.json', JSON.stringify(CHAIN, null, 2))]],
    ['a list with a record a line', [fileOf('rows.json', `[\n${rows.join(',\n')}\n]\n`)]],
    ['what `record` prints, one after another', [fileOf('printed.json', printed.join('\n'))]],
    ['a message as JSON', [json('envio.json', message)]],
    ['a message as XML', [fileOf('envio.xml', messages)]],
    ['XML with other prefixes', [fileOf('prefixes.xml', prefixed)]],
    ['XML in another element', [fileOf('wrapped.xml', wrapped(CHAIN))]],
    ['indented XML with a mark', [fileOf('indented.xml', `\ufeff${submissionXml(message, { indent: 2 })}`)]],
    ['several files', [fileOf('head.ndjson', ndjson(head)), fileOf('tail.xml', wrapped(tail))]],
  ])('reads %s', async (_, files) => {
    expect(await verify(...files)).toEqual({ code: 0, out: INTACT, err: '' })
  })

  it('reads the standard input', async () => {
    for (const args of [['verify-chain'], ['verify-chain', '-']])
      expect(await cuadra(args, { input: ndjson(CHAIN) })).toEqual({ code: 0, out: INTACT, err: '' })
    expect((await cuadra(['verify-chain', '-'], { input: wrapped(CHAIN) })).out).toBe(INTACT)
  })

  it('reads one record', async () => {
    expect((await verify(json('one.json', CHAIN[0]))).out).toBe('✔ 1 record, 1 chain: intact\n')
  })

  it('reports a changed field, in both languages', async () => {
    const records = structuredClone(CHAIN)
    records[5].RegistroAlta.ImporteTotal = '1210.00'
    const file = fileOf('tampered.ndjson', ndjson(records))
    const { code, out, err } = await verify(file)
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain('error    chain.tampered  /5/RegistroAlta/ImporteTotal\n')
    expect(out).toContain('A-5 (15-01-2027)')
    expect(out).toMatch(/\n✖ 12 records, 1 chain: 1 finding\n$/)
    const spanish = (await verify(file, '--locale', 'es')).out
    expect(spanish).toContain('El contenido de A-5 (15-01-2027) no corresponde a su huella')
    expect(spanish).toMatch(/\n✖ 12 registros, 1 cadena: 1 hallazgo\n$/)
    expect((await verify(whole, '--locale', 'es')).out).toBe('✔ 12 registros, 1 cadena: íntegra\n')
  })

  it('reports a change as JSON, with the original value', async () => {
    const records = structuredClone(CHAIN)
    records[5].RegistroAlta.ImporteTotal = '1210.00'
    const { code, out } = await cuadra(['verify-chain', '--json'], { input: ndjson(records) })
    expect(code).toBe(1)
    const report = JSON.parse(out)
    expect(report).toMatchObject({ valid: false, records: 12, chains: 1, found: 1, last: linkOf(CHAIN[11]) })
    expect(report.items.find(({ code }: { code: string }) => code === 'chain.tampered')).toMatchObject({
      code: 'chain.tampered',
      path: '/5/RegistroAlta/ImporteTotal',
      extra: { certain: true, original: '121.00', record: 5 },
    })
  })

  it('exits with 0 for warnings', async () => {
    const records = structuredClone(CHAIN.slice(0, 3))
    records[1].RegistroAlta.Desglose.DetalleDesglose[0].BaseImponibleOimporteNoSujeto = '90.00'
    const { code, out } = await verify(fileOf('warned.ndjson', ndjson(records)))
    expect(code).toBe(0)
    expect(out).toMatch(/\n✔ 3 records, 1 chain: intact, 1 warning\n$/)
    const spanish = await verify(fileOf('warned.ndjson', ndjson(records)), '--locale', 'es')
    expect(spanish.out).toMatch(/\n✔ 3 registros, 1 cadena: íntegra, 1 aviso\n$/)
  })

  it('reports a gap', async () => {
    const { code, out } = await verify(fileOf('gap.ndjson', ndjson(CHAIN.filter((_, i) => i !== 6))))
    expect(code).toBe(1)
    expect(out).toContain('error    chain.gap  /6/RegistroAnulacion/Encadenamiento/RegistroAnterior\n')
    expect(out).toMatch(/\n✖ 11 records, 1 chain: 1 finding\n$/)
  })

  it('continues after a line of invalid JSON, and reports it', async () => {
    const lines = ndjson(CHAIN).split('\n')
    lines[5] = required(lines[5]).slice(0, 100)
    lines.push('"x"')
    const { code, out } = await verify(fileOf('broken.ndjson', lines.join('\n')))
    expect(code).toBe(1)
    expect(out).toContain(`error    json.syntax  ${folder}/broken.ndjson:6:`)
    expect(out).toContain('Line 6: The document is not valid JSON: ')
    expect(out).toContain('chain.gap')
    expect(out).toContain('chain.unreadable  /11\n')
    expect(out).toMatch(/\n✖ 12 records, 1 chain: 3 findings\n$/)
    const file = join(folder, 'broken.ndjson')
    const [first] = JSON.parse((await verify(file, '--json', '--locale', 'es')).out).items
    expect(first).toMatchObject({ code: 'json.syntax', extra: { file, line: 6 } })
    expect(first.message).toMatch(/^Línea 6: El documento no es JSON válido: /)
  })

  it('separates a broken document of several lines from the next one', async () => {
    const pretty = CHAIN.map((one) => JSON.stringify(one, null, 2))
    const cut = required(pretty[3]).split('\n').slice(0, -3).join('\n')
    const documents = [...pretty.slice(0, 3), cut, ...pretty.slice(4)]
    const { out } = await verify(fileOf('cut.json', documents.join('\n')))
    expect(out.match(/json\.syntax/g)).toHaveLength(1)
    expect(out).toMatch(/\n✖ 11 records, 1 chain: 2 findings\n$/)
  })

  it('reports invalid UTF-8', async () => {
    const lines = ndjson(CHAIN).split('\n')
    const bytes = Buffer.from(lines.join('\n').replace('Revisión', 'Revisi\u0001n'))
    bytes[bytes.indexOf(1)] = 0xf3
    const { code, out } = await verify(fileOf('latin1.ndjson', bytes))
    expect(code).toBe(1)
    expect(out).toContain(`error    json.encoding  ${folder}/latin1.ndjson:1:1\n`)
    const xml = Buffer.from(wrapped(CHAIN).replace('Revisión', 'Revisi\u0001n'))
    xml[xml.indexOf(1)] = 0xf3
    const { code: wrong, err } = await verify(fileOf('latin1.xml', xml))
    expect([wrong, err]).toEqual([2, `cuadra: ${folder}/latin1.xml: not UTF-8\n`])
  })

  it('never reads document types or entities', async () => {
    const body = wrapped(CHAIN).replace(/^<\?xml[^>]*>/, '')
    const evil = `<!DOCTYPE archivo [<!ENTITY x SYSTEM "file:///etc/passwd">]>${body.replace('Estudio', '&x;')}`
    const { code, out } = await verify(fileOf('evil.xml', evil))
    expect(code).toBe(1)
    expect(out).toContain('xml.doctype')
    expect(out).not.toContain('root:')
    expect(out).toMatch(/\n✖ 0 records, 0 chains: 1 finding\n$/)
  })

  it('reports XML records that break the schema', async () => {
    const records = wrapped(CHAIN).replace('<sf:TipoFactura>', '<sf:Extra>1</sf:Extra><sf:TipoFactura>')
    const file = fileOf('extra.xml', records)
    const { code, out } = await verify(file)
    expect(code).toBe(1)
    expect(out).toMatch(new RegExp(`xml\\.unknown_element {2}/0/RegistroAlta {2}${file}:\\d+:\\d+\\n`))
    const broken = await verify(fileOf('half.xml', records.slice(0, -40)))
    expect(broken.code).toBe(1)
    expect(broken.out).toContain('xml.malformed')
  })

  it('continues after an earlier part', async () => {
    const part = fileOf('part.ndjson', ndjson(tail))
    expect((await verify(part)).out).toContain('chain.wrong_first')
    for (const [name, content] of [
      ['after.json', JSON.stringify(head.at(-1))],
      ['after-link.json', JSON.stringify(linkOf(head.at(-1)))],
      ['after.ndjson', ndjson(head)],
      ['after.xml', wrapped(head)],
    ] as const)
      expect((await verify('--after', fileOf(name, content), part)).out, name).toBe(INTACT_PART)
    expect((await verify('--after', json('other.json', CHAIN[2]), part)).code).toBe(1)
  })

  it('audits each taxpayer and installation separately with --split', async () => {
    const moved = structuredClone(CHAIN)
    for (const one of moved)
      (one.RegistroAlta ?? one.RegistroAnulacion).SistemaInformatico.NumeroInstalacion = '2'
    const both = fileOf('both.ndjson', ndjson(CHAIN.flatMap((one, i) => [one, moved[i]])))
    expect((await verify(both)).code).toBe(1)
    expect(await verify('--split', both)).toMatchObject({ code: 0, out: '✔ 24 records, 2 chains: intact\n' })
    const spanish = await verify('--split', '--locale', 'es', both)
    expect(spanish.out).toBe('✔ 24 registros, 2 cadenas: íntegras\n')
  })

  it('audits a chain continued under another installation with --continues', async () => {
    const goesOn = alta((r) => {
      r.IDFactura.NumSerieFactura = 'M-1'
      r.SistemaInformatico.NumeroInstalacion = '2'
      r.Encadenamiento = { RegistroAnterior: linkOf(required(CHAIN.at(-1))) }
      r.FechaHoraHusoGenRegistro = '2027-01-15T12:00:00+01:00'
    })
    const merged = fileOf('merged.ndjson', ndjson([...CHAIN, goesOn]))
    expect((await verify(merged, '--no-clock')).code).toBe(1)
    const { code, out } = await verify('--continues', merged, '--no-clock')
    expect(code).toBe(0)
    expect(out).toContain('warning  chain.continued  /12/RegistroAlta/SistemaInformatico/NumeroInstalacion')
    expect(out).toMatch(/\n✔ 13 records, 1 chain: intact, 1 warning\n$/)
    expect(await verify('--continues', '--split', merged)).toMatchObject({
      code: 2,
      err: 'cuadra: --split and --continues cannot be combined: use only one\n',
    })
  })

  it('reports a record that is in two files', async () => {
    const first = fileOf('a.ndjson', ndjson(CHAIN.slice(0, 7)))
    const rest = fileOf('b.ndjson', ndjson(CHAIN.slice(6)))
    const { code, out } = await verify(first, rest, '--locale', 'es')
    expect(code).toBe(0)
    expect(out).toContain('chain.given_twice  /7/')
    expect(out).toContain('está repetido')
    expect(out).not.toContain('chain.fork')
  })

  it('checks timestamps against --now, the clock, or nothing', async () => {
    const late = await verify(whole, '--now', '2026-01-15T10:00:30+01:00')
    expect(late.code).toBe(1)
    expect(late.out).toContain('chain.clock_ahead')
    expect((await verify(whole, '--now', '2026-01-15T09:01:50Z')).code).toBe(0)
    const future = alta((r) => {
      r.Encadenamiento = { PrimerRegistro: 'S' }
      r.FechaHoraHusoGenRegistro = spanishTimestamp(Date.now() + 3_600_000)
    })
    const file = json('future.json', future)
    expect((await verify(file)).out).toContain('chain.clock_ahead')
    expect((await verify(file, '--no-clock')).code).toBe(0)
  })

  it('audits events', async () => {
    const { out } = await verify(json('event.json', evento()), '--no-clock')
    expect(out).toBe('✔ 1 record, 1 chain: intact\n')
  })

  it('lists a thousand findings and counts the rest', async () => {
    const lines = `${'{"a"\n'.repeat(1500)}`
    const report = JSON.parse((await cuadra(['verify-chain', '--json'], { input: lines })).out)
    expect([report.items.length, report.found]).toEqual([1000, 1500])
    const { out } = await cuadra(['verify-chain'], { input: lines })
    expect(out).toMatch(/\n {2}… and 500 more\n✖ 0 records, 0 chains: 1,500 findings\n$/)
  })

  it.each([
    ['an empty file', [fileOf('empty.ndjson', '')], 'no record found'],
    ['a blank file', [fileOf('blank.ndjson', '\n \n')], 'no record found'],
    ['an empty list', [fileOf('empty.json', '[]')], 'no record found'],
    ['a missing file', ['no.ndjson'], 'no.ndjson: no such file'],
    ['a folder', ['examples'], 'examples: is a folder'],
    ['a missing earlier part', ['--after', 'no.json', whole], 'no.json: no such file'],
    [
      'an earlier part without records',
      ['--after', INVOICE_FILE, whole],
      'contains neither a record nor a chain link',
    ],
    ['an event before', ['--after', json('event.json', evento()), whole], 'contains an event'],
    ['the standard input twice', ['-', '-'], 'the standard input can be read only once'],
  ])('exits 2 for %s', async (_, args, messages) => {
    const { code, out, err } = await verify(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^cuadra: [^\n]+\n$/)
    expect(err).toContain(messages)
  })

  it.each(['now', '2026-13-01T10:00:00+01:00', '2026-01-15T10:00:00'])(
    'exits 2 for --now %s',
    async (value) => {
      const { code, err } = await verify(whole, '--now', value)
      expect(code).toBe(2)
      expect(err).toContain('Use a timestamp')
    },
  )

  describe(`of ${COUNT} records`, () => {
    let many: FiscalRecord[]
    beforeAll(() => {
      many = chainOf(MANY)
    })

    it('streams NDJSON and XML', async () => {
      const lines = fileOf('many.ndjson', ndjson(many))
      const digest = createHash('sha256').update(readFileSync(lines)).digest('hex')
      const out = `✔ ${COUNT} records, 1 chain: intact\n`
      expect(await verify(lines, '--no-clock')).toEqual({ code: 0, out, err: '' })
      expect(createHash('sha256').update(readFileSync(lines)).digest('hex')).toBe(digest)
      expect((await verify(fileOf('many.xml', wrapped(many)), '--no-clock')).out).toBe(out)
    })

    it('reports the missing and the changed record', async () => {
      const records: Loose[] = many.filter((_, i) => i !== LOST)
      records[CHANGED] = structuredClone(records[CHANGED])
      records[CHANGED].RegistroAlta.TipoFactura = 'F2'
      const file = fileOf('many.ndjson', ndjson(records))
      const { code, out } = await verify(file, '--no-clock', '--locale', 'es')
      expect(code).toBe(1)
      expect(out).toContain(`chain.tampered  /${CHANGED}/RegistroAlta/TipoFactura\n`)
      expect(out).toContain(`chain.gap  /${LOST}/RegistroAlta/Encadenamiento/RegistroAnterior\n`)
      const count = (MANY - 1).toLocaleString('es')
      expect(out).toMatch(new RegExp(`\\n✖ ${count} registros, 1 cadena: 2 hallazgos\\n$`))
    })
  })
})
