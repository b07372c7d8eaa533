/** Tests that the audit of a chain names every kind of tampering, with record and field. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { ValidationItem } from '#core/invoice/index.ts'
import { spanishTimestamp } from '#records/fiscal/timestamp.ts'
import {
  CHAIN_CODES,
  ChainAudit,
  eventRecord,
  type FiscalRecord,
  hashOf,
  linkOf,
  verifyChain,
} from '#records/verifactu/index.ts'
import { setAll, setTo } from '../../put.ts'
import type { Change, Loose } from './invoice.ts'
import { alta, anulacion, HEADER, hashed, SYSTEM } from './records.ts'

const START = Date.UTC(2027, 0, 15, 9)

/** The link to the previous record, if there is one, and the timestamp. */
const linked = (previous: Loose, seconds: number) => ({
  Encadenamiento: previous ? { RegistroAnterior: linkOf(previous) } : { PrimerRegistro: 'S' },
  FechaHoraHusoGenRegistro: spanishTimestamp(START + seconds * 1000),
})

/** Returns a registration after `previous`, modified by `change`. */
const next = (previous: Loose, change: Change = () => {}, seconds = 500): Loose =>
  alta((r) => {
    setAll({ 'IDFactura/NumSerieFactura': 'N-1', ...linked(previous, seconds) })(r)
    change(r)
  })

/** Returns a chain of `count` records, ten seconds apart; every fourth cancels the previous one. */
const chainOf = (count: number): Loose[] => {
  const records: Loose[] = []
  for (let i = 0; i < count; i++) {
    const after = linked(records.at(-1), i * 10)
    records.push(
      i % 4 === 3
        ? anulacion(setAll({ 'IDFactura/NumSerieFacturaAnulada': `A-${i - 1}`, ...after }))
        : alta(setAll({ 'IDFactura/NumSerieFactura': `A-${i}`, ...after })),
    )
  }
  return records
}

const eventsOf = (count: number): Loose[] => {
  const records: Loose[] = []
  for (let i = 0; i < count; i++) {
    const { record, items } = eventRecord({
      type: i === 0 ? '01' : '90',
      taxpayer: HEADER.ObligadoEmision,
      system: SYSTEM,
      previous: records.at(-1) ?? null,
      timestamp: spanishTimestamp(START + i * 10_000),
    })
    expect(items.filter((item) => item.severity === 'error')).toEqual([])
    records.push(record)
  }
  return records
}

const set = (record: Loose, path: string, value: unknown): void => {
  const steps = path.split('/').slice(1)
  const last = required(steps.pop())
  let at = record
  for (const step of steps) at = at[step]
  expect(at[last], path).not.toEqual(value)
  at[last] = value
}

const brief = (items: readonly ValidationItem[]) => items.map(({ code, path }) => `${code} ${path}`)
/** Returns findings as `code path`. */
const found = (records: FiscalRecord[], options = {}) => brief(verifyChain(records, options).items)

