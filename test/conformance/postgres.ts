/**
 * A PostgreSQL of the tests' own, where the machine has its programs: started once per test file, stopped when the
 * whole run ends (`teardown.ts`), since a thread that is ended is not told.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'cuadra-postgres-'

export interface PostgresCluster {
  readonly url: (database: string) => string
  readonly stop: () => void
}

/** The folder of `initdb` and `pg_ctl`; undefined where PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map((version) => join(debian, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

const isRoot = userInfo().uid === 0
/** PostgreSQL refuses to run as root: Debian's package has made a user for it. */
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

const urlIn = (folder: string) => (database: string) =>
  `postgresql://cuadra@localhost/${database}?host=${encodeURIComponent(folder)}`

/** A new cluster in a folder of its own, with the arguments that start it. */
function newCluster(): {
  readonly folder: string
  readonly data: string
  readonly starting: readonly string[]
} {
  const programs = programsOrThrow()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const settings = ['-U', 'cuadra', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  asPostgres(join(programs, 'initdb'), ['-D', data, ...settings])
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=200 -c fsync=on`
  const starting = ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']
  asPostgres(join(programs, 'pg_ctl'), starting)
  return { folder, data, starting }
}

let cluster: PostgresCluster | undefined

export function startPostgres(): PostgresCluster {
  if (cluster) return cluster
  const programs = programsOrThrow()
  const { folder, data } = newCluster()
  const stop = () => {
    if (!cluster) return
    cluster = undefined
    asPostgres(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  cluster = { url: urlIn(folder), stop }
  return cluster
}

/** A cluster that a test may stop and start as it likes; the other tests of its file have another. */
export interface OwnCluster {
  readonly folder: string
  readonly url: (database: string) => string
  /** `immediate` is a crash: no connection is told, and the next start recovers. */
  readonly stop: (mode: 'immediate' | 'fast') => Promise<void>
  readonly start: () => Promise<void>
  /** Ends every connection of a server; answers how many there were. */
  readonly terminate: () => Promise<number>
}

export function ownPostgres(): OwnCluster {
  const { folder, data, starting } = newCluster()
  const control = async (args: readonly string[]): Promise<void> => {
    const [program, all] = commandOf(join(programsOrThrow(), 'pg_ctl'), args)
    // Nobody may hold the pipes of this process but this process: the database would.
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

/** Stops every cluster that tests of this process have started. */
export function stopAllPostgres(): void {
  const programs = postgresPrograms()
  const own = readdirSync(tmpdir()).filter((name) => name.startsWith(`${PREFIX}${process.pid}-`))
  for (const name of own) {
    const folder = join(tmpdir(), name)
    if (programs && existsSync(join(folder, 'data', 'postmaster.pid')))
      asPostgres(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), '-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
}

let databases = 0

/** The address of a new, empty database. */
export async function postgresDatabase(): Promise<string> {
  const { url } = startPostgres()
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url('postgres') })
  await client.connect()
  const name = `cuadra_${process.pid}_${++databases}`
  await client.query(`create database ${name}`)
  await client.end()
  return url(name)
}
