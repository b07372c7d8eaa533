/** Links in terminals. */
import { describe, expect, it } from 'vitest'
import { codeAddress } from '#core/site/site-addresses.ts'
import { widthOf } from '#entry/terminal/printable.ts'
import { terminalLink, wantsLinks } from '#entry/terminal/terminal-link.ts'
import { cuadra, WRONG } from '../cli/run.ts'

const asked = (env: Record<string, string>, more = {}) =>
  wantsLinks({ env, color: true, isTerminal: true, ...more })

describe('links behind codes', () => {
  it('appear only in terminals known to show them', () => {
    expect(asked({ TERM_PROGRAM: 'vscode' })).toBe(true)
    expect(asked({ TERM: 'xterm-kitty' })).toBe(true)
    expect(asked({ VTE_VERSION: '7600' })).toBe(true)
    expect(asked({ VTE_VERSION: '4205' })).toBe(false)
    expect(asked({ TERM: 'xterm-256color' })).toBe(false)
    expect(asked({ TERM_PROGRAM: 'vscode', CI: 'true' })).toBe(false)
    expect(asked({ TERM_PROGRAM: 'vscode' }, { color: false })).toBe(false)
    expect(asked({ TERM_PROGRAM: 'vscode' }, { isTerminal: false })).toBe(false)
    expect(asked({ FORCE_HYPERLINK: '1' }, { isTerminal: false })).toBe(true)
    expect(asked({ TERM_PROGRAM: 'vscode', FORCE_HYPERLINK: '0' })).toBe(false)
  })

  it('take no columns', () => {
    expect(widthOf(terminalLink('iban_invalid', 'https://cuadra.example/codes/iban_invalid'))).toBe(12)
  })

  it('lead to the page of the code in the language of the report if the site has an address; a file has none', async () => {
    const env = { FORCE_HYPERLINK: '1' }
    const { out } = await cuadra(['validate', '--quiet', '--locale', 'es', WRONG], { env })
    const address = codeAddress('tax_id_invalid', 'es')
    if (address === undefined) expect(out).not.toContain(']8;;')
    else expect(out).toContain(terminalLink('tax_id_invalid', address))
    expect((await cuadra(['validate', '--quiet', WRONG])).out).not.toContain(']8;;')
  })
})
