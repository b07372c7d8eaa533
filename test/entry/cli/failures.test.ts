/** Usage errors and invalid input: exit codes, and no stack trace. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { filesOf, temporaryFolder } from '../../folders.ts'
import { tokens } from '../../tokens.ts'
import { cuadra, EXAMPLE } from './run.ts'

const folder = temporaryFolder()

const fileOf = filesOf(folder)

describe('exit code 2', () => {
  it.each([
    ['no command', [], 'Usage: cuadra'],
    ['unknown command', ['validte', EXAMPLE], 'Did you mean validate?'],
    ['unknown option', ['validate', '--fomat', 'json', EXAMPLE], 'Did you mean --format?'],
    [
      'unknown format',
      tokens`validate --format xml ${EXAMPLE}`,
      'Allowed choices are text, json, github, sarif',
    ],
    ['unknown operation', ['validate', '--operation', 'send', EXAMPLE], 'draft, issue, import, received'],
    ['impossible day', ['validate', '--today', '2026-02-30', EXAMPLE], 'Use a date YYYY-MM-DD'],
    ['impossible threads', ['validate', '--workers', 'x', EXAMPLE], 'Use a number from 0 to 256'],
    ['no file', ['validate'], 'no file given'],
    ['missing file', ['validate', 'no-such.json'], 'cuadra: no-such.json: no such file'],
    ['missing batch', ['validate', 'no-such.ndjson'], 'cuadra: no-such.ndjson: no such file'],
    ['a folder without invoices', ['validate', 'docs'], 'cuadra: docs: no invoice in this folder'],
    ['stdin twice', ['validate', '-', '-'], 'only once'],
    ['missing company', ['validate', '--company', 'no.json', EXAMPLE], 'no.json: no such file'],
    ['unknown catalog', ['catalog', 'colours'], 'the catalogs are tax-rates, '],
    ['unknown rule', ['rules', 'iban'], 'did you mean iban_invalid?'],
  ])('%s', async (_, args, messages) => {
    const { code, out, err } = await cuadra(args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain(messages)
    expect(err).not.toMatch(/\n\s+at /)
  })

  it('is returned for an invalid company file', async () => {
    const broken = await cuadra(tokens`
      validate --company ${fileOf('company.json', '{\n  "tax_id": }')} ${EXAMPLE}`)
    expect(broken.code).toBe(2)
    expect(broken.err).toContain('company.json: invalid JSON at line 2, column 13\n')
    const list = await cuadra(['validate', '--company', fileOf('list.json', '[]'), EXAMPLE])
    expect([list.code, list.err.includes('must contain an object')]).toEqual([2, true])
  })

  it('does not prevent the check of the other files', async () => {
    const { code, out, err } = await cuadra(['validate', 'no-such.json', EXAMPLE])
    expect(code).toBe(2)
    expect(err).toContain('no such file')
    expect(out).toContain(`✔ ${EXAMPLE}  valid`)
  })
})

describe('exit code 0 without a document', () => {
  it('for help and version', async () => {
    const help = await cuadra(['--help'])
    expect(help.code).toBe(0)
    for (const command of ['validate', 'explain', 'reconcile', 'catalog', 'rules'])
      expect(help.out).toContain(`  ${command} `)
    const out = expect.stringMatching(/^\d+\.\d+\.\d+\n$/)
    expect(await cuadra(['--version'])).toEqual({ code: 0, out, err: '' })
  })
})

describe('exit code 1 for invalid JSON', () => {
  it.each([
    ['{"a": 1,\n "b" 2}', '2:6', 'a colon is missing after the key'],
    ['{"a": 1,}', '1:8', 'trailing comma'],
    ['{"a": 1 "b": 2}', '1:9', 'a comma or } is missing before this'],
    ['[1 2]', '1:4', 'a comma or ] is missing before this'],
    ["{'a': 1}", '1:2', 'double quotes'],
    ['{"a": "x', '1:7', 'closing quote is missing'],
    ['{"a": "\\x"}', '1:8', 'invalid escape sequence'],
    ['{"a": 01}', '1:7', 'invalid number'],
    ['{"a": 1} x', '1:10', 'unexpected text after the end'],
    ['{"a": [1', '1:9', 'unexpected end of the text'],
    ['{"a": NaN}', '1:7', 'a value is missing here'],
    ['', '1:1', 'it is empty'],
  ])('%j', async (input, position, messages) => {
    const { code, out, err } = await cuadra(['validate', '-'], { input })
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain(`✖ <stdin>  1 error\n\n  error  json.syntax  ${position}\n`)
    expect(out).toContain(messages)
  })

  it('shows the lines around the error', async () => {
    const { out } = await cuadra(['validate', fileOf('broken.json', '{\n  "a": 1,\n  "b" 2\n}\n')])
    expect(out).toContain(`    1 │ {
    2 │   "a": 1,
  ❯ 3 │   "b" 2
      │       ^
    4 │ }`)
  })

  it('for binary data', async () => {
    const bytes = Uint8Array.from({ length: 4096 }, (_, at) => (at * 89 + 200) % 256)
    const { code, out, err } = await cuadra(['validate', fileOf('binary.json', bytes)])
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain('json.encoding')
    expect(out).toContain('not UTF-8')
  })

  it('for JSON of any depth and type that is not an invoice', async () => {
    const deep = fileOf('deep.json', '['.repeat(200_000) + ']'.repeat(200_000))
    const others = [fileOf('null.json', 'null'), fileOf('text.json', '"x"')]
    const { code, out } = await cuadra(['validate', deep, ...others])
    expect(code).toBe(1)
    expect(out).toContain('0 of 3 valid\n')
    expect(out.match(/schema\.type/g)).toHaveLength(3)
  })
})

describe('a huge file of one line', () => {
  it('is shown cut around the problem', async () => {
    const filler = `"${'x'.repeat(3_000_000)}"`
    const file = fileOf('huge.json', `{"schema_version":"json_1_1","a":${filler},"bad":1}`)
    const { code, out } = await cuadra(['validate', file])
    expect(code).toBe(1)
    const lines = out.split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(130)
    const at = lines.findIndex((line) => line.includes('❯') && line.includes('"bad":1}'))
    expect(lines[at + 1]?.indexOf('^')).toBe(required(lines[at]).indexOf('"bad"'))
    expect(lines[at - 1]).toContain('/bad  1:3000037')
  })
})

describe('wrong usage of any command', () => {
  const README = 'README.md'
  it.each([
    ['validte'],
    ['--nope'],
    ['validate'],
    ['validate', 'nofile.json'],
    ['validate', '--nope', EXAMPLE],
    ['validate', '--operation', 'x', EXAMPLE],
    ['validate', '--company', README, EXAMPLE],
    ['explain', 'nofile.json'],
    ['reconcile', 'nofile.json'],
    ['convert', EXAMPLE],
    ['convert', '--to', 'x', EXAMPLE],
    ['convert', '--to', 'ubl', 'nofile.json'],
    ['record'],
    ['record', '--first', '--system', 'nofile.json', EXAMPLE],
    ['verify-chain', 'nofile.json'],
    ['books'],
    ['books', '--company', README, '--year', '2026', '--until', '1T', '--out', 'x', EXAMPLE],
    ['catalog', 'nope'],
    ['catalog', 'one', 'two'],
    ['rules', 'nope'],
    ['completion', 'nope'],
    ['new', 'nope'],
    ['new', '--out', README],
  ])('%s %s %s exits with 2, and its message begins with the name of the program', async (...args) => {
    for (const locale of ['en', 'es']) {
      const { code, out, err } = await cuadra(args, { env: { LANG: `${locale}_ES.UTF-8` } })
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^cuadra: (?!error:)./)
    }
  })

  it('has documentation, which the help names', async () => {
    expect((await cuadra(['--help'])).out).toContain('\nDocumentation: ')
  })
})
