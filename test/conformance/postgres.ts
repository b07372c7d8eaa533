/**
 * A PostgreSQL of the tests' own, where the machine has its programs: started once per test file, stopped when the
 * whole run ends (`teardown.ts`), since a thread that is ended is not told.
 */
import { execFileSync, spawnSync } from 'node:child_process'
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
const asPostgres = (command: string, args: readonly string[]): void => {
  const [program, all] = isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]
  execFileSync(program as string, all as string[], { stdio: ['ignore', 'ignore', 'pipe'], cwd: tmpdir() })
}

/** Whether PostgreSQL can be started here. */
export const hasPostgres = (): boolean =>
  postgresPrograms() !== undefined && (!isRoot || spawnSync('id', ['postgres']).status === 0)

let cluster: PostgresCluster | undefined

export function startPostgres(): PostgresCluster {
  if (cluster) return cluster
  const programs = postgresPrograms()
  if (!programs) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  asPostgres(join(programs, 'initdb'), [
    '-D',
    data,
    '-U',
    'cuadra',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=200 -c fsync=on`
  asPostgres(join(programs, 'pg_ctl'), ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start'])
  const stop = () => {
    if (!cluster) return
    cluster = undefined
    asPostgres(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  cluster = {
    url: (database) => `postgresql://cuadra@localhost/${database}?host=${encodeURIComponent(folder)}`,
    stop,
  }
  return cluster
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
