/** The built program: exit codes, standard streams, and errors outside of a command. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cuadra, EXAMPLE, root, spawned, WRONG } from './run.ts'

/** A module that throws an uncaught error on the first output. */
const FAILING = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write
  process.stdout.write = (...given) => {
    setImmediate(() => { throw new Error('uncaught') })
    return write.apply(process.stdout, given)
  }`)}`

describe('the program', () => {
  it.each([
    [0, ['--version']],
    [0, ['validate', EXAMPLE]],
    [1, ['validate', WRONG]],
    [2, ['validate', 'no-such.json']],
    [2, ['validte']],
  ])('exits with %i after %j, and prints the same as in this process', async (code, args) => {
    const done = spawned(args)
    expect(done.code).toBe(code)
    expect(done).toEqual(await cuadra(args))
  })

  it('reads the standard input, in the language of the environment', () => {
    const input = readFileSync(`${root}${EXAMPLE}`)
    const { code, out } = spawned(['validate', '-'], { input, env: { LANG: 'es_ES.UTF-8' } })
    expect([code, out.split('\n')[0]]).toEqual([0, '✔ <stdin>  válida'])
  })

  it('exits with 2 after an uncaught error', () => {
    const { code, err } = spawned(['validate', EXAMPLE], { env: { NODE_OPTIONS: `--import=${FAILING}` } })
    expect([code, err]).toEqual([2, 'cuadra: unexpected error: Error: uncaught\n'])
  })

  it.skipIf(!existsSync('/dev/full'))('exits with 2 if its output cannot be written', () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'rules'], {
      cwd: root,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr]).toEqual([2, 'cuadra: cannot write: ENOSPC\n'])
  })
})
