import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { nearest } from '#core/invoice/near.ts'
import { programOf } from '#entry/cli/commands/cli-program.ts'
import { spanishMessageOf } from '#entry/cli/commands/spanish-help.ts'
import { type Cli, localeOf } from '#entry/cli/input/cli.ts'
import { widthOf } from '#entry/terminal/printable.ts'
import { rowLines } from '#entry/terminal/terminal-rows.ts'
import { cuadra, silentCli } from './run.ts'

describe('the language of the command line', () => {
  it.each([
    [['--locale', 'es'], {}, 'es'],
    [['--locale=es', 'x'], { LANG: 'en_GB.UTF-8' }, 'es'],
    [['validate', '--locale', 'en'], { LANG: 'es_ES.UTF-8' }, 'en'],
    [['--', '--locale', 'es'], {}, 'en'],
    [[], { LANG: 'es_ES.UTF-8' }, 'es'],
    [[], { LANG: 'es_ES.UTF-8', LC_ALL: 'C' }, 'en'],
    [[], { LANG: 'est_EE' }, 'en'],
    [[], {}, 'en'],
  ] as const)('with arguments %j and environment %j is %s', (args, env, locale) => {
    expect(localeOf(args, env)).toBe(locale)
  })

  it('has a Spanish translation of the whole help', () => {
    const texts = (locale: Cli['locale']) => {
      const program = programOf(silentCli(locale))
      return [program, ...program.commands].flatMap((command) => [
        command.description(),
        ...command.options.map(({ description }) => description),
        ...command.registeredArguments.map(({ description }) => description),
      ])
    }
    const english = texts('en')
    const spanish = texts('es')
    expect(english.length).toBeGreaterThan(60)
    expect(english.filter((text, at) => text !== '' && text === spanish[at])).toEqual([])
    for (const { name, help } of programOf(silentCli('es')).commands.map((command) => ({
      name: command.name(),
      help: command.helpInformation(),
    })))
      expect(help, name).not.toMatch(/Usage:|Options:|Arguments:|choices:|default:|<file>|<name>/)
  })

  it('has a Spanish translation of every error of the parser', () => {
    const lib = createRequire(import.meta.url)
      .resolve('commander')
      .replace(/index\.js$/, 'lib/command.js')
    const patterns = [...readFileSync(lib, 'utf8').matchAll(/`(error: .*)`/g)].map(([, text = '']) => text)
    // No option here has an environment variable or a conflict.
    const used = patterns.filter((text) => !/from env|cannot be used with/.test(text))
    expect(used.length).toBeGreaterThanOrEqual(8)
    for (const pattern of used) {
      const filled = pattern
        .replace(/\$\{(?:forSubcommand|s|suggestion)\}/g, '')
        .replace(/\$\{expected\}|\$\{receivedArgs\.length\}/g, '2')
        .replace(/\$\{[^}]+\}/g, 'x')
      expect(spanishMessageOf(filled), filled).not.toMatch(
        /unknown|missing|invalid|required|Expected|not specified/,
      )
    }
  })

  it('also applies to usage and file errors', async () => {
    const es = (args: string[]) => cuadra(args, { env: { ...process.env, LANG: 'es_ES.UTF-8', LC_ALL: '' } })
    expect((await es(['validte'])).err).toContain(
      'comando desconocido: «validte»\n(¿Quiso decir validate?)\nVea cuadra --help.',
    )
    expect((await es(['validate', 'no.json'])).err).toBe('cuadra: no.json: no existe\n')
    expect((await es(['rules', 'customer_requird'])).err).toContain('¿quiso decir customer_required?')
    expect((await es(['validate', 'examples/13-simplified-ticket.json'])).out).toContain('válida')
    expect((await es(['catalog', 'tax-ratess'])).err).toContain('¿quiso decir tax-rates?')
  })
})

describe('the nearest name', () => {
  it('is not searched for a very long name', () => {
    expect(nearest('x'.repeat(1e6), ['units'])).toEqual([])
  })

  it.each([
    ['customer_requird', ['customer_required', 'customer_domicile_required'], ['customer_required']],
    ['iban', ['iban_invalid', 'units'], []],
    ['tax_raets', ['tax_rates', 'tax_group'], ['tax_rates']],
    ['zzz', ['tax-rates', 'units'], []],
    ['', ['units'], []],
  ])('is found for %s', (wrong, names, near) => {
    expect(nearest(wrong, names)).toEqual(near)
  })
})

describe('a narrow terminal', () => {
  it('wraps every line and keeps every cell', () => {
    const rows = {
      fields: ['code', 'name', 'law'],
      cells: [
        ['IVA_21', 'Tipo general', 'Ley 37/1992, art. 90.Uno'],
        ['IVA_0', '', 'RDL 20/2022'],
      ],
      aligns: ['left', 'left', 'left'] as const,
    }
    for (const width of [24, 30, 40, 80]) {
      const lines = rowLines(rows, width)
      expect(lines.every((line) => widthOf(line) <= width)).toBe(true)
      const parts = lines.join(' ').split(/\s+/)
      for (const cell of rows.cells.flat().flatMap((text) => text.split(' ')))
        if (cell) expect(parts).toContain(cell)
    }
  })

  it.each([
    ['validate', ['validate', 'examples/03-equivalence-surcharge.json']],
    ['reconcile', ['reconcile', 'examples/03-equivalence-surcharge.json']],
    ['catalog', ['catalog', 'tax-rates', '--on', '2026-01-01']],
  ])('of 40 columns fits %s', async (_, args) => {
    const { out } = await cuadra(args, { env: { ...process.env, COLUMNS: '40' } })
    const wide = out.split('\n').filter((line) => widthOf(line) > 40 && line.trim().includes(' '))
    expect(wide.filter((line) => !/^[✔✖]/.test(line))).toEqual([])
  })
})
