/**
 * Validates mail addresses of the form `local@domain`. The other forms of the grammar (quoted names, comments, IP
 * addresses in brackets) are rejected: mailboxes hardly use them, but attackers do. A domain with non-ASCII letters is
 * converted to its DNS form. The local part must be ASCII, since not every mail server accepts other characters (RFC
 * 6531).
 */
import { domainToASCII } from 'node:url'

/**
 * Maximum lengths: 64 characters before the `@` (RFC 5321, section 4.5.3.1), and 254 in an address without angle
 * brackets (RFC 3696, erratum 1690).
 */
const LONGEST = { address: 254, local: 64 }

/** `Dot-string` of RFC 5321: letters, digits and these signs, in parts separated by single dots. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Two or more labels. The last label is not a number, because that would be an IP address. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const ASCII = /^[!-~]+$/
/**
 * Characters allowed in a domain with non-ASCII letters. The conversion to the DNS form could map other characters to
 * different ones.
 */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}.·-]+$/u

/**
 * Returns an address in the form that is stored, compared and used for sending; undefined if it is invalid.
 *
 * For example, `Ana@Peña.ES` becomes `Ana@xn--pea-8ma.es`. The case before the `@` is kept, because the recipient's
 * server may distinguish it.
 */
export function normalizedMailAddress(text: string): string | undefined {
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

/**
 * Removes duplicates. Addresses that differ before the `@`, even only in upper and lower case, are different mailboxes.
 */
export const withoutDuplicates = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)]

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
