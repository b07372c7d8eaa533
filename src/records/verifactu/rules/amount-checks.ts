/** Checks the tax of a line against its base and rate. */

import { percentOf } from '#core/money/index.ts'
import { toImporte } from '../../fiscal/literals.ts'
import { validations } from '../model/laws.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Fail, offline } from './check-declaration.ts'
import { rateFault } from './rate-checks.ts'

/** Difference that the authority tolerates for every sum and product, in cents: 10.00 EUR. */
export const AMOUNT_TOLERANCE = 1_000

type AmountCode = 1140 | 1142 | 1143 | 1144
interface AmountFault {
  readonly code: AmountCode
  readonly expected: number
}

/** Whether the tax must be base x rate. In corrections by differences, and of types R2 and R3, the tax may differ. */
const isChecked = ({ record, type }: AltaContext): boolean =>
  record.TipoRectificativa !== 'I' && type !== 'R2' && type !== 'R3'

/**
 * Returns the fault of a line's tax amount: its sign or, if the sign is right, its value. Returns undefined if a value
 * is unreadable, the rate is wrong or the tax is not checked.
 */
export function amountFault(context: AltaContext, line: BreakdownLine): AmountFault | undefined {
  const { kind, rate, amount } = line
  const atCost = line.line.BaseImponibleACoste !== undefined
  const base = atCost ? line.cost : line.base
  if (kind !== 'S1' || rate === undefined || amount === undefined || base === undefined) return undefined
  if (!isChecked(context) || rateFault(context, line) !== undefined) return undefined
  const expected = percentOf(base, rate / 100)
  if ((base < 0 && amount > 0) || (base > 0 && amount < 0)) return { code: atCost ? 1140 : 1143, expected }
  return Math.abs(amount - expected) > AMOUNT_TOLERANCE ? { code: atCost ? 1144 : 1142, expected } : undefined
}

const amounts = (code: AmountCode) => (context: AltaContext, fail: Fail) => {
  for (const line of context.lines) {
    const found = amountFault(context, line)
    if (found?.code !== code) continue
    const { BaseImponibleOimporteNoSujeto, BaseImponibleACoste } = line.line
    fail(`${line.path}/CuotaRepercutida`, {
      expected: toImporte(found.expected),
      received: line.line.CuotaRepercutida,
      base: BaseImponibleACoste ?? BaseImponibleOimporteNoSujeto,
      rate: line.line.TipoImpositivo,
    })
  }
}

const sign = (base: string, code: 1140 | 1143): AuthorityCode =>
  offline({
    code,
    field: 'CuotaRepercutida',
    law: validations('3.1.3.15.7'),
    en: [
      `The tax amount {received} does not have the same sign as ${base} {base}.`,
      'Send both with the same sign: negative in a correction that refunds money.',
    ],
    es: [
      `La cuota {received} no tiene el mismo signo que ${base} {base}.`,
      'Envíe los dos con el mismo signo: negativo en una rectificación que devuelve importes.',
    ],
    alta: amounts(code),
  })

const size = (base: string, code: 1142 | 1144): AuthorityCode =>
  offline({
    code,
    field: 'CuotaRepercutida',
    law: validations('3.1.3.15.7'),
    en: [
      `The tax amount {received} differs by more than 10.00 EUR from {expected}, {rate} % of ${base} {base}.`,
      'Correct the tax amount, the taxable amount or the tax rate.',
    ],
    es: [
      `La cuota {received} difiere en más de 10 euros de {expected}, el {rate} % de ${base} {base}.`,
      'Corrija la cuota, la base o el tipo.',
    ],
    alta: amounts(code),
  })

export const AMOUNT_CODES: readonly AuthorityCode[] = [
  sign('BaseImponibleACoste', 1140),
  sign('BaseImponibleOimporteNoSujeto', 1143),
  size('BaseImponibleOimporteNoSujeto', 1142),
  size('BaseImponibleACoste', 1144),
]
