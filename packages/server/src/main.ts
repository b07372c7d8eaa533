/** `npm start` reads the configuration, starts the server, and stops it on a signal. */
import {
  fileProblem,
  isDatabaseUnreachable,
  isDiskFull,
  isPathBlockedByFile,
} from 'cuadra-storage/storage-faults.ts'
import { demonstration } from './demonstration.ts'
import { ConfigError, readConfig } from './environment/config.ts'
import { MAX_BATCH_BYTES } from './environment/server-limits.ts'
import { missingParts } from './missing-parts.ts'
import { BASE_PATH } from './service/access/http-response.ts'
import { startServer } from './start.ts'

// The server must continue if the reader of its output closes the pipe, or if the disk of the output is full.
process.stdout.on('error', () => {})

const printLine = (line = ''): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const running = await startServer(config)
  const { app, port, stop } = running
  const shown =
    config.host === '0.0.0.0' || config.host === '::'
      ? 'localhost'
      : config.host.includes(':')
        ? `[${config.host}]`
        : config.host
  const base = `http://${shown}:${port}`
  const [demo, missing] = [await demonstration(app), await missingParts(app)]
  printLine(`cuadra serves ${base}${BASE_PATH}`)
  printLine(`  playground ${base}/   reference ${base}/docs   health ${base}/health`)
  printLine(`  batches up to ${Math.floor(MAX_BATCH_BYTES / 1024 / 1024)} MiB`)
  const simulator = running.simulator()
  if (simulator) printLine(`  simulator of the tax authority ${simulator.controlUrl}/`)
  for (const part of missing) printLine(`  off: ${part}`)
  if (demo) {
    printLine()
    printLine('Created a demonstration company. Its key is shown only once:')
    printLine(`  company  ${demo.legalName} (${demo.taxId}), ${demo.companyId}`)
    printLine(`  key      ${demo.key}`)
    printLine()
    printLine(`  curl -s -H 'X-API-Key: ${demo.key}' ${base}${BASE_PATH}/company`)
  }
  void app.work.prepare()
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

/** Returns why the server does not start, and how to fix it. */
function reasonOf(error: unknown): string {
  // If a name has several addresses, each has its own error; the first error is reported.
  const { code, message, path, errors } = error as NodeJS.ErrnoException & { errors?: readonly Error[] }
  if (code === 'EADDRINUSE')
    return 'The port is in use. Set PORT to another one, or stop the program that uses it.'
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${process.env.HOST ?? ''} is not an address of this machine. Set it to one, or to 127.0.0.1.`
  if (isDiskFull(error))
    return 'The disk of the database is full, so it cannot be opened. Free some space, and start again.'
  if (isPathBlockedByFile(error))
    return `CUADRA_DATA_DIR ${path} is not a folder. Set it to a folder, or to a path to create one.`
  if (isDatabaseUnreachable(error))
    return `The database cannot be reached (${message || errors?.[0]?.message}). Check CUADRA_DATABASE_URL.`
  return fileProblem(error) ?? message
}

main().catch((error: unknown) => {
  process.stderr.write(`cuadra-server: ${reasonOf(error)}\n`)
  process.exit(error instanceof ConfigError ? 2 : 1)
})
