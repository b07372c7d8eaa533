/**
 * Runs all checks of schemathesis against the served OpenAPI document. It may find only what `checks.py` excuses with a
 * reason, above all the documented 200 of the three validation routes. Runs only in the long run, and if the program is
 * installed (`pip install schemathesis`, or CUADRA_SCHEMATHESIS with its path). `suites/document.ts` tests its earlier
 * findings.
 */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../folders.ts'
import { LONG } from '../size.ts'
import { BASE_PATH, startServer } from './harness.ts'

const PROGRAM = process.env.CUADRA_SCHEMATHESIS ?? 'schemathesis'
const EXAMPLES = process.env.CUADRA_SCHEMATHESIS_EXAMPLES ?? '15'
const SEED = process.env.CUADRA_SCHEMATHESIS_SEED ?? '20261122'
const SECONDS = 1800

const isThere = LONG && spawnSync(PROGRAM, ['--version']).status === 0
const why = LONG
  ? isThere
    ? ''
    : ' (not run: there is no schemathesis here, `pip install schemathesis`)'
  : ' (not run: only in npm run test:long)'

const found = (url: string, key: string, taxId: string, folder: string) =>
  new Promise<{ status: number | null; output: string }>((resolve) => {
    const child = spawn(
      PROGRAM,
      [
        ...['run', `${url}/openapi.json`, '--url', `${url}${BASE_PATH}`, '-H', `X-API-Key: ${key}`],
        ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance,negative_data_rejection'],
        ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', EXAMPLES, '--seed', SEED],
        ...['--continue-on-failure', '--no-shrink', '--suppress-health-check', 'all', '--no-color'],
        ...['--generation-database', 'none', '--warnings', 'off'],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: fileURLToPath(new URL('./schemathesis/checks.py', import.meta.url)),
          CUADRA_TAX_ID: taxId,
        },
      },
    )
    const late = setTimeout(() => child.kill('SIGINT'), SECONDS * 1000)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.once('close', (status) => {
      clearTimeout(late)
      resolve({ status, output })
    })
  })

describe('the OpenAPI document', () => {
  it.skipIf(!isThere)(
    `is as strict as the server: all checks of schemathesis find nothing${why}`,
    async () => {
      const server = await startServer({ store: 'sqlite' })
      const folder = temporaryFolder()
      try {
        const { key, data } = await server.company()
        const { status, output } = await found(server.url, key, data.tax_id, folder)
        expect(output).toContain(`Tested: ${ROUTES.length}`)
        expect(status, output.slice(-20_000)).toBe(0)
        console.log(/Test cases:\n.*/.exec(output)?.[0])
      } finally {
        await server.stop()
      }
    },
    (SECONDS + 300) * 1000,
  )
})
