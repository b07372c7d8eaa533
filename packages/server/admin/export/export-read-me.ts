/** Writes the page that accompanies exported records, in Spanish, the language of the authority that requests them. */
import { toFecha } from '#records/fiscal/index.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { amountText } from '../../src/service/verifactu/verifactu-summary.ts'
import type { ExportRequest, ExportResult } from './export-requested.ts'

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function linesOf(
  { records, events, unsigned, messages }: ExportResult,
  request: string | undefined,
): string[] {
  const lines = [
    `- ${counted(records.alta, 'registro de alta', 'registros de alta')}: cuota total ${amountText(records.tax)} EUR, importe total ${amountText(records.amount)} EUR.`,
    `- ${counted(records.anulacion, 'registro de anulación', 'registros de anulación')}.`,
    `- ${counted(events.count, 'registro de evento', 'registros de evento')}.`,
  ]
  const { first, last } = records
  if (first && last)
    lines.push(
      `- Primer registro: ${first.NumSerieFactura}, de ${first.FechaExpedicionFactura}, huella ${first.Huella}.`,
      `- Último registro: ${last.NumSerieFactura}, de ${last.FechaExpedicionFactura}, huella ${last.Huella}.`,
    )
  if (unsigned > 0)
    lines.push(
      `- Sin firma: ${unsigned}. Se generaron como VERI*FACTU, o esperan la firma de quien la tiene delegada.`,
    )
  if (request !== undefined)
    lines.push(
      `- ${counted(messages, 'mensaje', 'mensajes')} para contestar al requerimiento ${request}, con los registros generados sin VERI*FACTU.`,
    )
  return lines
}

const listed = (files: readonly string[]): string => files.join(', ')

const filesOf = ({
  hasBefore,
  hasEventBefore,
  messages,
  recordFiles,
  eventFiles,
}: ExportResult): string[] => [
  '- records/: cada registro de facturación en un fichero, tal como se generó y se firmó.',
  `- ${listed(recordFiles)}: los mismos registros, en el orden de la cadena, en un solo fichero${recordFiles.length > 1 ? ' por cadena' : ''}.`,
  ...(hasBefore ? ['- record-before.xml: el registro anterior al primero, que no es de este periodo.'] : []),
  `- events/ y ${listed(eventFiles)}: los registros de evento, del mismo modo.`,
  ...(hasEventBefore ? ['- event-before.xml: el evento anterior al primero.'] : []),
  ...(messages > 0 ? ['- messages/: los mensajes para el servicio de requerimientos, en su orden.'] : []),
  '- index.json: cada fichero con su tamaño y su SHA-256, y los recuentos.',
]

/** Returns the commands that verify the chains with these files alone. */
export const verificationCommandsOf = ({
  hasBefore,
  hasEventBefore,
  records,
  events,
  recordFiles,
  eventFiles,
}: ExportResult): readonly string[] => [
  ...(records.alta + records.anulacion > 0
    ? auditsOf(recordFiles, hasBefore ? '--after record-before.xml ' : '')
    : []),
  ...(events.count > 0 ? auditsOf(eventFiles, hasEventBefore ? '--after-event event-before.xml ' : '') : []),
]

/** Returns a command for each file. Only the first chain can continue a chain from before the period. */
const auditsOf = (files: readonly string[], after: string): string[] =>
  files.map((file, at) => `cuadra verify-chain ${at === 0 ? after : ''}${file}`)

/** Returns the lines that list problems of the chains. */
function problemsOf({ problem_count, problems }: ExportResult): string[] {
  if (problem_count === 0) return []
  const more = problem_count - problems.length
  return [
    '',
    `ATENCIÓN: la cadena no está íntegra (${counted(problem_count, 'anomalía', 'anomalías')}).`,
    '',
    ...problems.map((one) => `- ${one}`),
    ...(more > 0 ? [`- … y ${more} más.`] : []),
  ]
}

export function readMeText({ data }: CompanyRecord, wanted: ExportRequest, written: ExportResult): string {
  const { from, to, environment, request } = wanted
  const commands = verificationCommandsOf(written)
  return [
    'Registros de facturación y de evento de un sistema que no es VERI*FACTU',
    '',
    `Obligado: ${data.legal_name}, NIF ${data.tax_id}`,
    `Periodo: del ${toFecha(from)} al ${toFecha(to)}, por la fecha de generación`,
    ...(environment === 'test' ? ['Entorno: PRUEBAS (estos registros no tienen efectos fiscales)'] : []),
    '',
    ...linesOf(written, request),
    ...problemsOf(written),
    '',
    'Contenido',
    '',
    ...filesOf(written),
    ...(commands.length > 0
      ? ['', 'La cadena se comprueba en esta carpeta con', '', ...commands.map((one) => `    ${one}`)]
      : []),
    '',
    'La firma de cada fichero de records/ y events/ es XAdES, y se comprueba en ese fichero.',
    '',
  ].join('\n')
}
