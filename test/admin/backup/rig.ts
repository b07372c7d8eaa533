/** Servers with something in them, and folders for their backups. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { administer } from '../../conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '../../conformance/harness.ts'
import { draft } from '../../conformance/invoices.ts'
import { postgresDatabase } from '../../conformance/postgres.ts'
import { activateVerifactu } from '../../conformance/verifactu.ts'

export type Kind = 'sqlite' | 'postgres'

const ADMIN =
  process.env.CUADRA_ADMIN_PROGRAM ?? fileURLToPath(new URL('../../../dist/server/admin.js', import.meta.url))

/** A folder that is gone when the tests of its file are. */
export const temporary = (): { readonly at: (name: string) => string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-backup-'))
  return {
    at: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/** An empty place of a kind. */
export const emptyPlace = async (kind: Kind, dataDir: string): Promise<Place> => ({
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

  /** Issues one invoice with an attached file; answers its number once that was acknowledged. */
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

  /** Issues until it is told to stop, so many at once; answers when it has stopped. */
  async issueUntil(isOver: () => boolean, issuers = 4): Promise<void> {
    const one = async (): Promise<void> => {
      while (!isOver()) await this.issue()
    }
    await Promise.all(Array.from({ length: issuers }, one))
  }
}

/** Starts a server on a place that was restored; nothing in it is sent anywhere. */
export const serve = ({ dataDir, databaseUrl }: Place): Promise<TestServer> =>
  startServer({
    store: databaseUrl ? 'postgres' : 'sqlite',
    dataDir,
    check: false,
    ...(databaseUrl ? { databaseUrl } : {}),
  })

/** Starts the built program, and kills it as soon as something is there. Answers whether it was still at work. */
export async function killedWhen(
  place: Place,
  args: readonly string[],
  isThere: () => boolean,
  after = 0,
): Promise<boolean> {
  const child = spawn(process.execPath, [ADMIN, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      CUADRA_DATA_DIR: place.dataDir,
      ...(place.databaseUrl ? { CUADRA_DATABASE_URL: place.databaseUrl } : {}),
    },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (child.exitCode === null && !isThere()) await new Promise((resolve) => setTimeout(resolve, 1))
  await new Promise((resolve) => setTimeout(resolve, after))
  const wasAtWork = child.exitCode === null
  child.kill('SIGKILL')
  await ended
  return wasAtWork
}

export const partsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('.part-')) : []

/** Restores, and lets it be served although nobody was asked what was issued since. */
export async function restoreAndAccept(from: string, place: Place) {
  const restored = await administer(place, ['restore', '--from', from, '--json'])
  expect([restored.status, restored.stderr]).toEqual([0, ''])
  const accepted = await administer(place, ['restore', '--accept', '--anyway', '--json'])
  expect([accepted.status, accepted.stderr]).toEqual([0, ''])
  return restored.json
}
