/** Instructions for collections and payments that the tax authority rejected. */
import type { Text } from '../../../../invoice/index.ts'
import type { Book } from '../../../store/tables.ts'

type OfBook = Readonly<Record<Book, Text>>

const sameForBoth = (en: string, es: string): OfBook => ({ ISSUED: { en, es }, RECEIVED: { en, es } })

const NOT_REGISTERED = sameForBoth(
  'The tax authority does not have this invoice. Register it (`cuadra-admin sii send-now --company ID --invoice ID`); the collection or payment is then sent again automatically.',
  'La Agencia no tiene esa factura. Regístrela (`cuadra-admin sii send-now --company ID --invoice ID`); después esto se reenvía automáticamente.',
)
const DELETED: OfBook = {
  ISSUED: {
    en: 'Another program has deleted the invoice at the tax authority. Register it again (`cuadra-admin sii send-now --company ID --invoice ID`); the collection is then sent again automatically. If the invoice should not exist, cancel it here.',
    es: 'Otro programa ha dado de baja la factura en la Agencia. Regístrela de nuevo (`cuadra-admin sii send-now --company ID --invoice ID`); después el cobro se reenvía automáticamente. Si la factura no debe existir, anúlela aquí.',
  },
  RECEIVED: {
    en: 'Another program has deleted the invoice at the tax authority. Register it again (`cuadra-admin sii send-now --company ID --invoice ID`); the payment is then sent again automatically.',
    es: 'Otro programa ha dado de baja la factura en la Agencia. Regístrela de nuevo (`cuadra-admin sii send-now --company ID --invoice ID`); después el pago se reenvía automáticamente.',
  },
}
const WITHOUT_KEY: OfBook = {
  ISSUED: {
    en: 'The tax authority has the invoice without regime key 07. If it is under cash basis, send it again (`cuadra-admin sii send-now --company ID --invoice ID`); the collection is then sent again automatically. Otherwise cancel the collection.',
    es: 'La Agencia tiene la factura sin la clave 07. Si está en el criterio de caja, envíela otra vez (`cuadra-admin sii send-now --company ID --invoice ID`); después el cobro se reenvía automáticamente. Si no, cancele el cobro.',
  },
  RECEIVED: {
    en: 'The tax authority has the invoice without regime key 07. If the supplier is under cash basis, register it again with that key; the payment is then sent again automatically. Otherwise cancel the payment.',
    es: 'La Agencia tiene la factura sin la clave 07. Si el proveedor está en el criterio de caja, regístrela de nuevo con esa clave; después el pago se reenvía automáticamente. Si no, cancele el pago.',
  },
}

/** Rejections that a new registration of the invoice fixes; the payment is then sent again automatically. */
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

const OTHER: OfBook = {
  ISSUED: {
    en: 'Cancel it with `collection cancel` and register it correctly, or send it again with `collection resend`.',
    es: 'Cancélelo con `collection cancel` y regístrelo correctamente, o reenvíelo con `collection resend`.',
  },
  RECEIVED: {
    en: 'Cancel it with `payment cancel` and register it correctly, or send it again with `payment resend`.',
    es: 'Cancélelo con `payment cancel` y regístrelo correctamente, o reenvíelo con `payment resend`.',
  },
}

export const fixOf = (book: Book, code: string): Text => (MESSAGES[code] ?? OTHER)[book]
