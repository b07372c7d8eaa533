/** What only the built program shows: its exit codes, the standard streams, and failures outside of a command. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cuadra, EXAMPLE, root, spawned, WRONG } from './run.ts'

/** Written before the program starts: the first piece of output makes something fail that nothing waits for. */
const FAILING = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write
  process.stdout.write = (...given) => {
    setImmediate(() => { throw new Error('nothing waits for this') })
    return write.apply(process.stdout, given)
  }`)}`

describe('the program', () => {
  it.each([
    [0, ['--version']],
    [0, ['validate', EXAMPLE]],
    [1, ['validate', WRONG]],
    [2, ['validate', 'no-such.json']],
    [2, ['validte']],
  ])('ends with %i after %j, and prints what a run in the process prints', async (code, args) => {
    const done = spawned(args)
    expect(done.code).toBe(code)
    expect(done).toEqual(await cuadra(args))
  })

  it('reads its standard input, in the language of its environment', () => {
    const input = readFileSync(`${root}${EXAMPLE}`)
    const { code, out } = spawned(['validate', '-'], { input, env: { LANG: 'es_ES.UTF-8' } })
    expect([code, out.split('\n')[0]]).toEqual([0, '✔ <stdin>  válida'])
  })

  it('ends with 2 after a failure outside of its command: 1 is for invoices that are not valid', () => {
    const { code, err } = spawned(['validate', EXAMPLE], { env: { NODE_OPTIONS: `--import=${FAILING}` } })
    expect([code, err]).toEqual([2, 'cuadra: unexpected failure: Error: nothing waits for this\n'])
  })

  it.skipIf(!existsSync('/dev/full'))('ends with 2 where its output cannot be written', () => {
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
