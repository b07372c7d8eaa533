/**
 * Starts a PostgreSQL server for the measurement, if PostgreSQL is installed. The server ends with the process of the
 * measurement, even if that process is killed.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { startRun } from '../../scripts/run-folder.mjs'

const debian = '/usr/lib/postgresql'

export function startPostgres() {
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const programs = versions
    .map((version) => join(debian, version, 'bin'))
    .find((path) => existsSync(join(path, 'initdb')))
  if (!programs) return undefined
  startRun()
  const run = (program, args) => {
    const command = join(programs, program)
    // PostgreSQL refuses to run as root.
    const [file, all] =
      userInfo().uid === 0 ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args]
    execFileSync(file, all, { stdio: ['ignore', 'ignore', 'inherit'], cwd: tmpdir() })
  }
  const home = mkdtempSync(join(tmpdir(), 'cuadra-bench-pg-'))
  chmodSync(home, 0o777)
  const data = join(home, 'data')
  run('initdb', ['-D', data, '-U', 'cuadra', '-A', 'trust', '-E', 'UTF8', '--locale=C'])
  const options = `-c listen_addresses='' -c unix_socket_directories='${home}' -c max_connections=100`
  run('pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(home, 'log'), 'start'])
  const url = (name) => `postgresql://cuadra@localhost/${name}?host=${encodeURIComponent(home)}`
  let made = 0
  return {
    async database() {
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      const name = `bench_${++made}`
      await client.query(`create database ${name}`)
      await client.end()
      return url(name)
    },
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(home, { recursive: true, force: true })
    },
  }
}
