/** Runs the command line: in this process, or as the built program where that makes a difference. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { type Cli, cliOf } from '../../src/cli/input/cli.ts'
import { run } from '../../src/cli/run.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const main = `${root}dist/cli/main.js`

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Settings {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** In this process the folder may be another one. */
interface HereSettings extends Settings {
  readonly cwd?: string
}

/** Surroundings that do not depend on where the tests run. */
const surroundings = (env: Settings['env']) => ({ PATH: process.env.PATH ?? '', CI: 'true', ...env })

/** A stream that keeps what is written to it. */
function kept() {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece: Buffer, _, written) {
      pieces.push(piece)
      written()
    },
  })
  const text = async (): Promise<string> => {
    stream.end()
    await finished(stream)
    return Buffer.concat(pieces).toString('utf8')
  }
  return { stream, text }
}

/** Runs the command line in this process: no thread can be started here, so that batches need `--workers 0`. */
export async function cuadra(
  args: readonly string[],
  { input = '', env, cwd = root }: HereSettings = {},
): Promise<Run> {
  const [out, err] = [kept(), kept()]
  const code = await run(args, {
    env: surroundings(env),
    cwd,
    input: async function* () {
      if (input.length > 0) yield Buffer.from(input)
    },
    out: out.stream,
    err: err.stream,
  })
  return { code, out: await out.text(), err: await err.text() }
}

/** A run that reads and writes nothing, for what is declared. */
export const silentCli = (locale: Cli['locale']): Cli => {
  const { stream } = kept()
  const io = { env: {}, cwd: root, input: async function* () {}, out: stream, err: stream }
  return cliOf(io, locale, () => undefined)
}

/** Runs the built command as its users do. */
export function spawned(args: readonly string[], { input = '', env }: Settings = {}): Run {
  if (!existsSync(main)) throw new Error('dist/cli/main.js is missing: npm run build')
  const done = spawnSync(process.execPath, [main, ...args], {
    cwd: root,
    input,
    env: surroundings(env),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** Runs the built command and closes its output after the first piece, as `| head -1` does. */
export function cuadraClosedEarly(args: readonly string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env: surroundings(undefined) })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdout.once('data', () => child.stdout.destroy())
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })))
}

export const EXAMPLE = 'examples/02-shop-prices-with-tax.json'
export const WRONG = 'examples/wrong/everything-wrong.json'
