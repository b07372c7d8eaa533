/**
 * `cuadra-server health` checks the server of this environment, for containers and service managers without an HTTP
 * client. It exits with 0 if the server is healthy, 1 if it is not, and 2 if the environment is invalid.
 */
import { ConfigError, readConfig } from './environment/config.ts'

/** Milliseconds to wait for the server. A server that does not respond in this time is unhealthy. */
const TIMEOUT_MS = 4000

/** Local addresses to connect to if the server listens on all addresses. */
const REACHABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function healthUrl(environment: NodeJS.ProcessEnv): string {
  const { host, port } = readConfig(environment)
  const address = REACHABLE[host] ?? host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/health`
}

async function ask(): Promise<number> {
  const url = healthUrl(process.env)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    process.stdout.write(`${(await response.text()).trim()}\n`)
    return response.ok ? 0 : 1
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message
    process.stderr.write(
      `cuadra-server: ${url} does not respond (${why}). Check that the server is running with the same HOST and PORT.\n`,
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
