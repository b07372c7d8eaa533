/** Texts of the rules that determine a deadline. */
import type { Text } from '../../invoice/index.ts'

export type DeadlineRule =
  | 'issued'
  | 'issued_by_other'
  | 'corrective'
  | 'received'
  | 'collection'
  | 'payment'
  | 'modification'

export const DEADLINE_RULES: Readonly<Record<DeadlineRule, Text>> = {
  issued: {
    en: '4 days from the issue, at most the cap of the month after the operation (art. 69 bis RD 1624/1992)',
    es: '4 días desde la expedición, como máximo el tope del mes siguiente a la operación (art. 69 bis RD 1624/1992)',
  },
  issued_by_other: {
    en: '8 days from the issue by the recipient or a third party, at most the cap (art. 69 bis RD 1624/1992)',
    es: '8 días desde la expedición por el destinatario o un tercero, como máximo el tope (art. 69 bis RD 1624/1992)',
  },
  corrective: {
    en: '4 days from the issue of the corrective (art. 69 bis RD 1624/1992)',
    es: '4 días desde la expedición de la rectificativa (art. 69 bis RD 1624/1992)',
  },
  received: {
    en: '4 days from the accounting registration, at most the cap of the month after the settlement period (art. 69 bis RD 1624/1992)',
    es: '4 días desde el registro contable, como máximo el tope del mes siguiente al periodo de liquidación (art. 69 bis RD 1624/1992)',
  },
  collection: {
    en: '4 days from the collection (arts. 61 decies and 69 bis RD 1624/1992)',
    es: '4 días desde el cobro (arts. 61 decies y 69 bis RD 1624/1992)',
  },
  payment: {
    en: '4 days from the payment (arts. 61 decies and 69 bis RD 1624/1992)',
    es: '4 días desde el pago (arts. 61 decies y 69 bis RD 1624/1992)',
  },
  modification: {
    en: 'The cap of the month after the error was known (art. 69 bis RD 1624/1992)',
    es: 'El tope del mes siguiente a aquel en que se conoció el error (art. 69 bis RD 1624/1992)',
  },
}
