/** Runs the commands of examples/worker/README.md, except those that need an external account. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { LIMITS } from '#entry/request/request-limits.ts'
import { portOf } from '../../narrow.ts'
import { hasProgram, setMissing } from '../../needs.ts'
import { until } from '../../until.ts'
import { DRAFT, ROOT, read } from './ask.ts'

const cwd = fileURLToPath(ROOT)

const lines = [...read('examples/worker/README.md').matchAll(/^```sh\n(.*?)^```/gms)].flatMap(
  ([, text = '']) => text.trim().split('\n'),
)
const asking = lines.filter((line) => line.startsWith('curl'))
const elsewhere = lines.filter((line) => line.includes('wrangler deploy'))
const serving = lines.filter((line) => !asking.includes(line) && !elsewhere.includes(line))

const freePort = () =>
  new Promise<number>((found) => {
    const probe = createServer()
    probe.listen(0, () => {
      const port = portOf(probe)
      probe.close(() => found(port))
    })
  })

/** A command of the page, on a port of ours and without what npx would download. */
const ours = (line: string, port: number): string =>
  line.replaceAll('8787', String(port)).replaceAll('npx ', 'dev-packages/runtimes/node_modules/.bin/')

async function started(process: ChildProcess, port: number): Promise<void> {
  const isReady = () => {
    if (process.exitCode !== null) throw new Error(`it ended with ${process.exitCode}`)
    return fetch(`http://localhost:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until(isReady, `it listens on port ${port}`, { everyMs: 100 })
}

it('the page has commands for three runtimes, two requests and one deployment', () => {
  expect([serving.length, asking.length, elsewhere.length]).toEqual([3, 2, 1])
  expect(
    existsSync(new URL(required(required(/--config (\S+)/.exec(required(elsewhere[0])))[1]), ROOT)),
  ).toBe(true)
})

const missing = setMissing('runtimes')
const without = (line: string): string | undefined =>
  hasProgram('curl') ? (line.includes('npx ') ? missing : undefined) : 'needs curl'
for (const line of serving.filter(without)) it.skip(`${line} (${without(line)})`, () => undefined)

describe.each(serving.filter((line) => !without(line)))('%s', (line) => {
  it('serves', async () => {
    const port = await freePort()
    // A group of its own: the shell and what it started end together.
    const server = spawn('bash', ['-c', `exec env ${ours(line, port)}`], {
      cwd,
      detached: true,
      stdio: 'ignore',
    })
    try {
      await started(server, port)
      const run = (command: string) =>
        spawnSync('bash', ['-c', ours(command, port)], { cwd, encoding: 'utf8' }).stdout
      const [validated = '', head] = asking.map(run)
      expect(JSON.parse(validated)).toMatchObject({ is_valid: true, explanation: expect.any(Array) })
      expect(head).toMatch(/^HTTP\/1\.1 200/)
      expect(head?.toLowerCase()).toMatch(/^etag: "[\da-f]{64}"\r?$/m)

      const post = (body: RequestInit['body'], more: RequestInit = {}) =>
        fetch(`http://localhost:${port}/validate?today=2026-03-05`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: required(body),
          ...more,
        })
      const text = await (await post(DRAFT)).text()
      expect(text).toBe(JSON.stringify(validate(JSON.parse(DRAFT), { today: '2026-03-05' })))
      expect((await post('{')).status).toBe(422)
      expect((await post(DRAFT, { method: 'PUT' })).status).toBe(405)
      // curl sends it piece by piece and reads the answer that comes before its end.
      const long = `head -c 12000000 /dev/zero | curl --silent --header 'Content-Type: application/json' --header 'Transfer-Encoding: chunked' --data-binary @- http://localhost:8787/validate`
      expect(JSON.parse(run(long)).detail).toMatchObject({
        code: 'payload_too_large',
        max_bytes: LIMITS.maxBytes,
      })
      expect((await post(DRAFT)).status, 'and goes on').toBe(200)
    } finally {
      process.kill(-required(server.pid), 'SIGKILL')
    }
  })
})
