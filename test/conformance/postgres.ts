/**
 * A PostgreSQL for the tests, if its programs are installed. The first test file that needs it starts it, all files
 * share it, and it stops when the run ends (`scripts/run-folder.mjs`).
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isBare } from '../bare.ts'
import { until } from '../until.ts'

/** The folder of `initdb` and `pg_ctl`; undefined if PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions =
    existsSync(debian) && !isBare ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map((version) => join(debian, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

const isRoot = userInfo().uid === 0
/** PostgreSQL refuses to run as root. Debian's package creates a user for it. */
const commandOf = (command: string, args: readonly string[]): [string, string[]] =>
  isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, [...args]]

const asPostgres = (command: string, args: readonly string[]): void => {
  const [program, all] = commandOf(command, args)
  execFileSync(program, all, { stdio: ['ignore', 'ignore', 'pipe'], cwd: tmpdir() })
}

/** Whether PostgreSQL can be started here. */
export const hasPostgres = (): boolean =>
  postgresPrograms() !== undefined && (!isRoot || spawnSync('id', ['postgres']).status === 0)

const programsOrThrow = (): string => {
  const programs = postgresPrograms()
  if (!programs) throw new Error('PostgreSQL is not installed')
  return programs
}

/** The address of a database of the cluster whose socket is in a folder. */
export const urlIn = (folder: string) => (database: string) =>
  `postgresql://cuadra@localhost/${database}?host=${encodeURIComponent(folder)}`

const SETTINGS = ['-U', 'cuadra', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']

/**
 * Creates and starts a cluster in its own folder, which is a standby of `primary` if it is given. Returns its data
 * folder and the arguments that start it.
 */
function newCluster(
  folder: string,
  primary?: string,
): { readonly data: string; readonly starting: readonly string[] } {
  const programs = programsOrThrow()
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  if (primary === undefined) asPostgres(join(programs, 'initdb'), ['-D', data, ...SETTINGS])
  else {
    const from = ['-h', primary, '-U', 'cuadra', '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    asPostgres(join(programs, 'pg_basebackup'), ['-D', data, ...from])
  }
  // What a process has written outlives its crash. Only a crash of the machine would need `fsync`.
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=400 -c fsync=off`
  const starting = ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']
  asPostgres(join(programs, 'pg_ctl'), starting)
  return { data, starting }
}

/** Returns the folder of the shared cluster. The first caller starts it. */
async function sharedCluster(): Promise<string> {
  // Test files run in threads of one process, whose `TMPDIR` is the folder of the run.
  const folder = join(tmpdir(), 'shared')
  const isReady = join(folder, 'ready')
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined
  if (isFirst) {
    newCluster(folder)
    writeFileSync(isReady, '')
  }
  await until(() => existsSync(isReady), 'the shared PostgreSQL runs', { seconds: 60 })
  return folder
}

/** A cluster that a test may stop and start; the other tests of its file use another one. */
export interface OwnCluster {
  readonly folder: string
  readonly url: (database: string) => string
  /** `immediate` is a crash: no connection is notified, and the next start recovers. */
  readonly stop: (mode: 'immediate' | 'fast') => Promise<void>
  readonly start: () => Promise<void>
  /** Makes a standby a server that accepts changes. */
  readonly promote: () => Promise<void>
  /** Terminates every connection of a server. Returns their number. */
  readonly terminate: () => Promise<number>
}

/** Starts a cluster, which is a standby of `primary` if it is given. */
export function ownPostgres(primary?: OwnCluster): OwnCluster {
  const folder = mkdtempSync(join(tmpdir(), 'own-'))
  const { data, starting } = newCluster(folder, primary?.folder)
  const control = async (args: readonly string[]): Promise<void> => {
    const [program, all] = commandOf(join(programsOrThrow(), 'pg_ctl'), args)
    // The database must not inherit the pipes of this process.
    const child = spawn(program, all, { stdio: 'ignore', cwd: tmpdir() })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`pg_ctl ${args.at(-1)} ended with ${code}`)
  }
  const url = urlIn(folder)
  return {
    folder,
    url,
    stop: (mode) => control(['-D', data, '-w', '-m', mode, 'stop']),
    start: () => control(starting),
    promote: () => control(['-D', data, '-w', 'promote']),
    async terminate() {
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      const { rowCount } = await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuadra'",
      )
      await client.end()
      return rowCount ?? 0
    },
  }
}

/** The address of a database of the shared cluster. */
export const postgresUrl = async (database: string): Promise<string> => urlIn(await sharedCluster())(database)

/** The address of a new, empty database. */
export async function postgresDatabase(): Promise<string> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: await postgresUrl('postgres') })
  await client.connect()
  const name = `cuadra_${randomUUID().replaceAll('-', '')}`
  await client.query(`create database ${name}`)
  await client.end()
  return postgresUrl(name)
}
