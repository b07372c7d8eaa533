/** VeriFactu messages: acceptance, rejection, acceptance with errors, and queries. */
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type Consulta, queryXml, type RespuestaConsulta, readVerifactu } from '#records/verifactu/index.ts'
import { type Marks, RESPONSE_ROWS } from '#records/verifactu/record/verifactu-next-step.ts'
import { type Draft, HEADER } from '#test/records/verifactu/records.ts'
import { officialSchema } from '#test/records/verifactu/schema.ts'
import {
  answerOf,
  certificate,
  messageXml,
  NOW,
  post,
  REQUEST,
  received,
  start,
  submit,
  TAXPAYER,
  Till,
  VERIFACTU,
} from './client.ts'

const OTHER = 'B77777779'
const simulator = await start()

/** Sets the marks of a record. */
const mark = (marks: Marks) => (record: Draft<any>) => Object.assign(record, marks)

it('accepts records, stores them and returns a receipt', async () => {
  const own = await start()
  const till = new Till()
  const answer = await submit(own, [
    till.issue('A-1', (record) => (record.RefExterna = 'r-1')),
    till.cancel('A-1'),
  ])
  expect(answer.state).toBe('accepted')
  expect(answer.csv).toMatch(/^A-[A-Z0-9]{14}$/)
  expect(answer.presented_at).toBe('2027-01-15T10:01:00+01:00')
  expect(answer.wait_seconds).toBe(60)
  expect(answer.lines.map(({ operation, state, external_ref }) => [operation, state, external_ref])).toEqual([
    ['alta', 'accepted', 'r-1'],
    ['anulacion', 'accepted', null],
  ])
  expect(own.control.invoices({ taxpayer: TAXPAYER })).toMatchObject([{ number: 'A-1', state: 'Anulada' }])
  const [message] = own.control.submissions({ taxpayer: TAXPAYER })
  expect(message).toMatchObject({ state: 'Correcto', csv: answer.csv, presenter: TAXPAYER, records: 2 })
  expect(own.control.request(required(message).id)).toContain('<sf:RefExterna>r-1</sf:RefExterna>')
  expect(own.control.chain({ taxpayer: TAXPAYER })).toMatchObject({ valid: true, records: 2, items: [] })
})

it('compares every combination of marks with the stored invoice (tables 7.1 and 7.2)', async () => {
  const own = await start()
  const till = new Till()
  const cases = RESPONSE_ROWS.flatMap((row, at) =>
    (['none', 'alta', 'anulacion'] as const).map((stored) => ({
      ...row,
      stored,
      number: `T-${at}-${stored}`,
    })),
  )
  const before = [
    ...cases.filter(({ stored }) => stored !== 'none').map(({ number }) => till.issue(number)),
    ...cases.filter(({ stored }) => stored === 'anulacion').map(({ number }) => till.cancel(number)),
  ]
  expect((await submit(own, before)).state).toBe('accepted')
  const { lines } = await submit(
    own,
    cases.map(({ operation, marks, number }) =>
      operation === 'alta' ? till.issue(number, mark(marks)) : till.cancel(number, mark(marks)),
    ),
  )
  const invoices = new Map(own.control.invoices({ taxpayer: TAXPAYER }).map((row) => [row.number, row.state]))
  for (const [at, { operation, marks, stored, acceptedWith, number }] of cases.entries()) {
    const { state, code, duplicate_state } = required(lines[at])
    const isTaken = (acceptedWith === 'no record') === (stored === 'none')
    const refusal = acceptedWith === 'no record' ? 3000 : 3002
    const duplicate = stored === 'alta' ? 'accepted' : 'cancelled'
    const seen = `${operation} ${JSON.stringify(marks)} with ${stored}`
    expect([seen, state, code, duplicate_state]).toEqual(
      isTaken
        ? [seen, 'accepted', null, null]
        : [seen, 'rejected', refusal, refusal === 3000 ? duplicate : null],
    )
    if (isTaken) expect(invoices.get(number)).toBe(operation === 'alta' ? 'Correcta' : 'Anulada')
  }
  expect(own.control.chain({ taxpayer: TAXPAYER }).valid).toBe(true)
})

it('reports the errors of the stored record for a duplicate', async () => {
  const till = new Till()
  const wrong = till.issue('D-1', (record) => (record.CuotaTotal = '50.00'))
  const first = await submit(simulator, [wrong])
  expect([first.state, required(first.lines[0]).code]).toEqual(['partially_accepted', 2006])
  const { text } = await post(simulator, VERIFACTU, messageXml([wrong]))
  expect(text).toMatch(/<sf:IdPeticionRegistroDuplicado>\d{20}</)
  expect(text).toContain('<sf:EstadoRegistroDuplicado>AceptadaConErrores<')
  expect(text).toContain('<sf:CodigoErrorRegistro>2006<')
  expect(answerOf({ status: 200, headers: {}, text }).csv).toBeNull()
})

