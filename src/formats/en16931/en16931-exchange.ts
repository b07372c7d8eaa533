/** Reads the exchange rate of a document. The elements of UBL and CII differ only in their names. */
import { quotient } from '../model/index.ts'
import type { Element } from './element.ts'
import type { Exchange } from './en16931-model.ts'
import type { AmountReader } from './reader.ts'

export const EURO = 'EUR'

/** Names of the elements of an exchange rate. */
interface ExchangeNames {
  readonly rate: string
  /** Elements with the number of currency units that the rate refers to; 1 if they are absent. */
  readonly bases: readonly string[]
}

/**
 * Returns euros per unit of `currency`; undefined if the element is absent, is not between the two currencies, or
 * refers to several units. Amounts in the source currency are multiplied by the rate, or divided by it if the operator
 * element of UBL is `divide`.
 */
export function exchangeRateOf(
  element: Element,
  { rate: name, bases }: ExchangeNames,
  currency: string,
  date: string | undefined,
  amounts: AmountReader,
): Exchange | undefined {
  const rate = amounts.decimal(element, name)
  const ends = [element.text('SourceCurrencyCode'), element.text('TargetCurrencyCode')].join()
  const isOneUnit = bases.every((base) => [undefined, 1].includes(amounts.decimal(element, base)))
  const isInverse = ends === [EURO, currency].join()
  if (!rate || rate < 0 || !isOneUnit || (!isInverse && ends !== [currency, EURO].join())) return undefined
  const divides = element.text('MathematicOperatorCode')?.toLowerCase() === 'divide'
  return { rate: isInverse === divides ? rate : quotient(1, rate), date }
}
