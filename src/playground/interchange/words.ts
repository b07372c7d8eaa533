/** What is said of files that are read and written. Loaded with them. */
import type { Locale } from '../../api/index.ts'

const en = {
  read: (name: string, format: string) => `${name} was read as ${format}`,
  taken: (name: string) => `${name} was opened as it is`,
  refused: (name: string) => `${name} was not read`,
  nothing: 'Its amounts add up and nothing was left out.',
  signature: (by: string, issuer: string, at: string) =>
    `Signed${by && ` by ${by}`}${issuer && ` with a certificate that ${issuer} has issued`}${at && `, ${at}`}.`,
  unverified: 'Nobody has verified the signature here.',
  files: 'Files inside',
  items: 'What was noticed',
  saveFile: (name: string) => `Save ${name}`,
  title: 'Download this invoice',
  note: 'Made in your browser. What a format cannot carry is not left out: the format is not written.',
  wrong: 'The invoice has errors. Whoever receives it may refuse it.',
  save: (format: string) => `Download ${format}`,
  cannot: (format: string) => `${format} cannot be written:`,
  notYet: 'The document has to be an invoice that can be calculated first.',
}

export type InterchangeWords = typeof en

const es: InterchangeWords = {
  read: (name, format) => `${name} se ha leído como ${format}`,
  taken: (name) => `${name} se ha abierto tal cual`,
  refused: (name) => `${name} no se ha leído`,
  nothing: 'Sus importes cuadran y no se ha dejado nada fuera.',
  signature: (by, issuer, at) =>
    `Firmada${by && ` por ${by}`}${issuer && ` con un certificado emitido por ${issuer}`}${at && `, ${at}`}.`,
  unverified: 'Aquí nadie ha comprobado la firma.',
  files: 'Archivos que contiene',
  items: 'Lo que se ha observado',
  saveFile: (name) => `Guardar ${name}`,
  title: 'Descargar esta factura',
  note: 'Se hace en su navegador. Lo que un formato no puede llevar no se omite: el formato no se escribe.',
  wrong: 'La factura tiene errores. Quien la reciba puede rechazarla.',
  save: (format) => `Descargar ${format}`,
  cannot: (format) => `${format} no se puede escribir:`,
  notYet: 'Antes, el documento tiene que ser una factura que se pueda calcular.',
}

const WORDS: Readonly<Record<Locale, InterchangeWords>> = { en, es }

export const interchangeWords = (locale: Locale): InterchangeWords => WORDS[locale]

/** Names of the formats, which are the same in both languages. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  facturae_3_2_2: 'Facturae 3.2.2',
  facturae_3_2_1: 'Facturae 3.2.1',
  facturae_3_2: 'Facturae 3.2',
  ubl_2_1: 'UBL 2.1',
  cii_d16b: 'CII D16B',
  json_1_1: 'JSON',
}
