/** Chains of records: whole, the authority's own, and tampered with in every way. */
import { request } from './request.mjs'

const SYSTEM = {
  NombreRazon: 'Programas Ficticios, S.L.',
  NIF: 'B12345674',
  NombreSistemaInformatico: 'Cuadra de pruebas',
  IdSistemaInformatico: 'CU',
  Version: '1.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'N',
  TipoUsoPosibleMultiOT: 'S',
  IndicadorMultiplesOT: 'N',
}
const LENGTH = 30
const START = Date.UTC(2027, 0, 15, 9)

/** Ten seconds apart, in the winter time of Madrid. */
const timestampOf = (at) => `${new Date(START + 3_600_000 + at * 10_000).toISOString().slice(0, 19)}+01:00`

const invoiceOf = (at) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'runtimes', external_ref: `R-${at}` },
  invoice: {
    supplier: {
      person_type_code: 'J',
      tax_id: 'B12345674',
      name: 'Calderas Ficticias, S.L.',
      country_code: 'ES',
      company: {
        legal_name: 'Calderas Ficticias, S.L.',
        address: { address: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', country_code: 'ES' },
      },
    },
    header: { invoice_type_code: '02', invoice_series_code: 'R', invoice_number: `R-${at}` },
    issue_data: { issue_date: '2027-01-15' },
    lines: [
      {
        item_description: `Revisión ${at}`,
        quantity: at + 1,
        unit_price_without_tax: 9.99,
        tax_output_rate: 21,
      },
      { item_description: 'Libro', quantity: 1, unit_price_without_tax: 12.35, tax_output_rate: 4 },
    ],
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
  },
})

/** Registrations, every fifth record a cancellation of the one before. */
async function wholeChain() {
  const { validate } = await import('../../../dist/index.js')
  const { cancellationRecord, registrationRecord } = await import('../../../dist/verifactu/index.js')
  const records = []
  while (records.length < LENGTH) {
    const at = records.length
    const previous = records.at(-1) ?? null
    const options = { system: SYSTEM, previous, timestamp: timestampOf(at) }
    const { record, items } =
      at % 5 === 4
        ? cancellationRecord(previous, options)
        : registrationRecord(validate(invoiceOf(at), { operation: 'issue' }).data, options)
    if (record === null) throw new Error(`no record ${at}: ${JSON.stringify(items)}`)
    records.push(record)
  }
  return records
}

/** The three examples of the authority's description of the hash. */
const OFFICIAL = (() => {
  const HASHES = [
    '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
    'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
    '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68',
  ]
  const owner = { NIF: '89890001K', IdSistemaInformatico: '01', NumeroInstalacion: '1' }
  const common = (at) => ({
    IDVersion: '1.0',
    SistemaInformatico: owner,
    FechaHoraHusoGenRegistro: [
      '2024-01-01T19:20:30+01:00',
      '2024-01-01T19:20:35+01:00',
      '2024-01-01T19:20:40+01:00',
    ][at],
    TipoHuella: '01',
    Huella: HASHES[at],
  })
  const id = (number) => ({
    IDEmisorFactura: '89890001K',
    NumSerieFactura: number,
    FechaExpedicionFactura: '01-01-2024',
  })
  const amounts = { TipoFactura: 'F1', CuotaTotal: '12.35', ImporteTotal: '123.45' }
  const after = (number, hash) => ({ RegistroAnterior: { ...id(number), Huella: hash } })
  return [
    {
      RegistroAlta: {
        ...common(0),
        ...amounts,
        IDFactura: id('12345678/G33'),
        Encadenamiento: { PrimerRegistro: 'S' },
      },
    },
    {
      RegistroAlta: {
        ...common(1),
        ...amounts,
        IDFactura: id('12345679/G34'),
        Encadenamiento: after('12345678/G33', HASHES[0]),
      },
    },
    {
      RegistroAnulacion: {
        ...common(2),
        IDFactura: {
          IDEmisorFacturaAnulada: '89890001K',
          NumSerieFacturaAnulada: '12345679/G34',
          FechaExpedicionFacturaAnulada: '01-01-2024',
        },
        Encadenamiento: after('12345679/G34', HASHES[1]),
      },
    },
  ]
})()

/** Paths of every value of a record. */
const leavesOf = (value, path = []) =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap((key) => leavesOf(value[key], [...path, key]))
    : [path]

/** A copy with another value at a path. */
const changed = (value, [step, ...rest], other) => {
  if (step === undefined) return other
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[step] = changed(value[step], rest, other)
  return copy
}

const OTHERS = [undefined, null, '', 'x', 5, '1.00', '2027-01-15T10:00:01+01:00', 'F'.repeat(64), {}, []]

/** One value changed, for every value of a registration and of a cancellation, with each a foreign value in turn. */
const tampered = (chain) =>
  [7, 9].flatMap((at) =>
    leavesOf(chain[at]).map((path, turn) => {
      const other = OTHERS[turn % OTHERS.length]
      return [`${at}/${path.join('/')} is ${JSON.stringify(other)}`, changed(chain, [at, ...path], other)]
    }),
  )

const without = (chain, ...taken) => chain.filter((_, at) => !taken.includes(at))

export async function chainCases() {
  const chain = await wholeChain()
  const [first, second, ...rest] = chain
  const short = chain.slice(0, 12)
  const reversed = [...chain].reverse()
  const chains = [
    ['no records', []],
    ['whole', chain],
    ['official', OFFICIAL],
    ['official, without the first', OFFICIAL.slice(1)],
    ['official, an amount changed', changed(OFFICIAL, [0, 'RegistroAlta', 'ImporteTotal'], '123.46')],
    ['first and second swapped', [second, first, ...rest]],
    ['backwards', reversed],
    ['one missing', without(chain, 12)],
    ['three missing', without(chain, 5, 6, 20)],
    ['one doubled', [...chain.slice(0, 9), chain[8], ...chain.slice(9)]],
    ['a fork', [...chain, ...chain.slice(25)]],
    ['two chains', [...chain, ...OFFICIAL]],
    [
      'values that are not records',
      [...chain.slice(0, 3), null, 5, 'x', [], {}, { RegistroAlta: null }, ...chain.slice(3)],
    ],
    ...tampered(short),
  ]
  const { linkOf } = await import('../../../dist/verifactu/index.js')
  const options = [
    ['from the middle on', chain.slice(10), { after: linkOf(chain[9]) }],
    ['from the middle on, with a wrong link', chain.slice(10), { after: linkOf(chain[8]) }],
    ['in the future', chain, { now: '2027-01-15T10:01:00+01:00' }],
    ['not in the future', chain, { now: '2027-01-15T23:00:00+01:00', locale: 'es' }],
    ['no clock', chain, { now: 'today' }],
    ['no link', chain, { after: { Huella: 5 } }],
    ['an option that only programs have', chain, { hash: 'sha1' }],
    ['no list', chain[0], undefined],
  ]
  return [
    ...chains.flatMap(([name, records], at) => [
      request(name, 'verify_chain', records),
      // The other language and the other way of auditing, for some.
      ...(at < 13 || at % 5 === 0
        ? [request(`${name} (es)`, 'verify_chain', records, { locale: 'es', split: true })]
        : []),
    ]),
    ...options.map(([name, records, own]) => request(name, 'verify_chain', records, own)),
  ]
}
