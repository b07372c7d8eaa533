/** Results of the checks. A failure is a value with a reason; nothing here is ever thrown. */

/**
 * Shape of an identifier: `DNI` (Spaniards), `NIE` (foreigners in Spain), `KLM` (Spanish NIF that starts with
 * K, L or M), `CIF` (entities), `EU_VAT` (the other 26 members and Northern Ireland), `OTHER` (no check exists).
 */
export type TaxIdKind = 'DNI' | 'NIE' | 'KLM' | 'CIF' | 'EU_VAT' | 'OTHER'

/**
 * Why an identifier was refused.
 *
 * - `type` not a string; `empty` nothing but separators
 * - `length` too long or too short; `format` a character in the wrong place
 * - `control` the check digit or letter is not the one that belongs to the number
 * - `control_form` the check character has the right value, or could have, as a digit where the law asks for a
 *   letter, or the reverse
 * - `placeholder` passes the arithmetic and belongs to nobody (`00000000T`, a body of zeros)
 * - `prefix` carries the prefix of another country than the one that was given
 * - `unknown_country` neither the country given nor the prefix is one that can be checked
 */
export type TaxIdReason =
  | 'type'
  | 'empty'
  | 'length'
  | 'format'
  | 'control'
  | 'control_form'
  | 'placeholder'
  | 'prefix'
  | 'unknown_country'

/** What is known about a tax identifier without asking a tax authority. `valid` tells which of the two. */
export type TaxIdCheck = TaxIdFacts &
  (
    | {
        /** Well formed, with the right check character. Never proof that the number was issued. */
        readonly valid: true
        readonly kind: TaxIdKind
        /** ISO 3166-1 alpha-2, `GR` for Greece and `XI` for Northern Ireland. */
        readonly country: string
        readonly reason: null
      }
    | {
        readonly valid: false
        /** The kind that the shape suggests, also when the check character is wrong; `null` when there is none. */
        readonly kind: TaxIdKind | null
        /** As of a valid one; `null` when unknown. */
        readonly country: string | null
        readonly reason: TaxIdReason
      }
  )

/** What every check of a tax identifier tells. */
export interface TaxIdFacts {
  /** Upper case without separators: a Spanish id without `ES`, a VAT number with its prefix; `''` when too long. */
  readonly normalized: string
  /** `F` natural person, `J` entity; `null` outside Spain. */
  readonly person_type_code: 'F' | 'J' | null
}

/** Why an account number was refused; `national_control` is the check of the country inside a correct IBAN. */
export type IbanReason =
  | 'type'
  | 'empty'
  | 'length'
  | 'format'
  | 'control'
  | 'national_control'
  | 'unknown_country'

/** What is known about an IBAN without asking a bank. `valid` tells which of the two. */
export type IbanCheck = {
  /** Upper case without separators; `''` when too long to be one. */
  readonly normalized: string
} & (
  | {
      readonly valid: true
      /** ISO 3166-1 alpha-2. */
      readonly country: string
      readonly reason: null
    }
  | {
      readonly valid: false
      /** ISO 3166-1 alpha-2 of a country that uses IBAN, else `null`. */
      readonly country: string | null
      readonly reason: IbanReason
    }
)
