/** Anomalies of the chains: their types (`EventosSIF.xsd`), a description of each, and the open ones. */
import type { Locale, Text } from '../../../invoice/index.ts'
import type { Rows } from '../../store/store.ts'
import type { TipoAnomalia } from '../../store/tables.ts'

/** Description of each type, at most 90 characters, since an event holds a hundred. */
export const ANOMALIES: Readonly<Record<TipoAnomalia, Text>> = {
  '01': { en: 'its hash does not match its content', es: 'su huella no corresponde a su contenido' },
  '02': { en: 'its signature is missing or invalid', es: 'su firma falta o no es válida' },
  '03': {
    en: 'the stored text differs from what was generated',
    es: 'el texto guardado no es el que se generó',
  },
  '04': { en: 'the previous one is missing', es: 'falta el anterior' },
  '05': {
    en: 'it is the last one generated, and it is missing or changed',
    es: 'es el último generado, y falta o está modificado',
  },
  '06': {
    en: 'its stored position does not match its place in the chain',
    es: 'su posición no corresponde a su enlace',
  },
  '07': {
    en: 'its hash differs from the one quoted in the next record',
    es: 'su huella no es la que figura en el siguiente',
  },
  '08': {
    en: 'the hash that it quotes for the previous record does not match that record',
    es: 'la huella anterior que indica no es la del anterior',
  },
  '09': { en: 'its hashes do not match the chain', es: 'sus huellas no encajan en la cadena' },
  '10': { en: 'it belongs to another chain', es: 'pertenece a otra cadena' },
  '11': {
    en: 'its timestamp is earlier than that of the previous one',
    es: 'su fecha y hora son anteriores a las del anterior',
  },
  '12': {
    en: 'its timestamp is later than that of the next one',
    es: 'su fecha y hora son posteriores a las del siguiente',
  },
  '13': { en: 'its timestamp is in the future', es: 'su fecha y hora son posteriores a las actuales' },
  '14': { en: 'its timestamp is unreadable', es: 'su fecha y hora no son legibles' },
  '15': { en: 'it cannot be traced', es: 'su trazabilidad está rota' },
  '90': { en: 'it has another anomaly', es: 'presenta otra anomalía' },
}

/** Anomaly types by the codes of the chain audit and of the comparison with stored data. */
const TYPES: Readonly<Record<string, TipoAnomalia>> = {
  'chain.unreadable': '03',
  'chain.tampered': '01',
  'chain.replaced': '07',
  'chain.link_differs': '06',
  'chain.gap': '04',
  'chain.fork': '06',
  'chain.order': '06',
  'chain.wrong_first': '04',
  'chain.first_again': '06',
  'chain.no_link': '06',
  'chain.clock_backwards': '11',
  'chain.clock_ahead': '13',
  'chain.timestamp': '14',
  'chain.other_chain': '10',
  sequence_gap: '04',
  chain_head_differs: '05',
  record_unreadable: '03',
  record_column_differs: '03',
  record_xml_differs: '03',
  signature_wrong: '02',
}

/** Returns the anomaly type of a code; undefined if it is not an anomaly of a chain. */
export const anomalyOf = (code: string): TipoAnomalia | undefined => TYPES[code]

/** Returns the graver of two anomalies of one record. Types are numbered by gravity. */
export const moreSevere = (one: TipoAnomalia, other: TipoAnomalia = one): TipoAnomalia =>
  other < one ? other : one

const INSTRUCTION: Text = {
  en: 'Invoices can still be issued. Run `cuadra-admin verify`: it shows what was found and what to do.',
  es: 'Las facturas se siguen emitiendo. Ejecute `cuadra-admin verify --locale es`: indica lo hallado y qué hacer.',
}
const SUBJECTS = {
  records: { en: 'Record', es: 'Registro' },
  events: { en: 'Event', es: 'Evento' },
} as const

/** Returns the open anomalies, newest first, as incidents. */
export async function openAnomalies(db: Rows, locale: Locale, limit: number) {
  const rows = await db
    .select('verifactu_anomalies')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('found_at', 'desc')
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map(({ anomaly_id, chain, environment, sequence, name, tipo_anomalia }) => ({
    submission_id: anomaly_id,
    num_serie: chain === 'records' ? name : '',
    estado_registro: 'anomaly',
    codigo_error: `anomaly_${tipo_anomalia}`,
    descripcion_error: `${SUBJECTS[chain][locale]} ${environment}/${sequence}: ${ANOMALIES[tipo_anomalia][locale]}. ${INSTRUCTION[locale]}`,
    submitted_at: null,
  }))
}
