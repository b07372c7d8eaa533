/** Codes of Facturae and their counterparts in the canonical invoice. */

/** Invoice types of each `InvoiceDocumentType`: for an ordinary and for a corrective class (`OR`, `CR`). */
export const TYPE_CODES: Readonly<Record<string, readonly [ordinary: string, corrective: string]>> = {
  FC: ['01', '03'],
  FA: ['02', '04'],
  AF: ['05', '03'],
}

/** Classes of corrective invoices. The other classes are originals, summaries and copies. */
export const CORRECTIVE_CLASSES: readonly string[] = ['OR', 'CR']

/** Tax group and, for special regimes, regime key of each supported `TaxTypeCode`. */
export const TAX_TYPES: Readonly<Record<string, { readonly group: TaxGroupCode; readonly key?: string }>> = {
  '01': { group: 'IVA' },
  '02': { group: 'IPSI' },
  '03': { group: 'IGIC' },
  '17': { group: 'IVA', key: '05' },
  '18': { group: 'IGIC', key: '05' },
  '19': { group: 'IPSI' },
}
export type TaxGroupCode = 'IVA' | 'IGIC' | 'IPSI'

/** `TaxTypeCode` of each tax group. */
export const TAX_TYPE_OF: Readonly<Record<TaxGroupCode, string>> = { IVA: '01', IPSI: '02', IGIC: '03' }

/** `TaxTypeCode` of withholding (IRPF). */
export const WITHHELD_TYPE = '04'

/** Prescribed text and canonical correction type of each `CorrectionMethod`. */
export const CORRECTION_METHODS: Readonly<
  Record<string, { readonly type: 'S' | 'D'; readonly text: string }>
> = {
  '01': { type: 'S', text: 'Rectificación íntegra' },
  '02': { type: 'D', text: 'Rectificación por diferencias' },
  '03': {
    type: 'D',
    text: 'Rectificación por descuento por volumen de operaciones durante un periodo',
  },
  '04': { type: 'D', text: 'Autorizadas por la Agencia Tributaria' },
}

/** Prescribed text of each `ReasonCode`. */
export const REASON_TEXTS: Readonly<Record<string, string>> = {
  '01': 'Número de la factura',
  '02': 'Serie de la factura',
  '03': 'Fecha expedición',
  '04': 'Nombre y apellidos/Razón Social-Emisor',
  '05': 'Nombre y apellidos/Razón Social-Receptor',
  '06': 'Identificación fiscal Emisor/obligado',
  '07': 'Identificación fiscal Receptor',
  '08': 'Domicilio Emisor/Obligado',
  '09': 'Domicilio Receptor',
  '10': 'Detalle Operación',
  '11': 'Porcentaje impositivo a aplicar',
  '12': 'Cuota tributaria a aplicar',
  '13': 'Fecha/Periodo a aplicar',
  '14': 'Clase de factura',
  '15': 'Literales legales',
  '16': 'Base imponible',
  '80': 'Cálculo de cuotas repercutidas',
  '81': 'Cálculo de cuotas retenidas',
  '82': 'Base imponible modificada por devolución de envases / embalajes',
  '83': 'Base imponible modificada por descuentos y bonificaciones',
  '84': 'Base imponible modificada por resolución firme, judicial o administrativa',
  '85': 'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
}

/** Canonical reasons of the `ReasonCode`s with another number in the catalog of correction reasons. */
export const REASON_BY_FACTURAE_CODE: Readonly<Record<string, string>> = {
  '80': '17',
  '81': '18',
  '82': '19',
  '83': '20',
  '84': '21',
  '85': '22',
}

/** `ReasonCode` of each canonical reason. The last three have only an approximate code. */
export const FACTURAE_CODE_BY_REASON: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(REASON_BY_FACTURAE_CODE).map(([facturae, canonical]) => [canonical, facturae]),
  ),
  '23': '85',
  '24': '16',
  '25': '10',
}

/** Descriptions of the reasons whose Facturae code is only approximate. */
export const REASON_DETAILS: Readonly<Record<string, string>> = {
  '23': 'Créditos incobrables',
  '24': 'Contraprestación fijada provisionalmente',
  '25': 'Otras causas',
}

/** `SpecialTaxableEventCode` of an exempt operation. */
export const EXEMPT_EVENT = '01'
export const NOT_SUBJECT_EVENT = '02'

/** Attachment formats with their media types. The first format of a media type is used for writing. */
export const ATTACHMENT_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  html: 'text/html',
  rtf: 'application/rtf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
}
