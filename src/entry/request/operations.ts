/** The operations of a request. */

import { CATALOG_NAMES, type CatalogName, catalog } from '#core/catalogs/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { type Locale, OptionError, type Options } from '#core/invoice/index.ts'
import { explain, reconcile, validate } from '#engine/index.ts'
import { isObject } from '#records/fiscal/index.ts'
import type { InvoiceQrOptions } from '#records/verifactu/index.ts'
import { invoiceQr } from '#records/verifactu/qr/invoice-qr.ts'
import { refusal } from './refusal.ts'
import { lineCountOf, MAX_EXPLAINED_LINES } from './request-limits.ts'
import {
  INVOICE_OPTIONS,
  knownOptions,
  type Members,
  QR_OPTIONS,
  VALIDATE_OPTIONS,
} from './request-options.ts'

/** Returns the result for a document, or a refusal. Throws an `OptionError` or a `QrError` for an invalid option. */
export type Operation = (document: unknown, options: unknown, locale: Locale) => unknown

/** Returns the QR code together with the result of `validate`, without `data`. */
function qr(document: unknown, options: unknown): unknown {
  const own: Members = knownOptions(options, { ...INVOICE_OPTIONS, ...QR_OPTIONS })
  const { environment, verifiable, size, quiet_zone, legend, font_size, ...common } = own
  const answer = validate(document, { operation: 'issue', ...common })
  const { qr, items } = answer.is_valid
    ? invoiceQr(answer, {
        environment,
        verifiable,
        size,
        quietZone: quiet_zone,
        legend,
        fontSize: font_size,
        locale: common.locale,
      } as InvoiceQrOptions)
    : { qr: null, items: [] }
  return { is_valid: qr !== null, errors: [...answer.errors, ...items], qr }
}

function entries(name: unknown, options: unknown, locale: Locale): unknown {
  const { on } = knownOptions(options, { on: 'text', locale: 'text' })
  if (on !== undefined && !isDate(on as string))
    throw new OptionError({
      en: `option "on" is ${JSON.stringify(on)}; pass a date YYYY-MM-DD`,
      es: `la opción «on» es ${JSON.stringify(on)}; indique una fecha AAAA-MM-DD`,
    })
  if (!CATALOG_NAMES.includes(name as CatalogName))
    return refusal('catalog', locale, { received: shortened(name), allowed: CATALOG_NAMES })
  return catalog(name as CatalogName, on === undefined ? {} : { on: on as string })
}

/** Returns a value for a message: shortens texts, and shows values that are not scalars only by their type. */
export const shortened = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.slice(0, 80)
    : typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'array'
        : 'object'
      : (value ?? null)

/** Wraps an operation to refuse explanations that would be too long. */
const limitExplanation =
  (operation: Operation, isAsked: (options: unknown) => boolean): Operation =>
  (document, options, locale) => {
    const lines = lineCountOf(document)
    return lines > MAX_EXPLAINED_LINES && isAsked(options)
      ? refusal('too_long_to_explain', locale, { lines, max_lines: MAX_EXPLAINED_LINES })
      : operation(document, options, locale)
  }

/**
 * The operations on one invoice. The operations on chains are separate, so that bundles without them do not need
 * SHA-256.
 */
export const INVOICE_OPERATIONS = {
  validate: limitExplanation(
    (document, options) => validate(document, knownOptions(options, VALIDATE_OPTIONS) as Options),
    (options) => isObject(options) && options.explain === true,
  ),
  explain: limitExplanation(
    (document, options) => explain(document, knownOptions(options, INVOICE_OPTIONS) as Options),
    () => true,
  ),
  reconcile: (document, options) => reconcile(document, knownOptions(options, INVOICE_OPTIONS) as Options),
  qr,
  catalog: entries,
} as const satisfies Readonly<Record<string, Operation>>
