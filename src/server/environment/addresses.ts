/** IP addresses and ranges (CIDR) of both versions. */
import { BlockList, isIP } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** Bits of `::ffff:0:0/96`, the prefix of IPv4 addresses that are written as IPv6. */
const MAPPED_BITS = 96

/** An IPv4 address that came through an IPv6 socket is the same address. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/** The bits of a range that are fixed, of the address as `plainAddress` has it; not a number where it is no range. */
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
 * Addresses and ranges as one list to look in. Throws a `RangeError` that names the entry which is none.
 *
 * For example, `contains(ranges(['10.0.0.0/8', '2001:db8::/32']), '10.1.2.3')` is true.
 */
export function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const bits = fixedBits(entry)
    if (Number.isNaN(bits))
      throw new RangeError(
        `"${entry}" is no IP address or range. Write 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32.`,
      )
    const plain = plainAddress(entry.replace(/\/.*/, ''))
    list.addSubnet(plain, bits, familyOf(plain))
  }
  return list
}

export function contains(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain))
}

/** What stands for an address that cannot be read: it is in no list. */
export const UNKNOWN_ADDRESS = 'unknown'

/** One entry of `X-Forwarded-For`; some proxies add the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function hopAddress(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = plainAddress(inBrackets ?? beforePort ?? hop)
  return isIP(address) === 0 ? UNKNOWN_ADDRESS : address
}

/**
 * Who asks: the peer, or, where the peer is a proxy that is trusted, the last address in `X-Forwarded-For` that is
 * not a trusted proxy itself. Whoever may write the header freely cannot put an address behind a trusted one. An
 * entry that is no address is `unknown`: the proxy's own address would open a list that holds the proxy to everyone.
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: BlockList): string {
  let address = plainAddress(peer)
  if (!forwarded || !contains(trusted, address)) return address
  for (const hop of forwarded.split(',').reverse()) {
    address = hopAddress(hop.trim())
    if (!contains(trusted, address)) return address
  }
  return address
}
