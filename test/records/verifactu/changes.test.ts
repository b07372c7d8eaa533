/**
 * Records and invoices with one change each, and the codes that the checks of the authority and the builder then add
 * and remove. `UPDATE_GOLDEN=1 npx vitest run test/records/verifactu/changes.test.ts` writes the lists.
 */
import { describe } from 'vitest'
import { required } from '#core/errors/index.ts'
import { checkRecord, type FiscalRecord, registrationRecord } from '#records/verifactu/index.ts'
import { type Alternatives, type Changeable, equalTo, type Outcome, testChanges } from '../../changes.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { anulacion, evento, HEADER, hashed, PREVIOUS_HASH, SYSTEM } from './records.ts'

const TIMESTAMP = '2027-06-30T12:00:00+02:00'
const PARTY = { NombreRazon: 'Gestoría Ficticia, S.L.', NIF: 'B77777779' }
const ABROAD = {
  NombreRazon: 'Atelier Imaginé',
  IDOtro: { CodigoPais: 'FR', IDType: '02', ID: 'FR40303265045' },
}

/** Values of coded fields, each of which is valid somewhere. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  TipoFactura: ['F1', 'F2', 'F3', 'R1', 'R5', 'X'],
  TipoRectificativa: ['S', 'I'],
  Impuesto: ['01', '02', '03', '05'],
  ClaveRegimen: [
    ...['01', '02', '03', '05', '06', '07', '08', '09', '10', '11', '14', '15', '17', '18', '20', '99'],
  ],
  CalificacionOperacion: ['S1', 'S2', 'N1', 'N2'],
  OperacionExenta: ['E1', 'E2', 'E3', 'E4', 'E5', 'E6'],
  TipoImpositivo: ['0', '2', '4', '5', '7.5', '10', '16', '18', '21', '35'],
  TipoRecargoEquivalencia: ['0', '0.26', '0.5', '0.62', '1', '1.4', '1.75', '4', '5.2', '7'],
  NIF: ['B12345674', '12345678Z', 'B00000000', ''],
  IDEmisorFactura: ['B77777779', 'B00000000'],
  IDType: ['02', '03', '04', '05', '06', '07'],
  CodigoPais: ['ES', 'FR', 'US', 'GB', 'XX'],
  ID: ['FR40303265045', 'DE123456789', 'B12345674', ''],
  Subsanacion: ['S', 'N'],
  RechazoPrevio: ['S', 'N', 'X'],
  TipoHuella: ['02'],
  Huella: [PREVIOUS_HASH, 'x'],
  TipoEvento: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '90', '99'],
  TipoUsoPosibleSoloVerifactu: ['S', 'X'],
  EmitidaPorTerceroODestinatario: ['D', 'T'],
  Generador: ['E', 'D', 'T'],
}

type Values = ReturnType<Alternatives['valuesOf']>

/** Returns a number of a record with another number of cents. */
const moved = (value: number | string, cents: number): string => (Number(value) + cents / 100).toFixed(2)

function valuesOf(name: string, value: unknown): Values {
  if (typeof value !== 'string') return equalTo([null])
  const values = VALUES[name]
  if (values) return equalTo(values)
  if (/^\d\d-\d\d-\d{4}$/.test(value))
    return equalTo(['30-02-2027', '2027-01-15', '01-01-2012', '28-10-2024', '01-07-2027', '31-12-2028'])
  if (/^\d{4}-\d\d-\d\dT/.test(value))
    return equalTo([
      '2027-06-30T12:00:00',
      '2027-02-30T12:00:00+01:00',
      '2024-10-01T12:00:00+02:00',
      '2028-06-30T12:00:00+02:00',
    ])
  if (/^-?\d+(?:\.\d+)?$/.test(value))
    return [
      ['+ 0.01', moved(value, 1)],
      ['+ 10.01', moved(value, 1001)],
      ['- 11', moved(value, -1100)],
      ['negated', moved(-Number(value), 0)],
      ...equalTo(['1.234', 'x']),
    ]
  return [
    ...equalTo(['']),
    ['with 600 characters', 'x'.repeat(600)],
    ['with a control character', 'a\u0001b'],
  ]
}

