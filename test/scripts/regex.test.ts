/** Regular expressions of the sources: one whose matching time is not linear is rejected. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../docs/markdown.ts'
import { temporaryFolder } from '../folders.ts'
import { setMissing, suite } from '../needs.ts'

const folder = temporaryFolder()

/** Checks a file with this text. */
function checked(text: string): { status: number | null; stderr: string } {
  const file = join(folder, 'planted.ts')
  writeFileSync(file, text)
  return spawnSync('node', ['scripts/regex.mjs', file], { cwd: ROOT, encoding: 'utf8' })
}

suite('a regular expression', setMissing('lint'), () => {
  it.each([
    ['is ambiguous in a repetition', String.raw`export const a = /^(?:\d+)+$/`, 'exponential'],
    [
      'tries a run of blanks from each of them',
      String.raw`export const a = (b: string) => b.replace(/\s+$/, '')`,
      '2nd degree',
    ],
    [
      'is written as constant text',
      ["const ONE = '[a-z]+'", `export const a = new RegExp(\`^(?:\${ONE})+$\`)`].join('\n'),
      'exponential',
    ],
  ])('that %s is rejected with the line and an attack', (_, text, complexity) => {
    const { status, stderr } = checked(text)
    expect(status).toBe(1)
    expect(stderr).toContain(`planted.ts:${text.split('\n').length}: `)
    expect(stderr).toContain(complexity)
    expect(stderr).toContain('.repeat(')
  })

  it('that is linear is accepted', () => {
    expect(checked(String.raw`export const a = (b: string) => b.replace(/(?<!\s)\s+$/, '')`)).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})
