/** Query parameters of the addresses of formats. */
import { FORMAT_CODES } from '../../formats/index.ts'
import { between, oneOf, type Parameters, WHOLE } from '../parameters.ts'

const LOCALE = oneOf('en', 'es')

/** The formats that are written; the older Facturae are only read. */
export const WRITTEN = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const

export const READ: Parameters = {
  format: oneOf(...FORMAT_CODES),
  direction: oneOf('received', 'issued'),
  locale: LOCALE,
}

export const WRITE: Parameters = { format: oneOf(...WRITTEN), indent: between(0, 8, WHOLE), locale: LOCALE }
