/** Query parameters that several routes share, and the types of their values. */
import { FORMAT_CODES } from '#formats/index.ts'
import type { Code } from '../errors/error-codes.ts'
import { date, flag, integer, oneOf, type Schema, type Static, textOf } from './builders.ts'

export interface Parameter<S extends Schema = Schema> {
  readonly schema: S
  readonly description: string
  /** The error code if the value is not one of the allowed values. */
  readonly unknownValue?: Code
  readonly required?: true
}
export type Parameters = Readonly<Record<string, Parameter>>

/** Parsed values by name, with defaults filled in. */
export type QueryOf<Q> = {
  readonly [N in keyof Q]: Q[N] extends Parameter<infer S>
    ?
        | Static<S>
        | (S extends { readonly default: unknown }
            ? never
            : Q[N] extends { readonly required: true }
              ? never
              : undefined)
    : never
}

const between = (minimum: number, maximum: number, otherwise: number) => ({
  ...integer,
  minimum,
  maximum,
  default: otherwise,
})

export const limitParameter = (most: number, otherwise: number) => ({
  schema: between(1, most, otherwise),
  description: `Maximum number of items, 1 to ${most}.`,
})

export const OFFSET = {
  schema: between(0, 2_000_000_000, 0),
  description: 'Number of items to skip.',
}

export const textParameter = (description: string, maxLength = 200) => ({
  schema: textOf({ minLength: 1, maxLength }),
  description,
})
export const dayParameter = (description: string) => ({ schema: date, description })

/** Query parameters that filter the three lists of invoices. */
export const FILTERS = {
  series: textParameter('Series of the document, also of drafts. Exact match.', 60),
  number: textParameter('Number, including its series. Exact match.', 60),
  external_ref: textParameter('`meta.external_ref`. Exact match.', 60),
  issue_date_from: dayParameter('Earliest date of issue, inclusive.'),
  issue_date_to: dayParameter('Latest date of issue, inclusive.'),
}

export const CUSTOMER_FILTERS = {
  customer_tax_id: textParameter(
    'Tax id of the customer, with or without country prefix and separators.',
    60,
  ),
}
export const SUPPLIER_FILTERS = {
  supplier_tax_id: textParameter(
    'Tax id of the supplier, with or without country prefix and separators.',
    60,
  ),
}

export const PAGE = { limit: limitParameter(500, 50), offset: OFFSET }

/** Page of a list that has no pages in the API specification. If both are missing, the whole array is returned. */
export const OPTIONAL_PAGE = {
  limit: {
    schema: { ...integer, minimum: 1, maximum: 500 },
    description: 'Maximum number of items of a page, 1 to 500, 50 by default.',
  },
  offset: {
    schema: { ...integer, minimum: 0, maximum: 2_000_000_000 },
    description: 'Number of items to skip. Without `limit` and `offset`, all items are returned as an array.',
  },
}

export type PageQuery = QueryOf<typeof PAGE>

/** The query parameters of a list of invoices. */
export type InvoiceQuery = QueryOf<typeof FILTERS> &
  PageQuery &
  Partial<QueryOf<typeof CUSTOMER_FILTERS & typeof SUPPLIER_FILTERS>>

/** Formats from which invoices can be imported. */
export const READ_FORMAT = {
  format: {
    schema: oneOf(...FORMAT_CODES),
    description: 'Format of the document.',
    unknownValue: 'unsupported_invoice_source_transform',
    required: true,
  },
} as const

/** Formats to which invoices can be exported. */
export const WRITE_FORMAT = {
  format: {
    schema: oneOf('facturae_3_2_2', 'ubl_2_1', 'cii_d16b'),
    description: 'Format of the file.',
    required: true,
  },
  profile: {
    schema: oneOf('en16931', 'peppol', 'facturx', 'face'),
    description:
      'Profile that the receiver requires: `peppol` (UBL), `facturx` (CII), `face` (Facturae). Not part of the API specification.',
  },
  sign: {
    schema: flag,
    description: 'Signs Facturae with the company’s certificate (XAdES, policy 3.1).',
  },
} as const

export const MONTH_PATTERN = '^\\d{4}-(?:0[1-9]|1[0-2])$'

export const MONTH = {
  period: {
    schema: textOf({ pattern: MONTH_PATTERN, examples: ['2026-11'] }),
    description: 'Month of the operation date or, without operation date, of the issue date, `YYYY-MM`.',
    required: true,
  },
} as const

/** Query parameters that filter submissions to the SII. */
export const SII_FILTERS = {
  global_status: textParameter('Status of the submission, exact match.', 60),
  book_type: { schema: oneOf('ISSUED', 'RECEIVED'), description: 'Book of issued or received invoices.' },
  date_from: dayParameter('Earliest day of submission in Madrid, inclusive.'),
  date_to: dayParameter('Latest day of submission in Madrid, inclusive.'),
}
export type SiiQuery = QueryOf<typeof SII_FILTERS> & PageQuery
