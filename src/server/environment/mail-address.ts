/**
 * Mail addresses in the form `local@domain`. The other forms of the grammar (quoted names, comments, addresses of
 * machines in brackets) are rejected: mailboxes hardly use them, attackers do. A domain with non-ASCII letters is
 * converted to its DNS form. The local part must be ASCII, since not every mail server accepts others (RFC 6531).
 */
import { domainToASCII } from 'node:url'

/** Maximum lengths: RFC 5321, section 4.5.3.1; 254 for an address without angle brackets (RFC 3696, erratum 1690). */
const LONGEST = { address: 254, local: 64 }

/** `Dot-string` of RFC 5321: parts of letters, digits and these signs, separated by single dots. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Two labels or more. The last one is not a number, which would be an IP address. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const ASCII = /^[!-~]+$/
/** Characters of a domain with non-ASCII letters. Other characters could be converted to something else. */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}.·-]+$/u

/**
 * Returns an address in the form in which it is stored, compared and sent to; undefined if it is invalid.
 *
 * For example, `Ana@Peña.ES` becomes `Ana@xn--pea-8ma.es`: the case before the `@` may matter to the recipient.
 */
export function mailAddress(text: string): string | undefined {
  const sent = text.trim()
  const at = sent.lastIndexOf('@')
  const local = sent.slice(0, Math.max(at, 0))
  const named = sent.slice(at + 1)
  if (local.length > LONGEST.local || !LOCAL.test(local)) return undefined
  const domain = ASCII.test(named)
    ? named.toLowerCase()
    : INTERNATIONAL.test(named)
      ? domainToASCII(named)
      : ''
  const address = `${local}@${domain}`
  return DOMAIN.test(domain) && address.length <= LONGEST.address ? address : undefined
}

/** Removes duplicates. Addresses that differ before the `@`, even only in case, are different mailboxes. */
export const withoutDoubles = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)]

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
