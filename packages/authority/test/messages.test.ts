/** Tests that the page about the connection matches the table of problems. */
import { readFileSync } from 'node:fs'
import { readConfig } from 'cuadra-server/environment/config.ts'
import { expect, it } from 'vitest'
import { PROBLEMS } from '../src/wire/index.ts'

const page = readFileSync(new URL('../../../docs/aeat.md', import.meta.url), 'utf8')

it('the page lists every problem with its kind, and no others', () => {
  const table = page.split('<!-- problems')[1]?.split('<!-- /problems -->')[0] ?? ''
  const rows = [...table.matchAll(/^\| (\w+) \| `(\w+)` \|/gm)].map(([, ...row]) => row.join(' '))
  const declared = Object.entries(PROBLEMS).map(([code, { kind }]) => `${kind} ${code}`)
  expect(rows.sort()).toEqual(declared.sort())
})

it('every variable of the page exists', () => {
  const names = new Set(page.match(/CUADRA_AEAT\w*/g))
  for (const name of names) {
    const value = name === 'CUADRA_AEAT_CA_FILE' ? '/ca.pem' : 'https://localhost/'
    const read = () => readConfig({ [name]: value })
    if (name === 'CUADRA_AEAT') expect(read).toThrow(/CUADRA_AEAT is/)
    else expect(Object.values(read())).toContain(value)
  }
  expect(names.size).toBe(4)
})
