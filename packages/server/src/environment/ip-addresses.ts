/** Parses IP addresses and CIDR ranges, IPv4 and IPv6. */
import { BlockList, isIP } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** Prefix length of `::ffff:0:0/96`, the range of IPv4 addresses in IPv6 notation (IPv4-mapped). */
const MAPPED_BITS = 96

/** Converts an IPv4-mapped IPv6 address to IPv4 notation. Returns other addresses unchanged. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/**
 * Returns the prefix length of a range after its address was converted by `plainAddress`; NaN if the range is invalid.
 */
function fixedBits(entry: string): number {
  const [address = '', prefix, ...rest] = entry.split('/')
  const plain = plainAddress(address)
  const most = isIP(plain) === 6 ? 128 : 32
  if (isIP(plain) === 0 || address.includes('%') || rest.length > 0) return Number.NaN
  if (prefix === undefined) return most
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) - (plain === address ? 0 : MAPPED_BITS) : Number.NaN
  return bits >= 0 && bits <= most ? bits : Number.NaN
}

const familyOf = (plain: string) => (isIP(plain) === 6 ? 'ipv6' : 'ipv4')

/**
 * Parses addresses and ranges. Throws a `RangeError` that states the first invalid entry.
 *
 * For example, `contains(ranges(['10.0.0.0/8', '2001:db8::/32']), '10.1.2.3')` is true.
 */
export function parseAddressRanges(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const bits = fixedBits(entry)
    if (Number.isNaN(bits))
      throw new RangeError(
        `"${entry}" is not an IP address or range. Write 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32.`,
      )
    const plain = plainAddress(entry.replace(/\/.*/, ''))
    list.addSubnet(plain, bits, familyOf(plain))
  }
  return list
}

export function hasAddress(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain))
}

/** Used if the client's address cannot be determined. No list of allowed addresses contains this text. */
export const UNKNOWN_ADDRESS = 'unknown'

/** Parses an entry of `X-Forwarded-For`. Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function hopAddress(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = plainAddress(inBrackets ?? beforePort ?? hop)
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address
}

/**
 * Returns the client's address. Without a trusted proxy, it is the address of the connection. Otherwise it is the last
 * address in `X-Forwarded-For` that is not a trusted proxy, so that a client cannot choose its address by sending the
 * header itself. If the header is missing or that entry is invalid, the address is `unknown`. The proxy's own address
 * is not used, because the list of allowed addresses might contain it.
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: BlockList): string {
  let address = plainAddress(peer)
  if (!hasAddress(trusted, address)) return address
  for (const hop of (forwarded ?? '').split(',').reverse()) {
    address = hopAddress(hop.trim())
    if (!hasAddress(trusted, address)) return address
  }
  return address
}
