/**
 * Builds the record of a cancelled invoice. The record is modified, not deleted (API specification, "Cancel notes"),
 * because deletions are for invoices that should never have been in the book. It keeps identity and breakdown, and
 * every amount is zero.
 */
import type { FacturaExpedida, RegistroEmitida } from '#records/sii/index.ts'

const ZERO = '0.00'
/** Matches the members of `FacturaExpedida` that are amounts. Rates do not match. */
const AMOUNT = /^(?:BaseImponible|BaseRectificada|Cuota|Importe(?!Rectificacion$))/
/** Regime keys of travel agencies, used goods and intermediaries: a zero base requires a zero rate (1222, 1223). */
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

/** Returns the record of an invoice with every amount at zero. */
export function withZeroAmounts(record: RegistroEmitida): RegistroEmitida {
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
