/** `npm start`: reads the configuration, serves, and stops when it is asked to. */
import { ConfigError, readConfig } from './config.ts'
import { demonstration } from './demonstration.ts'
import { BASE_PATH } from './http/server.ts'
import { start } from './start.ts'
import { isFull } from './store/faults.ts'

// A reader that is gone, or a file on a full disk, is no reason to end.
process.stdout.on('error', () => {})

const say = (line = ''): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const running = await start(config)
  const { app, port, stop } = running
  const shown =
    config.host === '0.0.0.0' || config.host === '::'
      ? 'localhost'
      : config.host.includes(':')
        ? `[${config.host}]`
        : config.host
  const base = `http://${shown}:${port}`
  const demo = await demonstration(app)
  say(`cuadra serves ${base}${BASE_PATH}`)
  say(`  playground ${base}/   reference ${base}/docs   health ${base}/health`)
  if (demo) {
    say()
    say(`A demonstration company was made. Its key is shown this once:`)
    say(`  company  ${demo.legalName} (${demo.taxId}), ${demo.companyId}`)
    say(`  key      ${demo.key}`)
    say()
    say(`  curl -s -H 'X-API-Key: ${demo.key}' ${base}${BASE_PATH}/company`)
  }
  const shutDown = (signal: string) => {
    app.log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', shutDown)
  process.once('SIGINT', shutDown)
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError
  const { code } = error as NodeJS.ErrnoException
  const reason =
    code === 'EADDRINUSE'
      ? 'The port is taken. Set PORT to another one, or stop what uses it.'
      : isFull(error)
        ? 'The disk of the database is full: there is no room to open it. Make room, and start again.'
        : (error as Error).message
  process.stderr.write(`cuadra-server: ${reason}\n`)
  process.exit(known ? 2 : 1)
})