describe('verifyChain', () => {
  it('finds nothing in an intact chain, and returns the link to its end', () => {
    const records = chainOf(40)
    const report = verifyChain(records, { now: '2027-01-15T12:00:00+01:00' })
    expect(report).toMatchObject({ valid: true, records: 40, chains: 1, items: [], found: 0 })
    expect(report.last).toEqual(linkOf(records.at(-1)))
    expect(verifyChain([]).valid).toBe(true)
    expect(verifyChain(eventsOf(5))).toMatchObject({ valid: true, records: 5 })
    expect(verifyChain([...chainOf(5), ...eventsOf(5)])).toMatchObject({ valid: true, chains: 2 })
  })

  it('gives the same result with an injected hash', () => {
    const hash = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
    expect(verifyChain(chainOf(20), { hash }).valid).toBe(true)
  })

  // Every field of the hash and the link, in a record in the middle.
  const ALTA: [path: string, value: string][] = [
    ['/IDFactura/IDEmisorFactura', 'B77777779'],
    ['/IDFactura/NumSerieFactura', 'A-99'],
    ['/IDFactura/FechaExpedicionFactura', '16-01-2027'],
    ['/TipoFactura', 'F2'],
    ['/CuotaTotal', '11.00'],
    ['/ImporteTotal', '111.00'],
    ['/Encadenamiento/RegistroAnterior/IDEmisorFactura', 'B77777779'],
    ['/Encadenamiento/RegistroAnterior/NumSerieFactura', 'A-98'],
    ['/Encadenamiento/RegistroAnterior/FechaExpedicionFactura', '01-01-2027'],
    ['/Encadenamiento/RegistroAnterior/Huella', 'F'.repeat(64)],
    ['/FechaHoraHusoGenRegistro', '2027-01-15T10:00:54+01:00'],
    ['/FechaHoraHusoGenRegistro', '2027-01-15T09:00:00+01:00'],
    ['/FechaHoraHusoGenRegistro', '2027-01-15T11:00:00+01:00'],
    ['/Huella', 'E'.repeat(64)],
  ]
  it.each(ALTA)('names a changed %s in a registration', (path, value) => {
    const records = chainOf(12)
    const original = path
      .slice(1)
      .split('/')
      .reduce((node, step) => node[step], records[5].RegistroAlta)
    set(records[5].RegistroAlta, path, value)
    const report = verifyChain(records)
    expect(report.valid).toBe(false)
    const errors = report.items.filter(
      (item) => item.severity === 'error' && item.code !== 'chain.other_chain',
    )
    expect(errors.map((item) => item.path)).toEqual([`/5/RegistroAlta${path}`])
    expect(required(errors[0]).message).not.toContain('—')
    // The original value, if it can be determined; that of the hash cannot.
    if (required(errors[0]).code === 'chain.tampered')
      expect(required(errors[0]).extra?.original).toBe(path === '/Huella' ? undefined : original)
  })

  const CANCELLATION: [path: string, value: string][] = [
    ['/IDFactura/IDEmisorFacturaAnulada', 'B77777779'],
    ['/IDFactura/NumSerieFacturaAnulada', 'A-99'],
    ['/IDFactura/FechaExpedicionFacturaAnulada', '16-01-2027'],
    ['/Encadenamiento/RegistroAnterior/IDEmisorFactura', 'B77777779'],
    ['/Encadenamiento/RegistroAnterior/NumSerieFactura', 'A-98'],
    ['/Encadenamiento/RegistroAnterior/FechaExpedicionFactura', '01-01-2027'],
    ['/Encadenamiento/RegistroAnterior/Huella', 'F'.repeat(64)],
    ['/FechaHoraHusoGenRegistro', '2027-01-15T10:01:14+01:00'],
    ['/Huella', 'E'.repeat(64)],
  ]
  it.each(CANCELLATION)('names a changed %s in a cancellation', (path, value) => {
    const records = chainOf(12)
    set(records[7].RegistroAnulacion, path, value)
    const errors = verifyChain(records).items.filter(
      (item) => item.severity === 'error' && item.code !== 'chain.other_chain',
    )
    expect(errors.map((item) => item.path)).toEqual([`/7/RegistroAnulacion${path}`])
  })

  const EVENT: [path: string, value: string][] = [
    ['/SistemaInformatico/NIF', 'B77777779'],
    ['/SistemaInformatico/IdSistemaInformatico', 'XX'],
    ['/SistemaInformatico/NumeroInstalacion', '2'],
    ['/ObligadoEmision/NIF', 'B77777779'],
    ['/TipoEvento', '02'],
    ['/FechaHoraHusoGenEvento', '2027-01-15T10:00:54+01:00'],
    ['/Encadenamiento/EventoAnterior/TipoEvento', '02'],
    ['/Encadenamiento/EventoAnterior/FechaHoraHusoGenEvento', '2027-01-15T10:00:11+01:00'],
    ['/Encadenamiento/EventoAnterior/HuellaEvento', 'F'.repeat(64)],
    ['/HuellaEvento', 'E'.repeat(64)],
    ['/SistemaInformatico/Version', '9.9'],
  ]
  it.each(EVENT)('names a changed %s in an event', (path, value) => {
    const records = eventsOf(8)
    set(records[4].RegistroEvento.Evento, path, value)
    const { items, valid } = verifyChain(records)
    expect(valid).toBe(false)
    expect(
      items.some((item) => item.path === `/4/RegistroEvento/Evento${path}`),
      items.map((i) => i.path).join(),
    ).toBe(true)
    expect(items.every((item) => item.path.startsWith('/4/'))).toBe(true)
  })

  it('warns of a change in the breakdown, which the hash does not cover', () => {
    const records = chainOf(6)
    records[4].RegistroAlta.Desglose.DetalleDesglose[0].BaseImponibleOimporteNoSujeto = '90.00'
    const report = verifyChain(records)
    expect(report.items.map((item) => [item.code, item.path, item.severity])).toEqual([
      ['chain.breakdown_differs', '/4/RegistroAlta/ImporteTotal', 'warning'],
    ])
  })

  it('names a record that was changed and rehashed', () => {
    const records = chainOf(8)
    records[5] = hashed({ RegistroAlta: { ...records[5].RegistroAlta, TipoFactura: 'F3' } })
    expect(found(records)).toEqual(['chain.replaced /5/RegistroAlta/Huella'])
  })

  it('names a missing record by the number in its successor', () => {
    const records = chainOf(9)
    records.splice(4, 1)
    const { items } = verifyChain(records)
    expect(brief(items)).toEqual(['chain.gap /4/RegistroAlta/Encadenamiento/RegistroAnterior'])
    expect(items[0]?.message).toContain('A-4 (15-01-2027')
  })

  it('names both branches of a fork', () => {
    const records = chainOf(6)
    records.splice(5, 0, next(records[3], setTo('IDFactura/NumSerieFactura', 'B-1'), 45))
    const { items } = verifyChain(records)
    expect(brief(items)).toEqual(['chain.fork /5/RegistroAlta/Encadenamiento/RegistroAnterior'])
    expect(items[0]?.extra).toMatchObject({ other_record: 4 })
  })

  it('names a fork at the first record', () => {
    const records = chainOf(4)
    records.splice(2, 0, next(records[0], setTo('IDFactura/NumSerieFactura', 'B-1'), 15))
    const { items } = verifyChain(records)
    expect(brief(items)).toEqual(['chain.fork /2/RegistroAlta/Encadenamiento/RegistroAnterior'])
    expect(items[0]?.extra).toMatchObject({ other_record: 1 })
  })

  it('distinguishes two swapped records from a gap', () => {
    const records = chainOf(9)
    ;[records[4], records[5]] = [records[5], records[4]]
    expect(found(records)).toEqual(['chain.order /4/RegistroAlta/Encadenamiento/RegistroAnterior'])
  })

  it('distinguishes a record that was moved far away from a gap', () => {
    const records = chainOf(12)
    const [moved] = records.splice(2, 1)
    records.splice(8, 0, moved)
    const codes = verifyChain(records).items
    expect(codes.length).toBeGreaterThan(0)
    expect(new Set(codes.map((item) => item.code))).toEqual(new Set(['chain.order']))
  })

  it('names a wrong first record, and accepts it with the previous record', () => {
    const records = chainOf(8)
    const part = records.slice(3)
    expect(found(part)).toEqual(['chain.wrong_first /0/RegistroAnulacion/Encadenamiento/RegistroAnterior'])
    expect(found(part, { after: linkOf(records[2]) })).toEqual([])
    expect(found(part, { after: linkOf(records[1]) })).toEqual([
      'chain.gap /0/RegistroAnulacion/Encadenamiento/RegistroAnterior',
    ])
  })

  it('names a chain that restarts', () => {
    const again = next(undefined, setTo('IDFactura/NumSerieFactura', 'C-1'), 99)
    expect(found([...chainOf(4), again])).toEqual([
      'chain.first_again /4/RegistroAlta/Encadenamiento/PrimerRegistro',
    ])
    const restarted = (records: Loose[], options = {}) =>
      verifyChain(records, options).items.map(({ code, path, extra }) => [code, path, extra?.count])
    const path = (at: number) => `/${at}/RegistroAlta/Encadenamiento/PrimerRegistro`
    // With a rewound clock, and if another owner could continue the chain.
    expect(restarted([...chainOf(3), again])).toEqual([['chain.first_again', path(3), 3]])
    const rewound: Loose = structuredClone(again)
    rewound.RegistroAlta.FechaHoraHusoGenRegistro = '2027-01-15T08:00:00+01:00'
    expect(restarted([...chainOf(4), hashed(rewound)])).toEqual([['chain.first_again', path(4), 4]])
    expect(restarted([...chainOf(4), again], { chain_continues: true })).toEqual([
      ['chain.first_again', path(4), 4],
    ])
    // A first record after the last record of an earlier part.
    expect(restarted([again], { after: linkOf(chainOf(1)[0]) })).toEqual([['chain.first_again', path(0), 1]])
    const restart = eventsOf(1)[0]
    restart.RegistroEvento.Evento.FechaHoraHusoGenEvento = '2027-01-15T11:00:00+01:00'
    expect(found([...eventsOf(3), hashed(restart)])).toEqual([
      'chain.first_again /3/RegistroEvento/Evento/Encadenamiento/PrimerEvento',
    ])
  })

  it('accepts a first record whose link is null', () => {
    const records = chainOf(3)
    records[0].RegistroAlta.Encadenamiento.RegistroAnterior = null
    expect(found(records)).toEqual([])
  })

  it('names clocks that run backwards or ahead', () => {
    const records = chainOf(3)
    const late = next(records[2], setTo('IDFactura/NumSerieFactura', 'A-3'), -60)
    expect(found([...records, late])).toEqual([
      'chain.clock_backwards /3/RegistroAlta/FechaHoraHusoGenRegistro',
    ])
    expect(found(records, { now: '2027-01-15T09:59:15+01:00' })).toEqual([
      'chain.clock_ahead /2/RegistroAlta/FechaHoraHusoGenRegistro',
    ])
    for (const split of [false, true]) {
      const exact = { now: '2027-01-15T09:59:20+01:00', split }
      expect(found(records, exact)).toEqual([])
    }
    // Two records of the same second.
    for (const last of [records, chainOf(4)]) {
      const same = next(last.at(-1), () => {}, (last.length - 1) * 10)
      expect(found([...last, same])).toEqual([])
      expect(found([...last, same], { split: true })).toEqual([])
    }
    expect(() => verifyChain(records, { now: 'today' })).toThrow(TypeError)
  })

  it('names the clock of events', () => {
    const events = eventsOf(3)
    const last = events[2].RegistroEvento.Evento
    expect(found(events, { now: '2027-01-15T09:59:15+01:00' })).toEqual([
      'chain.clock_ahead /2/RegistroEvento/Evento/FechaHoraHusoGenEvento',
    ])
    last.FechaHoraHusoGenEvento = '2027-01-15T10:00:05+01:00'
    expect(verifyChain([events[0], events[1], hashed(events[2])]).items).toMatchObject([
      {
        code: 'chain.clock_backwards',
        path: '/2/RegistroEvento/Evento/FechaHoraHusoGenEvento',
        extra: { received: last.FechaHoraHusoGenEvento, expected: '2027-01-15T10:00:10+01:00' },
      },
    ])
  })

  it('names records of another taxpayer or installation, or audits them separately', () => {
    const one = chainOf(4)
    const two = chainOf(4).map((record) => structuredClone(record))
    for (const record of two)
      (record.RegistroAlta ?? record.RegistroAnulacion).SistemaInformatico.NumeroInstalacion = '2'
    const mixed = one.flatMap((record, i) => [record, two[i]])
    expect(verifyChain(mixed).items.some((item) => item.code === 'chain.other_chain')).toBe(true)
    expect(verifyChain(mixed, { split: true })).toMatchObject({ valid: true, chains: 2, records: 8 })
  })

  it('names every record of another installation, even if they follow each other', () => {
    const records = chainOf(3)
    for (let i = 0; i < 3; i++) {
      const installed = { 'IDFactura/NumSerieFactura': `X-${i}`, 'SistemaInformatico/NumeroInstalacion': '2' }
      records.push(next(records.at(-1), setAll(installed), 100 + i))
    }
    expect(found(records)).toEqual(
      [3, 4, 5].map((at) => `chain.other_chain /${at}/RegistroAlta/SistemaInformatico/NumeroInstalacion`),
    )
  })

  it('expects the same owner for events and invoices', () => {
    // The producer of the system is not the taxpayer.
    const ofProducer = (record: Loose) => {
      const copy = structuredClone(record)
      const { RegistroAlta: own = copy.RegistroEvento?.Evento } = copy
      own.SistemaInformatico.NIF = 'B77777779'
      return copy
    }
    const event = ofProducer(eventsOf(1)[0])
    expect(found([...chainOf(2).map(ofProducer), hashed(event)])).toEqual([])
    const system = { ...SYSTEM, NumeroInstalacion: '2' }
    const taxpayer = HEADER.ObligadoEmision
    const timestamp = spanishTimestamp(START + 99_000)
    const other = required(eventRecord({ type: '01', taxpayer, system, previous: null, timestamp }).record)
    expect(found([...chainOf(3), other])).toEqual([
      'chain.other_chain /3/RegistroEvento/Evento/SistemaInformatico/NumeroInstalacion',
    ])
    expect(found([...chainOf(3), ...eventsOf(2)])).toEqual([])
  })

  it('reports that the changed field is unknown instead of naming all', () => {
    const records = chainOf(6)
    set(records[4].RegistroAlta, '/CuotaTotal', '1.00')
    set(records[4].RegistroAlta, '/ImporteTotal', '2.00')
    const item = required(verifyChain(records).items.filter(({ code }) => code === 'chain.tampered')[0])
    expect(item.extra).toMatchObject({ certain: false })
    expect(item.message).toContain('one or more of')
    expect(verifyChain(records, { locale: 'es' }).items[0]?.message).toContain('uno o varios de')
  })

  it('names a hash changed to lower case', () => {
    const records = chainOf(6)
    set(records[5].RegistroAlta, '/Huella', records[5].RegistroAlta.Huella.toLowerCase())
    const [item] = verifyChain(records).items
    expect(item).toMatchObject({ path: '/5/RegistroAlta/Huella', extra: { certain: true } })
  })

  it('throws for unknown options, an invalid link, and a value that is not a list', () => {
    expect(() => verifyChain([], { splitt: true } as never)).toThrow(/splitt/)
    expect(() => verifyChain([], { after: {} as never })).toThrow(/after/)
    const { IDEmisorFactura: _, ...partial } = linkOf(chainOf(1)[0])
    expect(() => verifyChain([], { after: partial as never })).toThrow(/"after" is not a link/)
    expect(() => verifyChain([], { after_event: { TipoEvento: '01' } as never })).toThrow(
      /"after_event" is not a link/,
    )
    for (const wrong of [null, undefined, {}, 5])
      expect(() => verifyChain(wrong as never)).toThrow(/as a list/)
  })

  it('never throws for a value that is not a record after valid records', () => {
    for (const odd of [5, 'text', true, null, [], {}]) {
      const report = verifyChain([...chainOf(3), odd])
      expect(brief(report.items)).toEqual(['chain.unreadable /3'])
    }
  })

  it('never throws for values that are not records, and names them', () => {
    const wrong = [
      null,
      5,
      'x',
      [],
      {},
      { RegistroAlta: null },
      { RegistroAlta: {} },
      { RegistroAnulacion: { IDFactura: 5 } },
      { RegistroAlta: { IDFactura: null } },
      { RegistroEvento: {} },
      { RegistroEvento: { Evento: {} } },
      { RegistroAlta: { IDFactura: {}, Desglose: { DetalleDesglose: 'x' } } },
    ]
    const report = verifyChain(wrong as never)
    expect(report.valid).toBe(false)
    const unreadable = report.items.filter(({ code }) => code === 'chain.unreadable')
    // Events and a registration with an empty block are records, however incomplete.
    const expected = wrong.flatMap((_, at) => (at < wrong.length - 2 ? [`/${at}`] : []))
    expect(unreadable.map(({ path }) => path)).toEqual(expected)
    for (let i = 0; i < wrong.length; i++)
      expect(
        report.items.some((item) => item.path.startsWith(`/${i}`)),
        String(i),
      ).toBe(true)
  })

  it('has every message in both languages with all its values', () => {
    const records = chainOf(9)
    records.splice(4, 1)
    set(records[5].RegistroAlta, '/CuotaTotal', '1.00')
    for (const locale of ['en', 'es'] as const)
      for (const item of verifyChain([...records, null, chainOf(1)[0]], {
        locale,
        now: '2027-01-15T09:00:00+01:00',
      }).items)
        expect(item.message).not.toContain('—')
    for (const { message, fix } of Object.values(CHAIN_CODES))
      for (const text of [message, fix]) expect(text.en.length * text.es.length).toBeGreaterThan(0)
  })

  it('reports findings while streaming, and keeps at most 1,000 while counting all', () => {
    const reported: string[] = []
    const audit = new ChainAudit({ onItem: (item) => reported.push(item.code) })
    for (let i = 0; i < 1500; i++) audit.add(null as never)
    const report = audit.end()
    expect(report).toMatchObject({ found: 1500, records: 1500, valid: false })
    expect(report.items).toHaveLength(1000)
    expect(reported).toHaveLength(1500)
  })

  it('every record carries the hash that hashOf returns', () => {
    for (const record of chainOf(8))
      expect(hashOf(record)).toBe((record.RegistroAlta ?? record.RegistroAnulacion).Huella)
  })

  describe('a reused number', () => {
    const again = (records: Loose[], change: Change = () => {}) =>
      next(records.at(-1), (r) => {
        r.IDFactura.NumSerieFactura = 'A-1'
        change(r)
      })

    it('is a warning, even after a cancellation', () => {
      for (const count of [3, 8]) {
        const records = chainOf(count)
        const report = verifyChain([...records, again(records)])
        expect(report).toMatchObject({ valid: true, found: 1 })
        expect(report.items[0]).toMatchObject({
          code: 'chain.number_reused',
          severity: 'warning',
          path: `/${count}/RegistroAlta/IDFactura/NumSerieFactura`,
          extra: { other_record: 1 },
        })
        expect(verifyChain([...records, again(records)], { split: true }).items).toEqual(report.items)
      }
      const cancelled = chainOf(4)
      const revived = next(cancelled.at(-1), setTo('IDFactura/NumSerieFactura', 'A-2'))
      expect(found([...cancelled, revived])).toEqual([
        'chain.number_reused /4/RegistroAlta/IDFactura/NumSerieFactura',
      ])
    })

    it('is found while another record is missing, but not in records out of order', () => {
      const records = chainOf(8)
      const withGap = [...records, again(records)].toSpliced(4, 1)
      expect(found(withGap)).toEqual([
        'chain.gap /4/RegistroAlta/Encadenamiento/RegistroAnterior',
        'chain.number_reused /7/RegistroAlta/IDFactura/NumSerieFactura',
      ])
      const first = chainOf(3)
      const original = next(first[2], () => {}, 40)
      const correction = next(original, setTo('Subsanacion', 'S'), 50)
      const path = '/RegistroAlta/Encadenamiento/RegistroAnterior'
      // The correction comes directly before the invoice that it corrects, or before the record before it.
      expect(found([...first, correction, original])).toEqual([`chain.order /3${path}`])
      expect(found([...first.slice(0, 2), correction, first[2], original])).toEqual([
        `chain.order /2${path}`,
        `chain.order /3${path}`,
      ])
      // Another record is between the two in the chain.
      const between = next(original, setTo('IDFactura/NumSerieFactura', 'N-2'))
      const later = next(between, setTo('Subsanacion', 'S'))
      expect(found([...first, between, later, original])).toEqual([`chain.order /3${path}`])
    })

    it('is allowed in a correction, and for another date or issuer', () => {
      const records = chainOf(8)
      const correction = again(records, setTo('Subsanacion', 'S'))
      expect(found([...records, correction])).toEqual([])
      const otherDay = again(records, setTo('IDFactura/FechaExpedicionFactura', '14-01-2027'))
      expect(found([...records, otherDay])).toEqual([])
      const otherIssuer = again(records, setTo('IDFactura/IDEmisorFactura', 'B77777779'))
      expect(found([...records, otherIssuer], { chain_continues: true })).toEqual([
        'chain.continued /8/RegistroAlta',
      ])
    })
  })

  it('reports a repeated record as given twice, not as a fork', () => {
    const records = chainOf(6)
    for (const at of [0, 2, 5]) {
      const report = verifyChain(records.toSpliced(at, 0, records[at]))
      expect(
        report.items.map((item) => [item.code, item.path, item.severity, item.extra?.other_record]),
      ).toEqual([
        ['chain.given_twice', expect.stringMatching(`^/${at + 1}/Registro(Alta|Anulacion)$`), 'warning', at],
      ])
      expect(report).toMatchObject({ valid: true, last: linkOf(records[5]) })
    }
    // Two overlapping exports, and a part that begins with its previous record.
    const overlapping = [...records.slice(0, 4), ...records.slice(2)]
    expect(found(overlapping).map((text) => text.split(' ')[0])).toEqual([
      'chain.given_twice',
      'chain.given_twice',
    ])
    expect(verifyChain(records.slice(3), { after: linkOf(records[3]) }).items).toMatchObject([
      { code: 'chain.given_twice', path: '/0/RegistroAnulacion', extra: { other_record: null } },
    ])
    // A repeated record does not hide that another one follows the same record as its copy.
    const fork = next(records[2], () => {}, 25)
    expect(found([...records.slice(0, 3), records[1], records[2], records[3], records[2], fork])).toEqual([
      'chain.given_twice /3/RegistroAlta',
      'chain.given_twice /4/RegistroAlta',
      'chain.given_twice /6/RegistroAlta',
      'chain.fork /7/RegistroAlta/Encadenamiento/RegistroAnterior',
    ])
  })

  it('still reports two records with one predecessor as a fork, and a changed copy as tampered', () => {
    const records = chainOf(6)
    const copy = structuredClone(records[2])
    copy.RegistroAlta.ImporteTotal = '99.00'
    const { items, valid } = verifyChain(records.toSpliced(3, 0, copy))
    expect(valid).toBe(false)
    expect(items.map((item) => item.code)).toContain('chain.tampered')
  })

  describe('a chain that continues under another owner', () => {
    const merged = () => {
      const records = chainOf(4)
      for (let i = 0; i < 4; i++)
        records.push(
          next(
            records.at(-1),
            setAll({
              'IDFactura/IDEmisorFactura': 'B77777779',
              'IDFactura/NumSerieFactura': `M-${i}`,
              'SistemaInformatico/NumeroInstalacion': '2',
            }),
            100 + i,
          ),
        )
      return records
    }

    it('is valid with chain_continues, with a warning where the owner changes', () => {
      expect(verifyChain(merged()).valid).toBe(false)
      const report = verifyChain(merged(), { chain_continues: true })
      expect(report).toMatchObject({ valid: true, records: 8, chains: 1 })
      expect(report.items.map((item) => [item.code, item.path, item.extra?.received])).toEqual([
        ['chain.continued', '/4/RegistroAlta', 'B77777779'],
        ['chain.continued', '/4/RegistroAlta/SistemaInformatico/NumeroInstalacion', '2'],
      ])
      expect(verifyChain([...merged(), ...eventsOf(3)], { chain_continues: true }).valid).toBe(true)
    })

    it('is invalid if the new owner does not follow the previous record', () => {
      const records = merged()
      records.splice(3, 1)
      expect(verifyChain(records, { chain_continues: true }).valid).toBe(false)
      expect(found(records, { chain_continues: true })).toContain('chain.other_chain /3/RegistroAlta')
    })

    it('cannot be combined with split', () => {
      expect(() => verifyChain([], { split: true, chain_continues: true })).toThrow(/cannot be combined/)
    })
  })

  it('ignores blanks around a number, which the authority trims', () => {
    const previous = 'Encadenamiento/RegistroAnterior/NumSerieFactura'
    const first = next(undefined, setTo('IDFactura/NumSerieFactura', ' A-3 '), 0)
    const second = next(first, setTo(previous, 'A-3'), 10)
    const third = next(second, setTo('IDFactura/NumSerieFactura', 'N-2 '), 20)
    const fourth = next(third, setAll({ 'IDFactura/NumSerieFactura': 'N-3', [previous]: 'N-2' }), 30)
    expect(found([first, second, third, fourth])).toEqual([])
    expect(found([second, third], { after: { ...linkOf(first), NumSerieFactura: ' A-3' } })).toEqual([])
  })

  it('accepts only S as the mark of the first record', () => {
    const records = chainOf(3)
    records[0].RegistroAlta.Encadenamiento.PrimerRegistro = 'N'
    expect(found(records)).toEqual(['chain.no_link /0/RegistroAlta/Encadenamiento'])
  })

  it('names the record that replaced another', () => {
    const records = chainOf(9)
    records[5] = next(records[4], () => {}, 50)
    const { items } = verifyChain(records)
    expect(brief(items)).toEqual(['chain.gap /6/RegistroAlta/Encadenamiento/RegistroAnterior'])
    expect(items[0]?.extra).toMatchObject({ before: 'N-1 (15-01-2027)' })
    expect(items[0]?.message).toMatch(/A-5 .* N-1 \(15-01-2027\) replaced it/)
  })

  it('names the changed field of the first record and of the first record of a part', () => {
    const records = chainOf(3)
    set(records[0].RegistroAlta, '/ImporteTotal', '1.00')
    expect(found(records)).toEqual(['chain.tampered /0/RegistroAlta/ImporteTotal'])
    const part = chainOf(8).slice(4)
    const after = linkOf(chainOf(8)[3])
    set(part[0].RegistroAlta, '/Encadenamiento/RegistroAnterior/Huella', 'F'.repeat(64))
    expect(
      verifyChain(part, { after }).items.map(({ code, path, extra }) => [code, path, extra?.original]),
    ).toEqual([
      ['chain.tampered', '/0/RegistroAlta/Encadenamiento/RegistroAnterior/Huella', after.Huella],
      ['chain.gap', '/0/RegistroAlta/Encadenamiento/RegistroAnterior', undefined],
    ])
  })

  it('finds the changed field in the data of the neighbours, whatever their kind', () => {
    // The last record has no successor: its issuer and date are those of the previous record.
    for (const path of ['/IDFactura/IDEmisorFactura', '/IDFactura/FechaExpedicionFactura']) {
      const records = chainOf(5)
      const original = records[4].RegistroAlta.IDFactura[path.slice('/IDFactura/'.length)]
      set(records[4].RegistroAlta, path, path.includes('Emisor') ? 'B77777779' : '16-01-2027')
      const tampered = verifyChain(records).items.filter(({ code }) => code === 'chain.tampered')
      expect(tampered.map((item) => [item.path, item.extra?.original])).toEqual([
        [`/4/RegistroAlta${path}`, original],
      ])
    }
    // A record without a readable breakdown, whose totals cannot be found.
    const records = chainOf(6)
    records[5] = next(records[4], setTo('Desglose', undefined), 50)
    set(records[5].RegistroAlta, '/CuotaTotal', '1.00')
    expect(verifyChain(records).items).toMatchObject([{ code: 'chain.tampered', extra: { certain: false } }])
  })

  it('finds a changed timestamp between records of the same second', () => {
    const records = chainOf(5)
    const same = next(records[4], () => {}, 40)
    const last = next(same, setTo('IDFactura/NumSerieFactura', 'N-2'), 40)
    set(same.RegistroAlta, '/FechaHoraHusoGenRegistro', '2027-01-15T10:30:00+01:00')
    expect(verifyChain([...records, same, last]).items).toMatchObject([
      { path: '/5/RegistroAlta/FechaHoraHusoGenRegistro', extra: { original: '2027-01-15T10:00:40+01:00' } },
    ])
  })

  it('names the fields of a link that differ although its hash is right', () => {
    const records = chainOf(6)
    const link = records[5].RegistroAlta.Encadenamiento.RegistroAnterior
    Object.assign(link, { NumSerieFactura: 'A-99', FechaExpedicionFactura: '16-01-2027' })
    expect(verifyChain(records).items).toMatchObject([
      {
        code: 'chain.link_differs',
        path: '/5/RegistroAlta/Encadenamiento/RegistroAnterior/NumSerieFactura',
        extra: { field: 'NumSerieFactura', received: 'A-99', expected: 'A-4' },
      },
    ])
  })

  it('compares the first record of a part with the link to the record before it', () => {
    const records = chainOf(8)
    const after = linkOf(records[3])
    const part = records.slice(4)
    const path = '/0/RegistroAlta/Encadenamiento/RegistroAnterior'
    expect(found(part, { after: { ...after, NumSerieFactura: 'A-98' } })).toEqual([
      `chain.link_differs ${path}/NumSerieFactura`,
    ])
    const { items } = verifyChain(part, { after: { ...after, Huella: 'F'.repeat(64) } })
    expect(brief(items)).toEqual([`chain.gap ${path}`])
    expect(items[0]?.extra).toMatchObject({
      before: 'A-2 (15-01-2027, B12345674)',
      missing: 'A-2 (15-01-2027, B12345674)',
      missing_hash: after.Huella,
    })
  })

  it('audits events like invoices: parts, gaps, forks and replaced events, under their names', () => {
    const events = eventsOf(6)
    const link = (at: number) => {
      const { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento } = events[at].RegistroEvento.Evento
      return { TipoEvento, FechaHoraHusoGenEvento, HuellaEvento }
    }
    const part = events.slice(2)
    expect(found(part, { after_event: link(1) })).toEqual([])
    expect(
      found([...chainOf(8).slice(4), ...part], { after: linkOf(chainOf(4)[3]), after_event: link(1) }),
    ).toEqual([])
    const path = '/RegistroEvento/Evento/Encadenamiento/EventoAnterior'
    expect(verifyChain(part).items).toMatchObject([
      {
        code: 'chain.wrong_first',
        path: `/0${path}`,
        extra: {
          name: 'TipoEvento 90 (2027-01-15T10:00:20+01:00)',
          missing: 'TipoEvento 90 (2027-01-15T10:00:10+01:00)',
        },
      },
    ])
    expect(verifyChain(events.toSpliced(3, 1)).items).toMatchObject([
      {
        code: 'chain.gap',
        path: `/3${path}`,
        extra: {
          name: 'TipoEvento 90 (2027-01-15T10:00:40+01:00)',
          missing: 'TipoEvento 90 (2027-01-15T10:00:30+01:00)',
          before: 'TipoEvento 90 (2027-01-15T10:00:20+01:00)',
        },
      },
    ])
    const replaced = structuredClone(events[3])
    replaced.RegistroEvento.Evento.FechaHoraHusoGenEvento = '2027-01-15T10:00:31+01:00'
    expect(found(events.with(3, hashed(replaced)))).toEqual([`chain.gap /4${path}`])
    const rehashed = structuredClone(events[3])
    rehashed.RegistroEvento.Evento.SistemaInformatico.Version = '2.0'
    expect(found(events.with(3, hashed(rehashed)))).toEqual([
      'chain.replaced /3/RegistroEvento/Evento/HuellaEvento',
    ])
  })

  it('compares the breakdown with readable totals only, with the surcharge, and not under special regimes', () => {
    const surcharged = setAll({
      'Desglose/DetalleDesglose/0/TipoRecargoEquivalencia': '5.2',
      'Desglose/DetalleDesglose/0/CuotaRecargoEquivalencia': '5.20',
      CuotaTotal: '26.20',
      ImporteTotal: '126.20',
    })
    const path = '/3/RegistroAlta'
    const cases: [Change, string[]][] = [
      [surcharged, []],
      [
        (r) => {
          surcharged(r)
          r.CuotaTotal = '21.00'
        },
        [`chain.breakdown_differs ${path}/CuotaTotal`],
      ],
      [
        setAll({ CuotaTotal: '21,00', ImporteTotal: '100.00' }),
        [`chain.breakdown_differs ${path}/ImporteTotal`],
      ],
      [
        setAll({
          ImporteTotal: '100.00',
          'Desglose/DetalleDesglose/0/BaseImponibleOimporteNoSujeto': undefined,
        }),
        [],
      ],
      ...['03', '05', '06', '08', '09'].map((key): [Change, string[]] => [
        setAll({ ImporteTotal: '300.00', 'Desglose/DetalleDesglose/0/ClaveRegimen': key }),
        [],
      ]),
      [
        setAll({ ImporteTotal: '300.00', 'Desglose/DetalleDesglose/0/ClaveRegimen': '07' }),
        [`chain.breakdown_differs ${path}/ImporteTotal`],
      ],
    ]
    const records = chainOf(3)
    for (const [change, expected] of cases)
      for (const split of [false, true])
        expect(found([...records, next(records.at(-1), change)], { split })).toEqual(expected)
  })

  it('names records out of order once, with the record that each one follows', () => {
    const records = chainOf(8)
    const outcome = (order: number[]) =>
      verifyChain(order.map((i) => records[i])).items.map(({ code, extra }) =>
        `${code} A-${order[Number(extra?.record)]} ${extra?.other_record ?? ''}`.trim(),
      )
    // The second record of the chain comes late, in two places.
    expect(outcome([0, 2, 1, 3, 4])).toEqual(['chain.order A-2 2'])
    expect(outcome([0, 2, 3, 1, 4])).toEqual(['chain.order A-2 3', 'chain.order A-4 2'])
    expect(outcome([0, 3, 1, 2, 4])).toEqual(['chain.order A-3 3', 'chain.order A-1 0'])
    // Record 3 cancels the invoice of record 2: a link to it names the same invoice.
    expect(outcome([0, 1, 3, 2, 4])).toEqual(['chain.order A-3 3'])
    expect(outcome([3, 2, 4])).toEqual(['chain.wrong_first A-3', 'chain.gap A-2', 'chain.order A-4 0'])
    // Two blocks in the wrong order.
    expect(outcome([0, 1, 4, 5, 2, 3, 6])).toEqual([
      'chain.order A-4 5',
      'chain.order A-2 1',
      'chain.order A-6 3',
    ])
    expect(outcome([0, 1, 5, 6, 7])).toEqual(['chain.gap A-5'])
  })

  it('names both branches of a fork after a record that came late', () => {
    const records = chainOf(5)
    const fork = next(records[1], () => {}, 15)
    // Record 2 follows record 1, which comes late; another record follows it too.
    for (const rest of [[fork], [records[3], fork], [records[3], records[4], fork]]) {
      const { items } = verifyChain([records[0], records[2], records[1], ...rest])
      expect(
        items.map(({ code, extra }) => [code, extra?.record, extra?.other, extra?.other_record]),
      ).toEqual([
        ['chain.order', 1, 'A-1 (15-01-2027)', 2],
        ['chain.fork', 2 + rest.length, 'A-2 (15-01-2027)', 1],
      ])
    }
  })
})
