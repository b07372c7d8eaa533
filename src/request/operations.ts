/** What a request may ask of the engine. */
import { explain } from '../api/explain.ts'
import { reconcile } from '../api/reconcile.ts'
import { validate } from '../api/validate.ts'
import { CATALOG_NAMES, type CatalogName, catalog } from '../catalogs/index.ts'
import { isObject } from '../fiscal/check-options.ts'
import { isDate, type Locale, OptionError, type Options } from '../invoice/index.ts'
import { type InvoiceQrOptions, invoiceQr } from '../verifactu/qr/invoice.ts'
import { linesOf, MAX_EXPLAINED_LINES } from './limits.ts'
import { JUDGE, knownOptions, type Members, QR, VALIDATE } from './options.ts'
import { refusal } from './refusal.ts'

/** Answers a document, or refuses it. Throws an `OptionError` or a `QrError` for a wrong option. */
export type Operation = (document: unknown, options: unknown, locale: Locale) => unknown

/** The code with the answer of `validate`, whose data it leaves out. */
function qr(document: unknown, options: unknown): unknown {
  const own: Members = knownOptions(options, { ...JUDGE, ...QR })
  const { environment, verifiable, size, quiet_zone, legend, font_size, ...judge } = own
  const answer = validate(document, { operation: 'issue', ...judge })
  const { qr, items } = answer.is_valid
    ? invoiceQr(answer, {
        environment,
        verifiable,
        size,
        quietZone: quiet_zone,
        legend,
        fontSize: font_size,
        locale: judge.locale,
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

/** A value for a message: texts of foreign length are cut, and only scalars are repeated. */
export const shortened = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.slice(0, 80)
    : typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'array'
        : 'object'
      : (value ?? null)

/** An operation that explains, unless that would be too long an answer. */
const explaining =
  (operation: Operation, isAsked: (options: unknown) => boolean): Operation =>
  (document, options, locale) => {
    const lines = linesOf(document)
    return lines > MAX_EXPLAINED_LINES && isAsked(options)
      ? refusal('too_long_to_explain', locale, { lines, max_lines: MAX_EXPLAINED_LINES })
      : operation(document, options, locale)
  }

/** The operations on one invoice; whoever needs no chain does not bundle SHA-256. */
export const INVOICE_OPERATIONS = {
  validate: explaining(
    (document, options) => validate(document, knownOptions(options, VALIDATE) as Options),
    (options) => isObject(options) && options.explain === true,
  ),
  explain: explaining(
    (document, options) => explain(document, knownOptions(options, JUDGE) as Options),
    () => true,
  ),
  reconcile: (document, options) => reconcile(document, knownOptions(options, JUDGE) as Options),
  qr,
  catalog: entries,
} as const satisfies Readonly<Record<string, Operation>>