it('rejects records or accepts them with errors like the engine', async () => {
  const own = await start()
  const till = new Till()
  const cases = [
    [till.issue('E-1'), 'accepted', null],
    [
      { RegistroAlta: { ...till.issue('E-2').RegistroAlta, Huella: 'A'.repeat(64) } },
      'accepted_with_errors',
      2000,
    ],
    [
      till.issue('E-3', (record) => (record.FechaHoraHusoGenRegistro = '2027-01-15T09:00:00+01:00')),
      'accepted_with_errors',
      2004,
    ],
    [
      till.issue('E-4', (record) => (required(record.Desglose.DetalleDesglose[0]).TipoImpositivo = '20')),
      'rejected',
      1124,
    ],
    [till.issue('E-5', (record) => (record.IDFactura.IDEmisorFactura = OTHER)), 'rejected', 1108],
    [till.issue('E-6', (record) => delete record.Destinatarios), 'rejected', 1189],
  ] as const
  const answer = await submit(
    own,
    cases.map(([record]) => record),
  )
  expect(answer.state).toBe('partially_accepted')
  expect(answer.lines.map(({ state, code }) => [state, code])).toEqual(
    cases.map(([, state, code]) => [state, code]),
  )
  expect(answer.lines.every(({ description, code }) => (description === null) === (code === null))).toBe(true)
  expect(own.control.invoices({ taxpayer: TAXPAYER }).map(({ number }) => number)).toEqual([
    'E-1',
    'E-2',
    'E-3',
  ])
  expect(own.control.records({ taxpayer: TAXPAYER })).toHaveLength(6)
})

it('accepts late records after an incident, and one first record per chain', async () => {
  const own = await start()
  const late = (record: Draft<any>) => (record.FechaHoraHusoGenRegistro = '2027-01-15T08:00:00+01:00')
  const header = { ...HEADER, RemisionVoluntaria: { Incidencia: 'S' } } as const
  const first = await submit(own, [new Till().issue('F-1', late)], header)
  expect(first.lines[0]?.code).toBeNull()
  expect(own.control.submissions({ taxpayer: TAXPAYER })[0]?.incident).toBe(1)
  const again = await submit(own, [new Till().issue('F-2')])
  expect([required(again.lines[0]).state, required(again.lines[0]).code]).toEqual([
    'accepted_with_errors',
    2007,
  ])
})

it('rejects a message as a whole with the codes of the authority', async () => {
  const till = new Till()
  const fine = till.issue('G-1')
  const plain = messageXml([fine])
  const big = Array.from({ length: 1001 }, (_, at) => at)
  const many = plain.replace(
    /<sfLR:RegistroFactura>.*<\/sfLR:RegistroFactura>/,
    big.map(() => '<sfLR:RegistroFactura><sf:RegistroAnulacion/></sfLR:RegistroFactura>').join(''),
  )
  const query = queryXml({
    Cabecera: { IDVersion: '1.0', ObligadoEmision: HEADER.ObligadoEmision },
    FiltroConsulta: { PeriodoImputacion: { Ejercicio: '2027', Periodo: '01' } },
  })
  const cases: [number, string, string][] = [
    [4103, VERIFACTU, plain.slice(0, -40)],
    [4103, VERIFACTU, ''],
    [4102, VERIFACTU, plain.replace('<sf:TipoHuella>', '<sf:Nada/><sf:TipoHuella>')],
    [4138, VERIFACTU, '<a xmlns="urn:a"/>'],
    [4113, VERIFACTU, many],
    [4116, VERIFACTU, plain.replace('<sf:NIF>B12345674<', '<sf:NIF>B1234567x<')],
    [
      4118,
      VERIFACTU,
      '<sf:RegistroAlta xmlns:sf="https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd"/>',
    ],
    [4118, REQUEST, query],
    [
      4126,
      VERIFACTU,
      messageXml([fine], {
        ...HEADER,
        RemisionRequerimiento: { RefRequerimiento: 'REQ1', FinRequerimiento: 'S' },
      }),
    ],
    [4125, REQUEST, plain],
    [4119, VERIFACTU, plain.replace('UTF-8', 'ISO-8859-1')],
  ]
  for (const [code, path, body] of cases) {
    const got = await post(simulator, path, body)
    const { received: stored, fault } = answerOf(got)
    expect([code, got.status, stored, fault?.code, fault?.resend]).toEqual([code, 500, false, code, false])
    expect(fault?.text.length).toBeGreaterThan(10)
  }
  const noted = simulator.control.submissions({ taxpayer: TAXPAYER }).filter(({ state }) => state === 'Fault')
  expect(noted.map(({ code }) => code)).toEqual(expect.arrayContaining([4113, 4126]))
  expect(simulator.control.invoices({ taxpayer: TAXPAYER }).some(({ number }) => number === 'G-1')).toBe(
    false,
  )
})

