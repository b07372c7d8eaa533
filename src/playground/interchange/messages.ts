/** Texts about files that are opened and downloaded. */
import { messages } from '../../parts/locale.ts'

export const interchangeMessages = messages({
  read: ['{0} opened as {1}', '{0} se ha abierto como {1}'],
  taken: ['{0} opened unchanged', '{0} se ha abierto sin cambios'],
  refused: ['{0} could not be opened', '{0} no se ha podido abrir'],
  nothing: ['The amounts add up, and everything was read.', 'Los importes cuadran y se ha leído todo.'],
  signature: [
    (by: string, issuer: string, at: string) =>
      `Signed${by && ` by ${by}`}${issuer && ` with a certificate issued by ${issuer}`}${at && `, ${at}`}.`,
    (by: string, issuer: string, at: string) =>
      `Firmada${by && ` por ${by}`}${issuer && ` con un certificado emitido por ${issuer}`}${at && `, ${at}`}.`,
  ],
  unverified: ['The signature was not verified.', 'La firma no se ha verificado.'],
  files: ['Attachments', 'Archivos adjuntos'],
  items: ['Findings', 'Observaciones'],
  saveFile: ['Save {0}', 'Guardar {0}'],
  title: ['Download this invoice', 'Descargar esta factura'],
  note: [
    'Created in your browser. A format is offered only if it can hold the whole invoice.',
    'Se genera en su navegador. Solo se ofrecen los formatos que admiten la factura completa.',
  ],
  wrong: [
    'The invoice has errors, so the recipient may reject it.',
    'La factura tiene errores: el destinatario puede rechazarla.',
  ],
  save: ['Download {0}', 'Descargar {0}'],
  cannot: ['{0} is not available:', '{0} no está disponible:'],
  notYet: [
    'The other formats require an invoice whose totals can be calculated.',
    'Los demás formatos exigen una factura cuyos totales se puedan calcular.',
  ],
})

/** Names of the formats, the same in both languages. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  facturae_3_2_2: 'Facturae 3.2.2',
  facturae_3_2_1: 'Facturae 3.2.1',
  facturae_3_2: 'Facturae 3.2',
  ubl_2_1: 'UBL 2.1',
  cii_d16b: 'CII D16B',
  json_1_1: 'JSON',
}
