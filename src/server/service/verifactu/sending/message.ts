/** Messages as they go out: the envelope that the engine writes, around records as they are stored. */
import { type Cabecera, cancellationRecord, submissionXml } from '../../../../verifactu/index.ts'

/** The most that a message may carry. */
export const MOST_RECORDS = 1000

const OPEN = '<sfLR:RegistroFactura>'
const CLOSE = '</sfLR:RegistroFactura>'

/** A record that stands where the stored ones are put: the schema wants one. */
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
      moment: '2027-01-01T00:00:00+01:00',
    },
  )
  return record ? [record] : []
}
let made: ReturnType<typeof placeholder> | undefined

const withoutDeclaration = (xml: string): string => xml.replace(/^\s*<\?xml[^>]*\?>\s*/, '')

/**
 * The message with these records, letter by letter as they were stored when they were made: nothing of them is written
 * anew. Throws an `XmlWriteError` for a header that the schema refuses.
 */
export function messageXml(header: Cabecera, records: readonly string[]): string {
  made ??= placeholder()
  const envelope = submissionXml({ Cabecera: header, RegistroFactura: made })
  const [before] = envelope.split(OPEN, 1)
  const after = envelope.slice(envelope.lastIndexOf(CLOSE) + CLOSE.length)
  const texts = records.map((xml) => `${OPEN}${withoutDeclaration(xml)}${CLOSE}`)
  return `${before}${texts.join('')}${after}`
}
