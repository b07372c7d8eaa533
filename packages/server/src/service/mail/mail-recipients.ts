/** Determines the recipients and the sender of a mail. */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { App } from '../../app/app.ts'
import { normalizedMailAddress, withoutDuplicates } from '../../environment/mail-address.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import type { CompanyData } from '../company/company-shape.ts'

const none = (en: string, es: string): ApiError => new ApiError('no_recipient_email', { reason: { en, es } })

/** Returns the addresses in the request, otherwise the customer's address. Throws for an invalid address. */
export function recipientsOf(
  { invoice }: CanonicalInvoice,
  to: readonly string[] | null | undefined,
): readonly string[] {
  if (to) {
    if (to.length === 0) throw none('the field "to" is an empty list', 'el campo to es una lista vacía')
    const addresses = to.map((sent, index) => {
      const address = normalizedMailAddress(sent)
      if (address === undefined)
        throw invalidRequest(
          `/to/${index} is not an e-mail address: write name@domain without a display name; non-ASCII letters are allowed only in the domain`,
          `/to/${index} no es una dirección de correo: escriba nombre@dominio sin nada delante, y letras de otros alfabetos solo en el dominio`,
          { path: `/to/${index}` },
        )
      return address
    })
    return withoutDuplicates(addresses)
  }
  const own = invoice.customer?.electronic_mail?.trim()
  if (!own)
    throw none('the invoice has no e-mail address for its customer', 'la factura no tiene la del cliente')
  const address = normalizedMailAddress(own)
  if (address === undefined)
    throw none(
      'the customer’s address on the invoice (electronic_mail) is not valid',
      'el correo del cliente que figura en la factura (electronic_mail) no es una dirección válida',
    )
  return [address]
}

/** Returns the host name of the mail server, or a domain that does not exist. */
function hostOf(smtpUrl: string | undefined): string {
  const host = smtpUrl === undefined ? '' : new URL(smtpUrl).hostname
  return normalizedMailAddress(`x@${host}`) === undefined ? 'cuadra.invalid' : host
}

export interface Sender {
  readonly address: string
  /** The address for replies; undefined if it is the sender's. */
  readonly replyTo: string | undefined
}

/**
 * Returns the sender and the address for replies. The sender is the installation's address, which its mail server
 * accepts, otherwise the company's own address. Replies go to the company's own address.
 */
export function senderOf({ config }: App, { contact_email }: CompanyData): Sender {
  const own = contact_email === null ? undefined : normalizedMailAddress(contact_email)
  const address = config.mailFrom ?? own ?? `no-reply@${hostOf(config.smtpUrl)}`
  return { address, replyTo: own === address ? undefined : own }
}
