import { describe, expect, it } from 'vitest'
import {
  clientAddress,
  hasAddress,
  parseAddressRanges,
  plainAddress,
  UNKNOWN_ADDRESS,
} from '../../src/environment/ip-addresses.ts'

describe('ranges', () => {
  const cases: [string, string, boolean][] = [
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.129/25', '192.0.2.254', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::7', '2001:0db8:0:0:0:0:0:7', true],
    ['2001:DB8::7', '2001:db8::7', true],
    ['::1/128', '::1', true],
    ['::1', '::2', false],
    // The same address, written as IPv6.
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:a01:203', true],
    ['10.0.0.0/8', '::ffff:11.1.2.3', false],
    ['::ffff:10.1.2.3', '10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '11.1.2.3', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.0/8', '2001:db8::1', false],
    ['2001:db8::/32', '10.1.2.3', false],
    // A string that is not an address is in no list, not even in that of all addresses.
    ['0.0.0.0/0', '', false],
    ['0.0.0.0/0', 'unknown', false],
    ['0.0.0.0/0', '1.2.3', false],
    ['0.0.0.0/0', '1.2.3.4, 5.6.7.8', false],
    ['0.0.0.0/0', '01.2.3.4', false],
  ]
  it.each(cases)('%s and %s: %s', (entry, address, expected) => {
    expect(hasAddress(parseAddressRanges([entry]), address)).toBe(expected)
  })

  it('an empty list contains no address', () => {
    expect(hasAddress(parseAddressRanges([]), '127.0.0.1')).toBe(false)
  })

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/08x',
    '10.0.0/8',
    '256.0.0.1',
    '2001:db8::/129',
    '::ffff:10.0.0.0/95',
    'fe80::1%eth0/64',
    '10.0.0.0 /8',
    '*',
  ])('"%s" is not a valid entry, and the error names it', (entry) => {
    expect(() => parseAddressRanges([entry])).toThrow(RangeError)
    expect(() => parseAddressRanges(['10.0.0.0/8', entry])).toThrow(
      `"${entry}" is not an IP address or range`,
    )
  })
})

describe('the client behind proxies', () => {
  const trusted = parseAddressRanges(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])
  const cases: [string, string, string | undefined, string][] = [
    ['no proxy is trusted', '198.51.100.1', '192.0.2.7', '198.51.100.1'],
    ['no header', '127.0.0.1', undefined, UNKNOWN_ADDRESS],
    ['an empty header', '127.0.0.1', '', UNKNOWN_ADDRESS],
    ['one hop', '127.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['a mapped peer', '::ffff:127.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['a mapped hop', '127.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
    ['IPv6', '2001:db8::1', '2001:dead::7', '2001:dead::7'],
    ['a chain of trusted proxies', '127.0.0.1', '192.0.2.7, 10.1.1.1, 10.2.2.2', '192.0.2.7'],
    ['what the client wrote stands before', '127.0.0.1', '192.0.2.7, 198.51.100.9, 10.1.1.1', '198.51.100.9'],
    ['a client that claims to be a proxy', '127.0.0.1', '10.3.3.3, 198.51.100.9', '198.51.100.9'],
    ['only proxies', '127.0.0.1', '10.3.3.3, 10.1.1.1', '10.3.3.3'],
    ['blanks', '127.0.0.1', ' 192.0.2.7 ,10.1.1.1 ', '192.0.2.7'],
    ['a port', '127.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['a port with IPv6', '127.0.0.1', '[2001:dead::7]:4711', '2001:dead::7'],
    ['brackets', '127.0.0.1', '[2001:dead::7]', '2001:dead::7'],
    ['no address', '127.0.0.1', '192.0.2.7, unknown', UNKNOWN_ADDRESS],
    ['an empty hop', '127.0.0.1', '192.0.2.7,', UNKNOWN_ADDRESS],
    ['nonsense behind a proxy', '127.0.0.1', "' or 1=1 --, 10.1.1.1", UNKNOWN_ADDRESS],
    ['a hidden name', '127.0.0.1', '_hidden', UNKNOWN_ADDRESS],
  ]
  it.each(cases)('%s', (_, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected)
  })

  it('an unknown client is in no list, even if the proxy is in it', () => {
    expect(hasAddress(parseAddressRanges(['127.0.0.1', '0.0.0.0/0']), UNKNOWN_ADDRESS)).toBe(false)
  })

  it('a thousand hops are walked once', () => {
    const chain = ['192.0.2.7', ...Array<string>(1000).fill('10.1.1.1')].join(',')
    expect(clientAddress('127.0.0.1', chain, trusted)).toBe('192.0.2.7')
  })
})

it('plainAddress leaves other addresses as they are', () => {
  expect(['::1', '10.0.0.1', '::ffff:1.2.3.4', '::FFFF:1.2.3.4', ''].map(plainAddress)).toEqual([
    '::1',
    '10.0.0.1',
    '1.2.3.4',
    '1.2.3.4',
    '',
  ])
})
