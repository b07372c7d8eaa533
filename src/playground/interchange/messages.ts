/** What is said of files that are read and written. Loaded with them. */
import { messages } from '../../parts/locale.ts'

export const interchangeMessages = messages({
  read: ['{0} was read as {1}', '{0} se ha leído como {1}'],
  taken: ['{0} was opened as it is', '{0} se ha abierto tal cual'],
  refused: ['{0} was not read', '{0} no se ha leído'],
  nothing: [
    'Its amounts add up and nothing was left out.',
    'Sus importes cuadran y no se ha dejado nada fuera.',
  ],
  signature: [
    (by: string, issuer: string, at: string) =>
      `Signed${by && ` by ${by}`}${issuer && ` with a certificate that ${issuer} has issued`}${at && `, ${at}`}.`,
    (by: string, issuer: string, at: string) =>
      `Firmada${by && ` por ${by}`}${issuer && ` con un certificado emitido por ${issuer}`}${at && `, ${at}`}.`,
  ],
  unverified: ['Nobody has verified the signature here.', 'Aquí nadie ha comprobado la firma.'],
  files: ['Files inside', 'Archivos que contiene'],
  items: ['What was noticed', 'Lo que se ha observado'],
  saveFile: ['Save {0}', 'Guardar {0}'],
  title: ['Download this invoice', 'Descargar esta factura'],
  note: [
    'Made in your browser. What a format cannot carry is not left out: the format is not written.',
    'Se hace en su navegador. Lo que un formato no puede llevar no se omite: el formato no se escribe.',
  ],
  wrong: [
    'The invoice has errors. Whoever receives it may refuse it.',
    'La factura tiene errores. Quien la reciba puede rechazarla.',
  ],
  save: ['Download {0}', 'Descargar {0}'],
  cannot: ['{0} cannot be written:', '{0} no se puede escribir:'],
  notYet: [
    'The document has to be an invoice that can be calculated first.',
    'Antes, el documento tiene que ser una factura que se pueda calcular.',
  ],
})

/** Names of the formats, which are the same in both languages. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  facturae_3_2_2: 'Facturae 3.2.2',
  facturae_3_2_1: 'Facturae 3.2.1',
  facturae_3_2: 'Facturae 3.2',
  ubl_2_1: 'UBL 2.1',
  cii_d16b: 'CII D16B',
  json_1_1: 'JSON',
}
