/** Texts about files that are opened and downloaded. */
import { messagesByLocale } from '../../parts/locale.ts'
import { INTERCHANGE } from '../generated/texts/interchange.ts'

export const interchangeMessages = messagesByLocale({
  ...INTERCHANGE,
  signature: [
    (by: string, issuer: string, at: string) =>
      `Signed${by && ` by ${by}`}${issuer && ` with a certificate issued by ${issuer}`}${at && `, ${at}`}.`,
    (by: string, issuer: string, at: string) =>
      `Firmada${by && ` por ${by}`}${issuer && ` con un certificado emitido por ${issuer}`}${at && `, ${at}`}.`,
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
