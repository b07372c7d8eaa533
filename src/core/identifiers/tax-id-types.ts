/** Results of the checks. No check throws: a failure is a result with a reason. */

/**
 * Type of identifier: `DNI` (Spaniards), `NIE` (foreigners in Spain), `KLM` (Spanish NIF that starts with K, L or M),
 * `CIF` (entities), `EU_VAT` (the other 26 member states and Northern Ireland), `OTHER` (no check exists).
 */
export type TaxIdKind = 'DNI' | 'NIE' | 'KLM' | 'CIF' | 'EU_VAT' | 'OTHER'

/**
 * Why an identifier is not valid.
 *
 * - `type` not a string; `empty` nothing but separators
 * - `length` too long or too short; `format` an unexpected character
 * - `control` wrong check digit or letter
 * - `control_form` the check character is a digit where the law requires a letter, or vice versa
 * - `placeholder` the arithmetic is right but the number is never assigned (`00000000T`, a body of zeros)
 * - `prefix` the prefix belongs to another country than the given country
 * - `unknown_country` there is no check for the given country or for the prefix
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

/** The result of an offline check of a tax identifier. `valid` distinguishes the two forms. */
export type TaxIdCheck = TaxIdFacts &
  (
    | {
        /** Well formed, with the right check character. It does not prove that the number was issued. */
        readonly valid: true
        readonly kind: TaxIdKind
        /** ISO 3166-1 alpha-2, `GR` for Greece and `XI` for Northern Ireland. */
        readonly country: string
        readonly reason: null
      }
    | {
        readonly valid: false
        /**
         * The kind that the format suggests, even if the check character is wrong; `null` if no kind has this format.
         */
        readonly kind: TaxIdKind | null
        /** ISO 3166-1 alpha-2, as for a valid identifier; `null` if unknown. */
        readonly country: string | null
        readonly reason: TaxIdReason
      }
  )

/** Fields of the result of every check of a tax identifier. */
export interface TaxIdFacts {
  /** Upper case without separators: a Spanish id without `ES`, a VAT number with its prefix; `''` if too long. */
  readonly normalized: string
  /** `F` natural person, `J` entity; `null` outside Spain. */
  readonly person_type_code: 'F' | 'J' | null
}

/**
 * Why an account number is not valid. `national_control`: the national check digits are wrong although the IBAN check
 * digits are right.
 */
export type IbanReason =
  | 'type'
  | 'empty'
  | 'length'
  | 'format'
  | 'control'
  | 'national_control'
  | 'unknown_country'

/** The result of an offline check of an IBAN. `valid` distinguishes the two forms. */
export type IbanCheck = {
  /** Upper case without separators; `''` if too long. */
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
      /** ISO 3166-1 alpha-2 of a country that uses IBANs, otherwise `null`. */
      readonly country: string | null
      readonly reason: IbanReason
    }
)
