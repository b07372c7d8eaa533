/**
 * The QR code of a credit transfer for banking apps: EPC069-12, "Quick Response Code: Guidelines to Enable Data Capture
 * for the Initiation of a SEPA Credit Transfer", version 002.
 */
import { required } from '#core/errors/index.ts'
import { checkIban } from '#core/identifiers/index.ts'
import type { PaymentDetail } from '#core/invoice/index.ts'
import { amountText } from './display-format.ts'

/** Limits of the QR code: total bytes, characters of the name, and characters of the remittance text. */
const MAX_BYTES = 331
const MAX_NAME = 70
const MAX_TEXT = 140
const MAX_AMOUNT = 999999999.99

/** Code of a transfer in the catalog `payment-methods`. */
const TRANSFER = '04'

/** Whether an instalment is paid by transfer, according to its method or, without a method, its account. */
export const isTransfer = ({
  payment_method_code: method,
  iban_account_to_be_credited: account,
}: PaymentDetail) => method === TRANSFER || (method === undefined && Boolean(account))

const onOneLine = (text: string, maxLength: number): string =>
  Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, maxLength).join('')

/** Returns the length of a text in UTF-8. */
const bytesOf = (text: string): number =>
  Array.from(text, (character) => required(character.codePointAt(0)))
    .map((code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4))
    .reduce((total, bytes) => total + bytes, 0)

export interface Transfer {
  readonly name: string
  readonly iban: string
  readonly amount: number
  readonly text: string
}

/** Returns the content of the QR code, or null if a part is too long. */
export function transferQrContent({ name, iban, amount: value, text }: Transfer): string | null {
  const account = checkIban(iban)
  if (!account.valid || !(value > 0) || value > MAX_AMOUNT) return null
  // Service tag, version, UTF-8, identification, no BIC, beneficiary, account, amount, no purpose, no reference, text.
  const content = [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    onOneLine(name, MAX_NAME),
    account.normalized,
    `EUR${amountText(value, 'en').replaceAll(',', '')}`,
    '',
    '',
    onOneLine(text, MAX_TEXT),
  ].join('\n')
  return bytesOf(content) > MAX_BYTES ? null : content
}
