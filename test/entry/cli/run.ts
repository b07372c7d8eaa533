/** Runs the command line, in this process or as the built program. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { type Cli, cliOf } from '#entry/cli/input/cli.ts'
import { run } from '#entry/cli/run-cli.ts'
import { pathAndFolder } from '../../folders.ts'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
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

/** Settings of a run in this process. */
interface HereSettings extends Settings {
  readonly cwd?: string
}

/** Returns an environment that does not depend on where the tests run. */
const environment = (env: Settings['env']) => ({ ...pathAndFolder(), CI: 'true', ...env })

/** Returns a stream that collects its input. */
function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, written) {
      chunks.push(chunk)
      written()
    },
  })
  const text = async (): Promise<string> => {
    stream.end()
    await finished(stream)
    return Buffer.concat(chunks).toString('utf8')
  }
  return { stream, text }
}

/** Runs the command line in this process. Batches need `--workers 0`, since no thread can start here. */
export async function cuadra(
  args: readonly string[],
  { input = '', env, cwd = root }: HereSettings = {},
): Promise<Run> {
  const [out, err] = [collector(), collector()]
  const code = await run(args, {
    env: environment(env),
    cwd,
    input: async function* () {
      if (input.length > 0) yield Buffer.from(input)
    },
    out: out.stream,
    err: err.stream,
  })
  return { code, out: await out.text(), err: await err.text() }
}

/** Returns a context that reads and writes nothing, to inspect the declared commands. */
export const silentCli = (locale: Cli['locale']): Cli => {
  const { stream } = collector()
  const io = { env: {}, cwd: root, input: async function* () {}, out: stream, err: stream }
  return cliOf(io, locale, () => undefined)
}

/** Runs the built command as users do. */
export function spawned(args: readonly string[], { input = '', env }: Settings = {}): Run {
  if (!existsSync(main)) throw new Error('dist/cli/main.js is missing: npm run build')
  const done = spawnSync(process.execPath, [main, ...args], {
    cwd: root,
    input,
    env: environment(env),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** Runs the built command and closes its output after the first chunk, as `| head -1` does. */
export function cuadraClosedEarly(args: readonly string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env: environment(undefined) })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdout.once('data', () => child.stdout.destroy())
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })))
}

export const EXAMPLE = 'examples/02-shop-prices-with-tax.json'
export const WRONG = 'examples/wrong/everything-wrong.json'

/** Returns the documents of an output that has one on each line. */
export const documentsIn = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
