/** Regime keys, and the cash-basis regime (arts. 163 decies-sexiesdecies Ley 37/1992). */
import { regimeCodes, regimeOf } from '#core/catalogs/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { CASH_BASIS, EXEMPT, GENERAL_REGIME, isMarginKey, ONE_STOP_SHOP, TAXED } from '#core/invoice/terms.ts'
import { type Context, documentRule, linePathsOf, lineRule } from './rule.ts'

/**
 * Whether the company is under cash basis in the year of the operation. The regime covers whole years (arts. 163
 * decies-undecies). Without a date, returns whether a period without end date exists.
 */
export const isUnderCashBasis = ({ company, date }: Context): boolean => {
  const periods = company?.cash_basis
  return (
    Array.isArray(periods) &&
    periods.some(
      (period) =>
        typeof period?.start_date === 'string' &&
        (date === undefined
          ? period.end_date == null
          : yearOf(period.start_date) <= yearOf(date) &&
            (period.end_date == null || yearOf(date) <= yearOf(period.end_date))),
    )
  )
}

const yearOf = (date: string): string => date.slice(0, 4)

/**
 * Regime keys that exclude the cash basis: investment gold (04), groups of entities (06), one-stop shop (17),
 * equivalence surcharge (18), farming (19) and simplified regime (20).
 */
const EXCLUDED: readonly (string | undefined)[] = ['04', '06', ONE_STOP_SHOP, '18', '19', '20']

/**
 * Whether the cash-basis regime covers the line. It does not cover reverse charge, operations not subject to tax,
 * exemptions of arts. 21-25, and other special regimes (art. 163 duodecies.Dos Ley 37/1992).
 */
const isCovered = (line: Line): boolean =>
  !EXCLUDED.includes(line.tax_regime_key) &&
  (line.tax_treatment_code === TAXED ||
    (line.tax_treatment_code === EXEMPT && !/^E[2-5]$/.test(line.exemption_reason_code ?? '')))

export const REGIME_RULES = [
  documentRule({
    code: 'invalid_tax_regime_key',
    law: 'Orden HAC/1177/2024, list L8A; Orden HFP/417/2017, lists L3.1 and L3.2',
    lawOf: ({ direction }) =>
      direction === 'received'
        ? 'Orden HFP/417/2017, list L3.2'
        : 'Orden HAC/1177/2024, list L8A; Orden HFP/417/2017, list L3.1',
    terms: {
      direction: {
        issued: { en: 'issued', es: 'expedidas' },
        received: { en: 'received', es: 'recibidas' },
      },
    },
    reads: ['/invoice/lines/*/tax_regime_key', '/invoice/taxes_outputs/*/tax_regime_key'],
    en: [
      'Regime key {received} is not in the {tax_group} catalog for {direction} invoices.',
      'Use a key from the catalog tax-regimes ({allowed}); 01 is the general regime.',
    ],
    es: [
      'La clave de régimen {received} no está en el catálogo del {tax_group} para facturas {direction}.',
      'Use una clave del catálogo tax-regimes ({allowed}); 01 es el régimen general.',
    ],
    needs: ['keys'],
    perBlock: true,
    check({ sent, issued, taxGroup, uses }, fail) {
      if (taxGroup === 'IGIC') return
      const direction = issued ? 'issued' : 'received'
      const checkKey = (received: string | undefined, path: string) => {
        if (received !== undefined && received !== GENERAL_REGIME && !regimeOf(taxGroup, received, direction))
          fail(`${path}/tax_regime_key`, {
            received,
            allowed: regimeCodes(taxGroup, direction),
            direction,
            tax_group: taxGroup,
          })
      }
      if (uses.keys)
        for (const [index, line] of sent.lines.entries())
          checkKey(line.tax_regime_key, `/invoice/lines/${index}`)
      for (const [index, entry] of (sent.taxes_outputs ?? []).entries())
        checkKey(entry.tax_regime_key, `/invoice/taxes_outputs/${index}`)
    },
  }),
  lineRule({
    code: 'recc_key_mismatch',
    law: 'arts. 163 undecies-duodecies Ley 37/1992',
    reads: linePathsOf('tax_regime_key', 'tax_treatment_code', 'exemption_reason_code'),
    en: [
      'The company uses the cash basis that year, but the line has regime key {received}.',
      'Send tax_regime_key {expected}.',
    ],
    es: [
      'La empresa está en criterio de caja ese año, pero la línea lleva la clave {received}.',
      'Envíe tax_regime_key {expected}.',
    ],
    cases: {
      outside: {
        en: [
          'The line has regime key {received}, but the company does not use the cash basis that year.',
          'Send tax_regime_key {expected}, or another key that applies.',
        ],
        es: [
          'La línea lleva la clave {received}, pero la empresa no está en criterio de caja ese año.',
          'Envíe tax_regime_key {expected} u otra clave que corresponda.',
        ],
      },
    },
    caseOf: ({ received }) => (received === CASH_BASIS ? 'outside' : undefined),
    applies: ({ issued, company, taxGroup, uses }) =>
      issued &&
      company !== null &&
      taxGroup === 'IVA' &&
      (uses.cashBasis || (company.cash_basis?.length ?? 0) > 0),
    check(line, context, fail) {
      const received = line.tax_regime_key
      if (received === undefined || !isCovered(line)) return
      if (isUnderCashBasis(context)) {
        if (received !== CASH_BASIS && !isMarginKey(received))
          fail('tax_regime_key', { expected: CASH_BASIS, received })
      } else if (received === CASH_BASIS) fail('tax_regime_key', { expected: GENERAL_REGIME, received })
    },
  }),
  lineRule({
    code: 'recc_margin_regime_not_supported',
    law: 'API specification, "Regime key rules"',
    reads: ['/invoice/lines/*/tax_regime_key'],
    en: [
      'Regime key {received} (margin scheme) is not supported with the cash basis.',
      'Send another regime key if one applies; otherwise, register this invoice in other software.',
    ],
    es: [
      'La clave de régimen {received} (margen) no se admite con el criterio de caja.',
      'Envíe otra clave si corresponde; si no, registre la factura en otro programa.',
    ],
    applies: (context) =>
      context.uses.margin && (context.uses.cashBasis || (context.issued && isUnderCashBasis(context))),
    check(line, _context, fail) {
      if (isMarginKey(line.tax_regime_key)) fail('tax_regime_key', { received: line.tax_regime_key })
    },
  }),
  lineRule({
    code: 'purchase_price_without_margin_regime',
    severity: 'warning',
    origin: 'cuadra',
    law: 'arts. 137 and 145 Ley 37/1992',
    reads: ['/invoice/lines/*/purchase_price_incl', '/invoice/lines/*/tax_regime_key'],
    en: [
      'purchase_price_incl has no effect with regime key {tax_regime_key}: the whole price is taxed.',
      'Send tax_regime_key 03 or 05, or remove purchase_price_incl.',
    ],
    es: [
      'purchase_price_incl no tiene efecto con la clave de régimen {tax_regime_key}: tributa todo el precio.',
      'Envíe tax_regime_key 03 o 05, o quite purchase_price_incl.',
    ],
    needs: ['purchasePrice'],
    check(line, _context, fail) {
      const { purchase_price_incl: received, tax_regime_key } = line
      if (received !== undefined && !isMarginKey(tax_regime_key))
        fail('purchase_price_incl', { received, tax_regime_key })
    },
  }),
]
