/** Fixtures: valid records, of which the tests of the authority's checks change one thing. */
import { hashOf } from '#records/verifactu/model/hash.ts'
import type {
  Cabecera,
  Envio,
  FiscalRecord,
  RegistroAlta,
  RegistroAnulacion,
  RegistroEvento,
} from '#records/verifactu/model/verifactu-record-types.ts'

export const SYSTEM = {
  NombreRazon: 'Programas Ficticios, S.L.',
  NIF: 'B12345674',
  NombreSistemaInformatico: 'Cuadra de pruebas',
  IdSistemaInformatico: 'CU',
  Version: '1.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'N',
  TipoUsoPosibleMultiOT: 'S',
  IndicadorMultiplesOT: 'N',
} as const

export const HEADER: Cabecera = {
  ObligadoEmision: { NombreRazon: 'Calderas Ficticias, S.L.', NIF: 'B12345674' },
}

/** Hash of the previous record; no record of the tests has it. */
export const PREVIOUS_HASH = '0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF'

/** Link of an event to the one before it. */
export const EVENT_LINK = {
  EventoAnterior: {
    TipoEvento: '10',
    FechaHoraHusoGenEvento: '2027-01-15T08:00:00+01:00',
    HuellaEvento: PREVIOUS_HASH,
  },
}

const LINK = {
  RegistroAnterior: {
    IDEmisorFactura: 'B12345674',
    NumSerieFactura: 'A-1',
    FechaExpedicionFactura: '14-01-2027',
    Huella: PREVIOUS_HASH,
  },
}

export type Draft<T> = { -readonly [K in keyof T]: T[K] extends object ? Draft<T[K]> : T[K] }

/** Returns the record with its hash recomputed, so that a test changes exactly one thing. */
export const hashed = <R extends FiscalRecord>(record: R): R => {
  const copy = structuredClone(record)
  const Huella = hashOf(copy)
  if ('RegistroAlta' in copy) Object.assign(copy.RegistroAlta, { Huella })
  else if ('RegistroAnulacion' in copy) Object.assign(copy.RegistroAnulacion, { Huella })
  else Object.assign(copy.RegistroEvento.Evento, { HuellaEvento: Huella })
  return copy
}

/** Returns the record with its hash recomputed, or as it is if it has none. */
function rehashed<R extends FiscalRecord>(record: R): R {
  try {
    return hashed(record)
  } catch {
    return record
  }
}

/**
 * Returns a valid registration of 15 January 2027, 100.00 + 21 %, modified by `change` (before the hash, if `rehash`).
 */
export function alta(
  change: (record: Draft<RegistroAlta>) => void = () => {},
  rehash = true,
): { RegistroAlta: RegistroAlta } {
  const record: Draft<RegistroAlta> = {
    IDVersion: '1.0',
    IDFactura: { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-2', FechaExpedicionFactura: '15-01-2027' },
    NombreRazonEmisor: 'Calderas Ficticias, S.L.',
    TipoFactura: 'F1',
    DescripcionOperacion: 'Revisión de caldera',
    Destinatarios: { IDDestinatario: [{ NombreRazon: 'Estudio Imaginado, S.L.', NIF: 'B77777779' }] },
    Desglose: {
      DetalleDesglose: [
        {
          Impuesto: '01',
          ClaveRegimen: '01',
          CalificacionOperacion: 'S1',
          TipoImpositivo: '21',
          BaseImponibleOimporteNoSujeto: '100.00',
          CuotaRepercutida: '21.00',
        },
      ],
    },
    CuotaTotal: '21.00',
    ImporteTotal: '121.00',
    Encadenamiento: structuredClone(LINK),
    SistemaInformatico: { ...SYSTEM },
    FechaHoraHusoGenRegistro: '2027-01-15T10:00:00+01:00',
    TipoHuella: '01',
    Huella: '',
  }
  const whole = hashed({ RegistroAlta: record })
  change(whole.RegistroAlta)
  return rehash ? rehashed(whole) : whole
}

/** Returns a valid cancellation. */
export function anulacion(
  change: (record: Draft<RegistroAnulacion>) => void = () => {},
  rehash = true,
): { RegistroAnulacion: RegistroAnulacion } {
  const record: Draft<RegistroAnulacion> = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFacturaAnulada: 'B12345674',
      NumSerieFacturaAnulada: 'A-2',
      FechaExpedicionFacturaAnulada: '15-01-2027',
    },
    Encadenamiento: structuredClone(LINK),
    SistemaInformatico: { ...SYSTEM },
    FechaHoraHusoGenRegistro: '2027-01-15T11:00:00+01:00',
    TipoHuella: '01',
    Huella: '',
  }
  const whole = hashed({ RegistroAnulacion: record })
  change(whole.RegistroAnulacion)
  return rehash ? rehashed(whole) : whole
}

/** Returns a valid event, not yet signed. */
export function evento(
  change: (record: Draft<RegistroEvento>) => void = () => {},
  rehash = true,
): { RegistroEvento: RegistroEvento } {
  const record: Draft<RegistroEvento> = {
    IDVersion: '1.0',
    Evento: {
      SistemaInformatico: { ...SYSTEM },
      ObligadoEmision: { NombreRazon: 'Calderas Ficticias, S.L.', NIF: 'B12345674' },
      FechaHoraHusoGenEvento: '2027-01-15T09:00:00+01:00',
      TipoEvento: '01',
      Encadenamiento: { PrimerEvento: 'S' },
      TipoHuella: '01',
      HuellaEvento: '',
    },
  }
  const whole = hashed({ RegistroEvento: record })
  change(whole.RegistroEvento)
  return rehash ? rehashed(whole) : whole
}

/** Returns a valid message of VERI*FACTU with one registration. */
export function envio(change: (message: Draft<Envio>) => void = () => {}): Envio {
  const message: Draft<Envio> = { Cabecera: structuredClone(HEADER), RegistroFactura: [alta()] }
  change(message)
  return message
}
