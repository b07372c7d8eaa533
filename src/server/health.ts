/**
 * `cuadra-server health`: asks the server of this environment how it is, for containers and service managers, which
 * may have no other program that speaks HTTP. Exits 0 where it is well, 1 where it is not, 2 with a wrong environment.
 */
import { ConfigError, readConfig } from './environment/config.ts'

/** Milliseconds: a server that takes longer is not well. */
const PATIENCE = 4000

/** An address that means all of this machine is none that one can connect to. */
const REACHABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function healthUrl(environment: NodeJS.ProcessEnv): string {
  const { host, port } = readConfig(environment)
  const address = REACHABLE[host] ?? host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/health`
}

async function ask(): Promise<number> {
  const url = healthUrl(process.env)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) })
    process.stdout.write(`${(await response.text()).trim()}\n`)
    return response.ok ? 0 : 1
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message
    process.stderr.write(
      `cuadra-server: ${url} does not answer (${why}). Is it running, with the same HOST and PORT?\n`,
    )
    return 1
  }
}

ask().then(
  (code) => {
    process.exitCode = code
  },
  (error: Error) => {
    process.stderr.write(`cuadra-server: ${error.message}\n`)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  },
)
