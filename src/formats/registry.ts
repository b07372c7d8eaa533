/** Lists the supported formats. To add a format, add its folder next to the existing folders and its row here. */
import { ciiD16b } from './cii/index.ts'
import { facturae32, facturae321, facturae322 } from './facturae/index.ts'
import type { Format, FormatCode } from './model/index.ts'
import { ubl21 } from './ubl/index.ts'

export const FORMATS: readonly Format[] = [facturae322, facturae321, facturae32, ubl21, ciiD16b]

export const formatOf = (code: FormatCode): Format | undefined =>
  FORMATS.find((format) => format.code === code)