it('checks the owner of the certificate', async () => {
  const own = await start({ powers: { A58818501: [TAXPAYER] } })
  const sent = async (taxId: string, header = HEADER, number = 'H-1') =>
    answerOf(
      await post(own, VERIFACTU, messageXml([new Till().issue(number)], header), {
        pfx: await certificate(taxId),
      }),
    )
  expect((await sent(OTHER)).fault?.code).toBe(4112)
  const named = { ...HEADER, Representante: { NombreRazon: 'Asesoría, S.L.', NIF: OTHER } }
  expect((await sent(OTHER, named)).received).toBe(true)
  expect((await sent('A58818501', HEADER, 'H-2')).received).toBe(true)
  expect(own.control.submissions({ taxpayer: TAXPAYER }).map(({ presenter }) => presenter)).toEqual([
    OTHER,
    OTHER,
    'A58818501',
  ])
})

it('stores records sent at request separately, and accepts them with errors', async () => {
  const own = await start()
  const till = new Till()
  const header = {
    ...HEADER,
    RemisionRequerimiento: { RefRequerimiento: 'REQ1', FinRequerimiento: 'S' },
  } as const
  const wrong = till.issue(
    'I-1',
    (record) => (required(record.Desglose.DetalleDesglose[0]).TipoImpositivo = '20'),
  )
  const alien = till.issue('I-2', (record) => (record.IDFactura.IDEmisorFactura = OTHER))
  const answer = await submit(own, [wrong, alien, till.issue('I-3')], header, REQUEST)
  expect(answer.lines.map(({ state, code }) => [state, code])).toEqual([
    ['accepted_with_errors', 1124],
    ['rejected', 1108],
    ['accepted', null],
  ])
  expect((await submit(own, [till.issue('I-3')])).lines[0]?.state).toBe('accepted')
})

it('marks a message that arrives before the waiting time is over', async () => {
  let now = NOW
  const own = await start({ clock: () => now })
  const till = new Till()
  for (const [number, seconds] of [
    ['J-1', 0],
    ['J-2', 59],
    ['J-3', 60],
  ] as const) {
    now += seconds * 1000
    await submit(own, [till.issue(number)])
  }
  expect(own.control.submissions({ taxpayer: TAXPAYER }).map(({ early }) => early)).toEqual([0, 1, 0])
})

const asked = async (
  own: typeof simulator,
  query: Consulta,
  pfx?: Uint8Array,
): Promise<RespuestaConsulta> => {
  const { text } = await post(own, VERIFACTU, queryXml(query), pfx ? { pfx } : {})
  received.push(text)
  const { document, items } = readVerifactu(text)
  expect(items).toEqual([])
  if (document?.root !== 'RespuestaConsultaFactuSistemaFacturacion') throw new Error(text)
  return document.value
}

const month = { PeriodoImputacion: { Ejercicio: '2027', Periodo: '01' } } as const
const rowsOf = (answer: RespuestaConsulta) =>
  (answer.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []).map(({ IDFactura, EstadoRegistro }) => [
    IDFactura.NumSerieFactura,
    EstadoRegistro.EstadoRegistro,
  ])

