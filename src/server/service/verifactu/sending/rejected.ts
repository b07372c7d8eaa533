/** Records that a whole message was refused for: each is rejected, as a line says it of others. */
import type { Text } from '../../../../invoice/index.ts'
import { type Respuesta, readAnswer } from '../../../../verifactu/index.ts'
import type { Tx } from '../../../store/store.ts'
import type { Isolation } from './isolation.ts'
import type { Line } from './line.ts'
import { addLines, settleRecords, waitingWithXml } from './records.ts'
import type { SentRecords } from './sent.ts'

export interface Refused {
  readonly row: SentRecords[number]
  readonly code: number | null
  readonly reason: Text
}

/** The record that was set apart is rejected, now that the others were taken. */
export async function setApart(
  { store, environment }: Line,
  isolation: Isolation | null,
): Promise<Refused | null> {
  const { aside = null } = isolation ?? {}
  if (!aside) return null
  const { sequence, code, reason } = aside
  const [row] = await waitingWithXml(store, environment, { from: sequence, to: sequence }, 1)
  return row ? { row, code, reason } : null
}

/** Writes a record down as rejected for the fault that it brings upon its message, as a submission of its own. */
export async function rejectAlone(
  tx: Tx,
  { environment }: Line,
  { row, code, reason }: Refused,
  submission: { readonly id: string; readonly submitted_at: string },
  stamp: string,
): Promise<void> {
  const { record } = (await tx
    .select('verifactu_records')
    .select('record')
    .where('environment', '=', environment)
    .where('sequence', '=', row.sequence)
    .executeTakeFirstOrThrow()) as { record: string }
  const marks = marksIn(record)
  const IDFactura = {
    IDEmisorFactura: '',
    NumSerieFactura: row.num_serie,
    FechaExpedicionFactura: row.fecha_expedicion,
  }
  const [line] = readAnswer({
    EstadoEnvio: 'Incorrecto',
    RespuestaLinea: [
      {
        IDFactura,
        Operacion: { TipoOperacion: row.tipo === 'alta' ? 'Alta' : 'Anulacion', ...marks },
        EstadoRegistro: 'Incorrecto',
        CodigoErrorRegistro: String(code ?? ''),
      },
    ],
  } as unknown as Respuesta).lines
  await settleRecords(
    tx,
    environment,
    [row.sequence],
    {
      estado: 'rejected',
      submission_id: submission.id,
      submitted_at: submission.submitted_at,
      aeat_csv: null,
    },
    stamp,
  )
  await addLines(tx, submission.id, [
    {
      num_serie: row.num_serie,
      fecha_expedicion: row.fecha_expedicion,
      estado_registro: 'Incorrecto',
      codigo_error: code === null ? null : String(code),
      descripcion_error: reason.es,
      sequence: row.sequence,
      next_step: line?.next ?? 'mend_and_register',
      next_options: line?.options ? JSON.stringify(line.options) : null,
    },
  ])
}

function marksIn(record: string) {
  try {
    const { RegistroAlta, RegistroAnulacion } = JSON.parse(record)
    const { Subsanacion, RechazoPrevio, SinRegistroPrevio } = RegistroAlta ?? RegistroAnulacion ?? {}
    return {
      ...(Subsanacion ? { Subsanacion } : {}),
      ...(RechazoPrevio ? { RechazoPrevio } : {}),
      ...(SinRegistroPrevio ? { SinRegistroPrevio } : {}),
    }
  } catch {
    return {}
  }
}
