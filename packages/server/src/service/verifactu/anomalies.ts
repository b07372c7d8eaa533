/** Anomalies of the chains: their types (`EventosSIF.xsd`), their descriptions, and the open anomalies. */
import type { Locale } from '#core/invoice/index.ts'
import { ANOMALIES, ANOMALY_INSTRUCTION, SUBJECTS } from '../../generated/texts/verifactu.ts'
import type { Rows } from '../../store/store.ts'
import type { TipoAnomalia } from '../../store/tables.ts'

export { ANOMALIES } from '../../generated/texts/verifactu.ts'

/** Anomaly types by the problem codes of the chain audit and of the comparison with stored data. */
const ANOMALY_TYPES: Readonly<Record<string, TipoAnomalia>> = {
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
export const anomalyOf = (code: string): TipoAnomalia | undefined => ANOMALY_TYPES[code]

/** Returns the more severe of two anomalies of one record. The type numbers are in order of severity. */
export const moreSevere = (one: TipoAnomalia, other: TipoAnomalia = one): TipoAnomalia =>
  other < one ? other : one

/** Returns the open anomalies, newest first, in the form of incidents. */
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
    descripcion_error: `${SUBJECTS[chain][locale]} ${environment}/${sequence}: ${ANOMALIES[tipo_anomalia][locale]}. ${ANOMALY_INSTRUCTION[locale]}`,
    submitted_at: null,
  }))
}
