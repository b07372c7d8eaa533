/** Codes of the formats, as in the API specification (`POST /received-invoices/import`). */
export const FORMAT_CODES = [
  'facturae_3_2_2',
  'facturae_3_2_1',
  'facturae_3_2',
  'ubl_2_1',
  'cii_d16b',
] as const
export type FormatCode = (typeof FORMAT_CODES)[number]