const RECORD_CHANGES: Alternatives = {
  valuesOf,
  additions: {
    RegistroAlta: {
      RefExterna: ['A'],
      Subsanacion: ['S', 'N'],
      RechazoPrevio: ['S', 'N', 'X'],
      TipoRectificativa: ['S', 'I'],
      FacturasRectificadas: [
        {
          IDFacturaRectificada: [
            { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-0', FechaExpedicionFactura: '01-01-2027' },
          ],
        },
      ],
      FacturasSustituidas: [
        {
          IDFacturaSustituida: [
            { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-0', FechaExpedicionFactura: '01-01-2030' },
          ],
        },
      ],
      ImporteRectificacion: [{ BaseRectificada: '100.00', CuotaRectificada: '21.00' }],
      FechaOperacion: ['30-02-2027', '01-01-2006', '31-12-2026', '15-01-2028', '01-01-2031'],
      FacturaSimplificadaArt7273: ['S', 'N'],
      FacturaSinIdentifDestinatarioArt61d: ['S', 'N'],
      Macrodato: ['S', 'N'],
      EmitidaPorTerceroODestinatario: ['D', 'T'],
      Tercero: [PARTY, ABROAD],
      Destinatarios: [{ IDDestinatario: [PARTY] }, { IDDestinatario: [ABROAD] }],
      Cupon: ['S', 'N'],
      Unknown: ['S'],
    },
    DetalleDesglose: {
      Impuesto: ['02', '03'],
      ClaveRegimen: ['01', '02', '06', '17'],
      CalificacionOperacion: ['S1', 'S2', 'N1'],
      OperacionExenta: ['E1', 'E5'],
      TipoImpositivo: ['0', '21'],
      CuotaRepercutida: ['0.00', '21.00'],
      BaseImponibleACoste: ['100.00'],
      TipoRecargoEquivalencia: ['5.2', '1.4', '0.5', '3'],
      CuotaRecargoEquivalencia: ['5.20'],
    },
    RegistroAnulacion: {
      RefExterna: ['A'],
      SinRegistroPrevio: ['S', 'N'],
      RechazoPrevio: ['S', 'N'],
      GeneradoPor: ['E', 'D', 'T'],
      Generador: [PARTY, ABROAD],
    },
  },
}

/** Errors of the structure prevent all other checks of a record. */
const STRUCTURE = 'aeat.4102'

const outcomeOf = (items: readonly { code: string }[], isBlocked: boolean): Outcome => ({
  codes: new Set(items.map(({ code }) => code)),
  isBlocked,
})

const SURROUNDINGS = { now: '2027-07-01T12:00:00+02:00', header: HEADER }

/** A record whose hash is computed again after a change, so that a change breaks one rule. */
const ofRecord = (name: string, record: FiscalRecord): Changeable => ({
  name,
  document: record,
  outcomeOf(changed) {
    let fresh = changed
    try {
      if (changed.RegistroAlta?.Huella !== PREVIOUS_HASH) fresh = hashed(changed)
    } catch {
      // Without the fields of the hash there is none.
    }
    const items = checkRecord(fresh, SURROUNDINGS)
    return outcomeOf(
      items,
      items.some(({ code }) => code === STRUCTURE),
    )
  },
})

const PREVIOUS = hashed({
  RegistroAnulacion: {
    ...anulacion().RegistroAnulacion,
    FechaHoraHusoGenRegistro: '2027-06-30T11:00:00+02:00',
  },
})

const invoices = goldenInvoices().filter(
  ({ invoice }) =>
    invoice.meta.direction === 'issued' && required(invoice.invoice.issue_data.issue_date) >= '2024-10-28',
)

const records = (): Changeable[] => [
  ofRecord('cancellation', anulacion()),
  ofRecord('event', evento()),
  ...invoices.flatMap(({ name, invoice }) => {
    const { record } = registrationRecord(invoice, {
      system: SYSTEM,
      previous: PREVIOUS,
      timestamp: TIMESTAMP,
    })
    return record ? [ofRecord(name, record)] : []
  }),
]

const INVOICE_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  tax_regime_key: ['01', '02', '03', '07', '17'],
  tax_treatment_code: ['S1', 'S2', 'N1', 'N2', 'E1'],
  tax_id: ['FR40303265045', '12345678Z', 'x'],
  country_code: ['ES', 'FR', 'US'],
  person_type_code: ['F', 'J'],
  invoice_type_code: ['01', '02', '03', '05'],
  issue_date: ['2024-10-27', '2027-07-01'],
  operation_date: ['2026-12-31', '2028-01-01'],
  tax_group_code: ['IVA', 'IGIC', 'IPSI'],
  correction: ['none', 'rejected', 'never_registered'],
  direction: ['received'],
}

const INVOICE_CHANGES: Alternatives = {
  valuesOf(name, value): Values {
    if (typeof value === 'number')
      return [
        ['+ 0.5', Number((value + 0.5).toFixed(2))],
        ['negated', -value],
      ]
    return equalTo(typeof value === 'boolean' ? [!value] : (INVOICE_VALUES[name] ?? []))
  },
  additions: {
    options: {
      correction: ['none', 'rejected', 'never_registered'],
      replaces: [[{ invoice_number: 'S-1', issue_date: '2027-06-01' }]],
      corrects: [[{ invoice_number: 'S-1', issue_date: '2027-06-01' }]],
      corrected_surcharge_amount: [5.2],
      third_party: [PARTY, ABROAD],
      recipient_not_in_census: [true],
      chain_continues: [true],
    },
    issue_data: { operation_date: ['2026-12-31', '2028-01-01'] },
    taxes_outputs: { equivalence_surcharge: [5.2], equivalence_surcharge_amount: [5.2] },
  },
}

const ofInvoices = (): Changeable[] =>
  invoices.map(({ name, invoice }) => ({
    name,
    document: { options: {}, ...invoice },
    outcomeOf({ options, ...changed }) {
      const own = { system: SYSTEM, previous: PREVIOUS, timestamp: TIMESTAMP }
      const { record, items } = registrationRecord(changed, { ...own, ...options })
      return outcomeOf(items, record === null)
    },
  }))

describe.each([
  ['record-codes-by-change.txt', records, RECORD_CHANGES],
  ['invoice-codes-by-change.txt', ofInvoices, INVOICE_CHANGES],
])('%s', (name, documentsOf, alternatives) => {
  testChanges(new URL(name, import.meta.url), documentsOf(), alternatives)
})
