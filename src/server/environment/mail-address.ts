/**
 * Which addresses mail is sent to and from: `local@domain`, as nearly every mailbox of the world is written. What the
 * grammar allows beside that (quoted names, comments, addresses of machines in brackets) no person has, and attackers
 * like. A domain in other letters than ASCII becomes what DNS knows it by; the part before the `@` may not have any,
 * since not every server on the way takes them (RFC 6531).
 */
import { domainToASCII } from 'node:url'

/** RFC 5321, section 4.5.3.1; with the angle brackets of a path an address has 254 (RFC 3696, erratum 1690). */
const LONGEST = { address: 254, local: 64 }

/** `Dot-string` of RFC 5321: letters, digits and these signs, in pieces between single dots. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Two labels or more; the last one is no number, which would be an address of the network. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const ASCII = /^[!-~]+$/
/** What a domain in other letters is made of: signs that a host name may not have would be read as something else. */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}.·-]+$/u

/**
 * An address in the form in which it is stored, compared and sent to; undefined where it is none.
 *
 * For example, `Ana@Peña.ES` is `Ana@xn--pea-8ma.es`: who reads the mail decides about large letters before the `@`.
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

/** Each address once. Two that differ before the `@`, be it in large letters, are two mailboxes. */
export const withoutDoubles = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)]

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
