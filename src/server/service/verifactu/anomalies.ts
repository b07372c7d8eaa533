/** Anomalies of the chains: their types (`EventosSIF.xsd`), what each means, and those that are not mended yet. */
import type { Locale, Text } from '../../../invoice/index.ts'
import type { Rows } from '../../store/store.ts'
import type { TipoAnomalia } from '../../store/tables.ts'

/** What is wrong, in at most 90 characters: an event has room for a hundred. */
export const ANOMALIES: Readonly<Record<TipoAnomalia, Text>> = {
  '01': { en: 'its content does not give its own hash', es: 'su contenido no da su propia huella' },
  '02': { en: 'its signature is missing or does not hold', es: 'su firma falta o no es válida' },
  '03': {
    en: 'what is stored of it is not the text that was made',
    es: 'lo guardado no es el texto que se generó',
  },
  '04': { en: 'the one before it is missing', es: 'falta el anterior' },
  '05': {
    en: 'it is the last one that was made, and it is missing or changed',
    es: 'es el último generado, y falta o está modificado',
  },
  '06': { en: 'it does not stand where its link says', es: 'no está donde dice su enlace' },
  '07': {
    en: 'its hash is not the one that the next one names',
    es: 'su huella no es la que figura en el siguiente',
  },
  '08': {
    en: 'the hash that it names is not that of the one before',
    es: 'la huella anterior que indica no es la del anterior',
  },
  '09': { en: 'its hashes do not fit the chain', es: 'sus huellas no encajan en la cadena' },
  '10': { en: 'it belongs to another chain', es: 'es de otra cadena' },
  '11': {
    en: 'its moment is before that of the one before',
    es: 'su fecha y hora son anteriores a las del anterior',
  },
  '12': {
    en: 'its moment is after that of the next one',
    es: 'su fecha y hora son posteriores a las del siguiente',
  },
  '13': { en: 'its moment has not come yet', es: 'su fecha y hora son posteriores a las actuales' },
  '14': { en: 'its moment cannot be read', es: 'su fecha y hora no son legibles' },
  '15': { en: 'it cannot be traced', es: 'su trazabilidad está rota' },
  '90': { en: 'it is not in order', es: 'presenta otra anomalía' },
}

/** The type of what the audit of a chain, or a comparison of what is stored, has found. */
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

/** Undefined for what is no anomaly of a chain. */
export const anomalyOf = (code: string): TipoAnomalia | undefined => TYPES[code]

/** Of two anomalies in one place the one that says more: the types are in that order. */
export const graver = (one: TipoAnomalia, other: TipoAnomalia = one): TipoAnomalia =>
  other < one ? other : one

const MEND: Text = {
  en: 'Invoices are issued as before. Run `cuadra-admin verify`: it says what was found and what to do.',
  es: 'Las facturas se siguen emitiendo. Ejecute `cuadra-admin verify --locale es`: indica lo hallado y qué hacer.',
}
const SUBJECTS = {
  records: { en: 'Record', es: 'Registro' },
  events: { en: 'Event', es: 'Evento' },
} as const

/** Anomalies that are not mended, newest first, as incidents. */
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
    descripcion_error: `${SUBJECTS[chain][locale]} ${environment}/${sequence}: ${ANOMALIES[tipo_anomalia][locale]}. ${MEND[locale]}`,
    submitted_at: null,
  }))
}