it('returns the state of each invoice to queries, in pages', async () => {
  const own = await start({ pageSize: 2 })
  const till = new Till()
  const records = [
    till.issue('K-1'),
    till.issue('K-2', (record) => (record.CuotaTotal = '50.00')),
    till.issue('K-3', (record) => (record.RefExterna = 'ref')),
    till.cancel('K-1'),
    till.issue('K-4', (record) => (record.FechaOperacion = '31-12-2026')),
    till.issue('K-2', mark({ Subsanacion: 'S' })),
  ]
  await submit(own, records)
  const Cabecera = { IDVersion: '1.0', ObligadoEmision: HEADER.ObligadoEmision } as const
  const ask = (filter: object = {}, more: object = {}) =>
    asked(own, { Cabecera, FiltroConsulta: { ...month, ...filter }, ...more })
  const first = await ask()
  expect(rowsOf(first)).toEqual([
    ['K-1', 'Anulado'],
    ['K-2', 'Correcto'],
  ])
  expect(first).toMatchObject({ IndicadorPaginacion: 'S', ResultadoConsulta: 'ConDatos' })
  const second = await ask({ ClavePaginacion: first.ClavePaginacion })
  expect(rowsOf(second)).toEqual([['K-3', 'Correcto']])
  expect(second).toMatchObject({ IndicadorPaginacion: 'N' })
  expect(second.ClavePaginacion).toBeUndefined()
  const data = required(first.RegistroRespuestaConsultaFactuSistemaFacturacion).map(
    (row) => row.DatosRegistroFacturacion,
  )
  // The hash is that of the last record: the cancellation or the correction.
  expect(data.map(({ Huella }) => Huella)).toEqual(
    [records[3], records[5]].map((record: any) => (record.RegistroAnulacion ?? record.RegistroAlta).Huella),
  )
  expect(data[1]).toMatchObject({ Subsanacion: 'S', CuotaTotal: '21.00', ImporteTotal: '121.00' })
  expect(required(data[0]).SistemaInformatico ?? required(data[0]).NombreRazonEmisor).toBeUndefined()
  for (const [filter, numbers] of [
    [{ NumSerieFactura: 'K-3' }, ['K-3']],
    [{ NumSerieFactura: 'none' }, []],
    [{ RefExterna: 'ref' }, ['K-3']],
    [{ Contraparte: { NombreRazon: 'X', NIF: OTHER }, NumSerieFactura: 'K-2' }, ['K-2']],
    [{ Contraparte: { NombreRazon: 'X', NIF: TAXPAYER } }, []],
    [{ FechaExpedicionFactura: { RangoFechaExpedicion: { Desde: '16-01-2027', Hasta: '31-01-2027' } } }, []],
    [{ FechaExpedicionFactura: { FechaExpedicionFactura: '15-01-2027' }, NumSerieFactura: 'K-1' }, ['K-1']],
    [{ PeriodoImputacion: { Ejercicio: '2026', Periodo: '12' } }, ['K-4']],
  ] as const)
    expect(rowsOf(await ask(filter)).map(([number]) => number)).toEqual(numbers)
  expect(await ask({ NumSerieFactura: 'none' })).toMatchObject({ ResultadoConsulta: 'SinDatos' })
  const shown = await ask(
    { NumSerieFactura: 'K-3' },
    { DatosAdicionalesRespuesta: { MostrarNombreRazonEmisor: 'S', MostrarSistemaInformatico: 'S' } },
  )
  expect(shown.RegistroRespuestaConsultaFactuSistemaFacturacion?.[0]?.DatosRegistroFacturacion).toMatchObject(
    { NombreRazonEmisor: 'Calderas Ficticias, S.L.', SistemaInformatico: { IdSistemaInformatico: 'CU' } },
  )
})

it('lets only the recipient query the records that name it', async () => {
  const own = await start()
  await submit(own, [new Till().issue('L-1')])
  const query: Consulta = {
    Cabecera: { IDVersion: '1.0', Destinatario: { NombreRazon: 'Estudio', NIF: OTHER } },
    FiltroConsulta: month,
  }
  expect(rowsOf(await asked(own, query, await certificate(OTHER)))).toEqual([['L-1', 'Correcto']])
  expect(answerOf(await post(own, VERIFACTU, queryXml(query))).fault?.code).toBe(4132)
  const issuer: Consulta = {
    Cabecera: { IDVersion: '1.0', ObligadoEmision: HEADER.ObligadoEmision },
    FiltroConsulta: month,
  }
  const theirs = await post(own, VERIFACTU, queryXml(issuer), { pfx: await certificate(OTHER) })
  expect(answerOf(theirs).fault?.code).toBe(4112)
  const unknown: Consulta = {
    ...issuer,
    FiltroConsulta: {
      ...month,
      SistemaInformatico: {
        NombreRazon: 'P',
        NIF: 'B12345674',
        IdSistemaInformatico: 'ZZ',
        NumeroInstalacion: '9',
      },
    },
  }
  expect(answerOf(await post(own, VERIFACTU, queryXml(unknown))).fault?.code).toBe(1242)
})

it('separates test and production', async () => {
  const own = await start()
  const till = new Till()
  const record = till.issue('M-1')
  expect((await submit(own, [record])).state).toBe('accepted')
  expect((await submit(own, [record], HEADER, `/production${VERIFACTU}`)).state).toBe('accepted')
  expect(own.control.invoices({ taxpayer: TAXPAYER, environment: 'production' })).toHaveLength(1)
})

it.skipIf(officialSchema === null)('every answer of these tests is valid by the official schema', () => {
  expect(received.length).toBeGreaterThan(35)
  expect(received.flatMap((xml) => required(officialSchema)()(xml))).toEqual([])
})
