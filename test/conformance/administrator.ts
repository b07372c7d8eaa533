/** Runs the administrator's command line on a server's store, in this process or as the built program. */
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { run } from '../../packages/server/admin/commands/admin-run.ts'
import { pathAndFolder } from '../folders.ts'
import type { TestServer } from './harness.ts'

const PROGRAM =
  process.env.CUADRA_ADMIN_PROGRAM ?? fileURLToPath(new URL('../../dist/server/admin.js', import.meta.url))

export interface Commanded {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** The output as JSON; undefined if it is not JSON. */
  readonly json: any
}

export interface CommandOptions {
  /** The standard input. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

type Place = Pick<TestServer, 'dataDir' | 'databaseUrl'>

const environmentOf = ({ dataDir, databaseUrl }: Place) => ({
  CUADRA_DATA_DIR: dataDir,
  ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
})

const withJson = (answer: Omit<Commanded, 'json'>): Commanded => {
  let json: unknown
  try {
    json = JSON.parse(answer.stdout)
  } catch {
    json = undefined
  }
  return { ...answer, json }
}

/** Runs a command on the store of a server in this process, since starting another one takes most of a second. */
export async function administer(
  place: Place,
  args: readonly string[],
  { input = '', env = {} }: CommandOptions = {},
): Promise<Commanded> {
  let [stdout, stderr] = ['', '']
  const status = await run(args, {
    env: { ...environmentOf(place), ...env },
    out: (text) => {
      stdout += text
    },
    err: (text) => {
      stderr += text
    },
    input: () => Readable.from([Buffer.from(input)]),
  })
  return withJson({ status, stdout, stderr })
}

/** Runs the built program. */
export function administerAside(
  place: Place,
  args: readonly string[],
  { input = '', env = {} }: CommandOptions = {},
): Promise<Commanded> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...pathAndFolder(), ...environmentOf(place), ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => {
    child.once('close', (status) => resolve(withJson({ status, stdout, stderr })))
  })
}
