/** Runs the built command as its users do. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const main = `${root}dist/cli/main.js`

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Settings {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** Surroundings that do not depend on where the tests run. */
const surroundings = (env: Settings['env']) => ({ PATH: process.env.PATH ?? '', CI: 'true', ...env })

export function cuadra(args: readonly string[], { input = '', env }: Settings = {}): Run {
  if (!existsSync(main)) throw new Error('dist/cli/main.js is missing: npm run build')
  const run = spawnSync(process.execPath, [main, ...args], {
    cwd: root,
    input,
    env: surroundings(env),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return { code: run.status, out: run.stdout, err: run.stderr }
}

/** Runs the command and closes its output after the first piece, as `| head -1` does. */
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
