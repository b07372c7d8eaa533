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
    en: '4 days after issue, and no later than the 16th of the month after the operation (art. 69 bis RD 1624/1992)',
    es: '4 días desde la expedición y, como máximo, hasta el día 16 del mes siguiente a la operación (art. 69 bis RD 1624/1992)',
  },
  issued_by_other: {
    en: '8 days after issue by the recipient or a third party, and no later than the 16th of the month after the operation (art. 69 bis RD 1624/1992)',
    es: '8 días desde la expedición por el destinatario o un tercero y, como máximo, hasta el día 16 del mes siguiente a la operación (art. 69 bis RD 1624/1992)',
  },
  corrective: {
    en: '4 days after issue of the corrective invoice (art. 69 bis RD 1624/1992)',
    es: '4 días desde la expedición de la rectificativa (art. 69 bis RD 1624/1992)',
  },
  received: {
    en: '4 days after the accounting entry, and no later than the 16th of the month after the filing period (art. 69 bis RD 1624/1992)',
    es: '4 días desde el registro contable y, como máximo, hasta el día 16 del mes siguiente al periodo de liquidación (art. 69 bis RD 1624/1992)',
  },
  collection: {
    en: '4 days after the collection (arts. 61 decies and 69 bis RD 1624/1992)',
    es: '4 días desde el cobro (arts. 61 decies y 69 bis RD 1624/1992)',
  },
  payment: {
    en: '4 days after the payment (arts. 61 decies and 69 bis RD 1624/1992)',
    es: '4 días desde el pago (arts. 61 decies y 69 bis RD 1624/1992)',
  },
  modification: {
    en: 'No later than the 16th of the month after the error became known (art. 69 bis RD 1624/1992)',
    es: 'Como máximo, el día 16 del mes siguiente a aquel en que se conoció el error (art. 69 bis RD 1624/1992)',
  },
}
