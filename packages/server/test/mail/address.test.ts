/** Validation of e-mail addresses. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizedMailAddress, withoutDuplicates } from '../../src/environment/mail-address.ts'

describe('an address', () => {
  it.each([
    ['ana@cliente.example', 'ana@cliente.example'],
    [' ana@cliente.example\n', 'ana@cliente.example'],
    ['Ana.Ruiz+facturas@Cliente.EXAMPLE', 'Ana.Ruiz+facturas@cliente.example'],
    ["o'brien@x-y.co.uk", "o'brien@x-y.co.uk"],
    ['a@b.es', 'a@b.es'],
    ['info@peña.es', 'info@xn--pea-8ma.es'],
    ['info@ΕΛΛΗΝΙΚΆ.gr', 'info@xn--hxargifdar.gr'],
    ['info@例え.jp', 'info@xn--r8jz45g.jp'],
    [`${'a'.repeat(64)}@cliente.example`, `${'a'.repeat(64)}@cliente.example`],
  ])('%s is accepted', (sent, kept) => {
    expect(normalizedMailAddress(sent)).toBe(kept)
    expect(normalizedMailAddress(kept)).toBe(kept)
  })

  it.each([
    '',
    '@',
    'ana',
    'ana@cliente',
    'ana@cliente.example.',
    'ana@.cliente.example',
    'ana@cliente..example',
    'ana@-cliente.example',
    'ana@cliente-.example',
    'ana@cliente_2.example',
    'ana@1.2.3.4',
    'ana@[1.2.3.4]',
    'ana@cliente.example>',
    '.ana@cliente.example',
    'ana.@cliente.example',
    'ana..ruiz@cliente.example',
    'ana ruiz@cliente.example',
    'ana@luis@cliente.example',
    '"ana"@cliente.example',
    '"ana@x"@cliente.example',
    'ana(x)@cliente.example',
    'ana@cliente.example, luis@cliente.example',
    'ana@cliente.example;luis@cliente.example',
    'Ana <ana@cliente.example>',
    'añá@cliente.example',
    'ana@cliente.example\u0000',
    'ana\r\nBcc: x@cliente.example',
    'ana@clie\u200bnte.example/x',
    'ana@pe%C3%B1a.es',
    'ana@ｃliente.example:25',
    `${'a'.repeat(65)}@cliente.example`,
    `ana@${'a.'.repeat(130)}example`,
    `ana@${'a'.repeat(64)}.example`,
  ])('%j is rejected', (sent) => expect(normalizedMailAddress(sent)).toBeUndefined())

  it('an accepted address contains nothing that could end a header or an SMTP command', () => {
    const pieces = fc.constantFrom(
      'a',
      '@',
      '.',
      '\r',
      '\n',
      ' ',
      '<',
      '>',
      ',',
      ';',
      ':',
      '"',
      '\\',
      '(',
      'ñ',
      '\u2028',
      '\u0000',
      'example',
      '。',
      '＠',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
          fc.string(),
        ),
        (sent) => {
          const kept = normalizedMailAddress(sent)
          if (kept === undefined) return
          expect(kept).toMatch(/^[!#-'*+\-./0-9=?A-Z^_`a-z{|}~]+@[a-z0-9.-]+$/)
          expect(normalizedMailAddress(kept)).toBe(kept)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('equal addresses are kept once; capital letters before the @ make another address', () => {
    expect(withoutDuplicates(['a@b.es', 'A@b.es', 'a@b.es'])).toEqual(['a@b.es', 'A@b.es'])
  })
})
