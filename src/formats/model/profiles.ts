/** Profiles: rules of a network or a receiver in addition to those of the format. */
import type { FormatCode } from './format-codes.ts'

export const PROFILE_CODES = ['en16931', 'peppol', 'facturx', 'face'] as const
export type ProfileCode = (typeof PROFILE_CODES)[number]

export interface Profile {
  readonly formats: readonly FormatCode[]
  /** BT-24 */
  readonly customization?: string
  /** BT-23 */
  readonly process?: string
  /** Document types (UNTDID 1001) that the profile allows; absent if it allows all. */
  readonly documentTypes?: readonly string[]
  /** The profile allows only one note, so all notes are joined. */
  readonly oneNote?: true
  /** Requires electronic addresses of both parties. A Spanish VAT number can serve as address (scheme 9920). */
  readonly endpoints?: true
  /** Requires the reference of the mandate of a direct debit (BT-89). */
  readonly mandate?: true
  /** Requires that quantity x price equals the amount of each line, within two cents. */
  readonly exactLines?: true
  /** Requires one field of each group. JSON Pointers into the canonical document. */
  readonly requires?: readonly (readonly string[])[]
  /** Requires an administrative centre with a DIR3 code for each of these roles. */
  readonly centres?: readonly string[]
}

const CORE = 'urn:cen.eu:en16931:2017'
const REFERENCES = '/invoice/header/references'

export const PROFILES: Readonly<Record<ProfileCode, Profile>> = {
  en16931: { formats: ['ubl_2_1', 'cii_d16b'], customization: CORE },
  // Peppol BIS Billing 3.0, PEPPOL-EN16931-R001 to R121 and P0100 to P0112.
  peppol: {
    formats: ['ubl_2_1'],
    customization: `${CORE}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
    documentTypes: ['380', '381', '383'],
    oneNote: true,
    endpoints: true,
    mandate: true,
    exactLines: true,
    requires: [[`${REFERENCES}/file_reference`, `${REFERENCES}/receiver_transaction_reference`]],
  },
  // The CII of a Factur-X or ZUGFeRD file in the profile EN 16931 (COMFORT).
  facturx: { formats: ['cii_d16b'], customization: CORE },
  // Requires the DIR3 units of the public body (Ley 25/2013; disposición adicional trigésima segunda LCSP).
  face: { formats: ['facturae_3_2_2'], centres: ['01', '02', '03'] },
}
