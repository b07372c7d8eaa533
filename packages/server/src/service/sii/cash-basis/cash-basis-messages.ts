/** Instructions for collections and payments that the tax authority rejected. */
import type { Text } from '#core/invoice/index.ts'
import { DELETED, OTHER, WITHOUT_KEY } from '../../../generated/texts/sii.ts'
import type { Book } from '../../../store/tables.ts'

type OfBook = Readonly<Record<Book, Text>>

const sameForBoth = (en: string, es: string): OfBook => ({ ISSUED: { en, es }, RECEIVED: { en, es } })

const NOT_REGISTERED = sameForBoth(
  'The tax authority does not have this invoice. Register it (`cuadra-admin sii send-now --company ID --invoice ID`); the collection or payment is then sent again automatically.',
  'La Agencia no tiene esa factura. Regístrela (`cuadra-admin sii send-now --company ID --invoice ID`); después esto se reenvía automáticamente.',
)
/** Error codes that are fixed by registering the invoice again. The payment is then sent again automatically. */
export const INVOICE_REJECTIONS = ['3002', '3003', '3005', '3006', '3007'] as const

const MESSAGES: Readonly<Record<string, OfBook>> = {
  3002: NOT_REGISTERED,
  3003: DELETED,
  3006: DELETED,
  3005: WITHOUT_KEY,
  3007: WITHOUT_KEY,
  3011: sameForBoth(
    'The regime key of an invoice with collections or payments cannot change. Set the regime key to 07 again.',
    'La clave de una factura con cobros o pagos no puede cambiar. Vuelva a ponerle la clave 07.',
  ),
}

export const fixForErrorCode = (book: Book, code: string): Text => (MESSAGES[code] ?? OTHER)[book]
