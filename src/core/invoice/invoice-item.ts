/** Items of `validate`, whose codes and values are known. */
import type { ValidationCode } from './generated/codes.ts'
import type { ExtraByCode } from './generated/extras.ts'
import type { ValidationItem } from './item.ts'

/** One problem of an invoice. After `switch (item.code)`, `item.extra` has the members of this code. */
export type InvoiceItem = {
  [Code in ValidationCode]: ValidationItem<Code, ExtraByCode[Code]>
}[ValidationCode]
