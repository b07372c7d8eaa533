/**
 * What the book says of an invoice that was cancelled. It stays in the book (specification, "Cancel notes": pending as a
 * modification, not as a deregistration; a deletion is for what should never have been there), and nothing of it is due:
 * the record has its identity and its breakdown, with every amount at zero.
 */
import type { FacturaExpedida, RegistroEmitida } from '../../../../sii/index.ts'

const ZERO = '0.00'
/** Amounts of `FacturaExpedida`, wherever they stand in it; rates are none. */
const AMOUNT = /^(?:BaseImponible|BaseRectificada|Cuota|Importe(?!Rectificacion$))/
/** Travel agencies, used goods, intermediaries: with a base of zero the rate has to be zero too (1222, 1223). */
const MARGIN: readonly string[] = ['03', '05', '09']
const LONGEST = 500

function emptied(value: unknown, name: string, isMargin: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => emptied(one, name, isMargin))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, emptied(inner, member, isMargin)]),
    )
  if (AMOUNT.test(name)) return ZERO
  return isMargin && name === 'TipoImpositivo' ? ZERO : value
}

/** The record of an invoice without effect. */
export function withoutEffect(record: RegistroEmitida): RegistroEmitida {
  const { Macrodato: _, DescripcionOperacion, ...rest } = record.FacturaExpedida
  const isMargin = MARGIN.includes(rest.ClaveRegimenEspecialOTrascendencia)
  const factura = emptied(rest, '', isMargin) as Omit<FacturaExpedida, 'Macrodato' | 'DescripcionOperacion'>
  const description = `Factura anulada. ${DescripcionOperacion}`
  return {
    ...record,
    FacturaExpedida: {
      ...factura,
      DescripcionOperacion: [...description].slice(0, LONGEST).join('').trimEnd(),
    },
  }
}
