/** Rules that compare the totals of the invoice with the sums of its breakdown. */

import { sum } from '#core/money/index.ts'
import { fromImporte, toImporte } from '../../fiscal/literals.ts'
import { design, validations } from '../model/laws.ts'
import { AMOUNT_TOLERANCE, amountFault } from './amount-checks.ts'
import { hasFieldsFault } from './breakdown-checks.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Fail, offline, refusedAt } from './check-declaration.ts'
import { isRegimeKey } from './regime-key-checks.ts'

const FIELDS = {
  base: 'BaseImponibleOimporteNoSujeto',
  amount: 'CuotaRepercutida',
  surcharge: 'CuotaRecargoEquivalencia',
} as const

/** Returns the sum of these amounts over the lines, in cents; undefined if an amount cannot be read. */
export function sumOf(
  lines: readonly BreakdownLine[],
  fields: readonly (keyof typeof FIELDS)[],
): number | undefined {
  const amounts: number[] = []
  for (const line of lines)
    for (const field of fields) {
      const cents = line[field]
      if (cents !== undefined) amounts.push(cents)
      else if (line.line[FIELDS[field]] !== undefined) return undefined
    }
  return sum(amounts)
}

/**
 * Regime keys whose breakdown states only a margin or a part of the amounts, so that it need not add up to the total.
 */
const NOT_ADDED_UP = ['03', '05', '06', '08', '09']

/**
 * Whether the breakdown must add up to the totals: no line has a regime key of `NOT_ADDED_UP` or an unknown one, and no
 * line is faulty.
 */
const isAddedUp = (context: AltaContext): boolean =>
  context.lines.every(
    (line) =>
      !(line.key !== undefined && (NOT_ADDED_UP.includes(line.key) || !isRegimeKey(line.key))) &&
      !hasFieldsFault(line) &&
      amountFault(context, line) === undefined,
  )

const compare =
  (field: 'CuotaTotal' | 'ImporteTotal', parts: readonly (keyof typeof FIELDS)[]) =>
  (context: AltaContext, fail: Fail): void => {
    const received = fromImporte(context.record[field])
    const expected = sumOf(context.lines, parts)
    if (received === undefined || expected === undefined || Math.abs(received - expected) <= AMOUNT_TOLERANCE)
      return
    if (isAddedUp(context))
      fail(`/${field}`, { expected: toImporte(expected), received: context.record[field] })
  }

const form = (code: number, field: 'CuotaTotal' | 'ImporteTotal'): AuthorityCode =>
  offline({
    code,
    field,
    law: design('2'),
    en: [
      '{field} is "{received}".',
      'Send up to 12 digits without leading zeros, a point and two decimals, with a minus sign if negative: -1234.50.',
    ],
    es: [
      '{field} es «{received}».',
      'Envíe hasta 12 cifras sin ceros a la izquierda, un punto y dos decimales, con signo menos si es negativo: -1234.50.',
    ],
    structure: refusedAt(`/${field}`),
  })

export const TOTAL_CODES: readonly AuthorityCode[] = [
  form(1266, 'CuotaTotal'),
  form(1267, 'ImporteTotal'),
  offline({
    code: 2006,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'CuotaTotal',
    law: validations('3.1.3.16'),
    en: [
      'CuotaTotal {received} differs by more than 10.00 EUR from {expected}, the sum of the tax amounts and equivalence surcharges in the breakdown.',
      'Correct the total, or the lines of the breakdown.',
    ],
    es: [
      'CuotaTotal {received} difiere en más de 10 euros de {expected}, la suma de las cuotas y recargos del desglose.',
      'Corrija el total o las líneas del desglose.',
    ],
    alta: compare('CuotaTotal', ['amount', 'surcharge']),
  }),
  offline({
    code: 2005,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'ImporteTotal',
    law: validations('3.1.3.17'),
    en: [
      'ImporteTotal {received} differs by more than 10.00 EUR from {expected}, the sum of the taxable amounts, tax amounts and equivalence surcharges in the breakdown.',
      'Correct the total; withholdings, disbursements and advance payments do not reduce it.',
    ],
    es: [
      'ImporteTotal {received} difiere en más de 10 euros de {expected}, la suma de las bases, cuotas y recargos del desglose.',
      'Corrija el total; retenciones, suplidos y anticipos no lo rebajan.',
    ],
    alta: compare('ImporteTotal', ['base', 'amount', 'surcharge']),
  }),
]
