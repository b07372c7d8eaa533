/** Fixtures for tests of backups: servers with data, and temporary folders. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { postgresDatabase } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { pathAndFolder } from '#test/folders.ts'
import { until } from '#test/until.ts'

export type Kind = 'sqlite' | 'postgres'

const ADMIN =
  process.env.CUADRA_ADMIN_PROGRAM ??
  fileURLToPath(new URL('../../../../../dist/server/admin.js', import.meta.url))

export interface Target {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/** Returns an empty restore target for a kind of database. */
export const emptyTarget = async (kind: Kind, dataDir: string): Promise<Target> => ({
  dataDir,
  databaseUrl: kind === 'postgres' ? await postgresDatabase() : undefined,
})

export class Shop {
  readonly numbers: string[] = []
  readonly server: TestServer
  readonly company: TestCompany

  private constructor(server: TestServer, company: TestCompany) {
    this.server = server
    this.company = company
  }

  static async open(kind: Kind, mode?: 'verifactu' | 'no_verifactu'): Promise<Shop> {
    const server = await startServer({ store: kind, check: false })
    const company = await server.company()
    if (mode) await activateVerifactu(server, company.id, mode)
    return new Shop(server, company)
  }

  /** Issues one invoice with an attached file, and returns its number. */
  async issue(series = 'F', bytes = 2000): Promise<string> {
    const { server, company } = this
    const { json } = await server.call('PUT', '/drafts', { key: company.key, body: draft({ series }) })
    const form = new FormData()
    form.append('file', new Blob(['x'.repeat(bytes) + json.id]), 'file.txt')
    await server.call('POST', `/drafts/${json.id}/documents`, { key: company.key, body: form })
    const issued = await server.call('POST', `/issued-invoices/${json.id}/issue`, { key: company.key })
    expect(issued.status, issued.text).toBe(200)
    this.numbers.push(issued.json.number)
    return issued.json.number
  }

  /** Issues invoices concurrently until `isOver` returns true. */
  async issueUntil(isOver: () => boolean, issuers = 4): Promise<void> {
    const one = async (): Promise<void> => {
      while (!isOver()) await this.issue()
    }
    await Promise.all(Array.from({ length: issuers }, one))
  }
}

/** Starts a server on a restored target. It sends nothing to the authority. */
export const serve = ({ dataDir, databaseUrl }: Target): Promise<TestServer> =>
  startServer({
    store: databaseUrl ? 'postgres' : 'sqlite',
    dataDir,
    check: false,
    ...(databaseUrl ? { databaseUrl } : {}),
  })

/** Starts the built program, and kills it `after` ms after `isThere` holds. Returns whether it was still running. */
export async function killedWhen(
  target: Target,
  args: readonly string[],
  isThere: () => boolean,
  after = 0,
): Promise<boolean> {
  const child = spawn(process.execPath, [ADMIN, ...args], {
    env: {
      ...pathAndFolder(),
      CUADRA_DATA_DIR: target.dataDir,
      ...(target.databaseUrl ? { CUADRA_DATABASE_URL: target.databaseUrl } : {}),
    },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until(() => child.exitCode !== null || isThere(), 'the program has come to where it is killed', {
    everyMs: 1,
  })
  await sleep(after)
  const wasRunning = child.exitCode === null
  child.kill('SIGKILL')
  await ended
  return wasRunning
}

export const partsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('.part-')) : []

/** Restores a backup, and accepts the restore with `--anyway`. */
export async function restoreAndAccept(from: string, target: Target) {
  const restored = await administer(target, ['restore', '--from', from, '--json'])
  expect([restored.status, restored.stderr]).toEqual([0, ''])
  const accepted = await administer(target, ['restore', '--accept', '--anyway', '--json'])
  expect([accepted.status, accepted.stderr]).toEqual([0, ''])
  return restored.json
}
