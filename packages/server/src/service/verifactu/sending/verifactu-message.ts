/** Builds messages: the envelope that the engine writes, and in it the records exactly as they are stored. */
import { type Cabecera, cancellationRecord, submissionXml } from '#records/verifactu/index.ts'
import type { Outbox } from '../../transmission/channel.ts'
import { lastVerifactuDayOf } from '../verifactu-period.ts'
import { isDelayed } from './pacing.ts'
import type { Verifactu } from './verifactu-queue-types.ts'
import { countWaiting, type PendingRecord } from './verifactu-records.ts'

const OPEN = '<sfLR:RegistroFactura>'
const CLOSE = '</sfLR:RegistroFactura>'

/** Returns a record for the envelope, because the schema requires one. The stored records replace it. */
function placeholder(): Parameters<typeof submissionXml>[0]['RegistroFactura'] {
  const { record } = cancellationRecord(
    { IDEmisorFactura: 'B12345674', NumSerieFactura: '1', FechaExpedicionFactura: '01-01-2027' },
    {
      system: {
        NombreRazon: '-',
        NIF: 'B12345674',
        NombreSistemaInformatico: '-',
        IdSistemaInformatico: 'XX',
        Version: '-',
        NumeroInstalacion: '-',
        TipoUsoPosibleSoloVerifactu: 'S',
        TipoUsoPosibleMultiOT: 'N',
        IndicadorMultiplesOT: 'N',
      },
      previous: null,
      timestamp: '2027-01-01T00:00:00+01:00',
    },
  )
  return record ? [record] : []
}
let made: ReturnType<typeof placeholder> | undefined

const withoutDeclaration = (xml: string): string => xml.replace(/^\s*<\?xml[^>]*\?>\s*/, '')

/**
 * Returns the message with these records, each exactly as it was stored. Throws an `XmlWriteError` if the header
 * violates the schema.
 */
export function messageXml(header: Cabecera, records: readonly string[]): string {
  made ??= placeholder()
  const envelope = submissionXml({ Cabecera: header, RegistroFactura: made })
  const [before] = envelope.split(OPEN, 1)
  const after = envelope.slice(envelope.lastIndexOf(CLOSE) + CLOSE.length)
  const texts = records.map((xml) => `${OPEN}${withoutDeclaration(xml)}${CLOSE}`)
  return `${before}${texts.join('')}${after}`
}

/** Returns the last day of VERI*FACTU if this message must announce it: it then contains all pending records. */
async function announcedEnd(
  { store, environment, sending }: Outbox<Verifactu>,
  records: readonly PendingRecord[],
): Promise<string | null> {
  const day = await lastVerifactuDayOf(store, environment, sending.app.clock.today())
  if (day === null) return null
  const waiting = await countWaiting(store, environment, records.length + 1)
  return waiting === records.length ? day : null
}

/** Returns the message for records that are sent voluntarily. */
export async function voluntaryXml(
  outbox: Outbox<Verifactu>,
  records: readonly PendingRecord[],
): Promise<string> {
  const { legal_name, tax_id } = outbox.company.data
  const lastDay = await announcedEnd(outbox, records)
  const voluntary = {
    ...(lastDay === null ? {} : { FechaFinVeriFactu: lastDay.split('-').reverse().join('-') }),
    ...(isDelayed(outbox, records) ? { Incidencia: 'S' as const } : {}),
  }
  const header = {
    ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id },
    ...(Object.keys(voluntary).length > 0 ? { RemisionVoluntaria: voluntary } : {}),
  }
  return messageXml(
    header,
    records.map(({ xml_sent }) => xml_sent ?? ''),
  )
}
