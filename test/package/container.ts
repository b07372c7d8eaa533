/** deploy/: the Dockerfile's steps without Docker, the compose file, the service of systemd, the proxies. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_BATCH_BYTES } from 'cuadra-server/environment/server-limits.ts'
import { describe, expect, it, vi } from 'vitest'
import { required } from '#core/errors/index.ts'
import { hasSet, howToHave, requireFrom } from '../../scripts/dev-packages.mjs'
import { build, type Image } from './dockerfile.ts'
import { away, environment, folder, out, ROOT, unless } from './packing.ts'
import { freePort, serve } from './running.ts'

/** User id of an unprivileged user, if the test may choose the user of a process. */
const UNPRIVILEGED = process.getuid?.() === 0 ? 65_534 : undefined

/** A command of an image, found where the image looks for programs. */
const inImage = (image: Image, args: readonly string[]) => ['/usr/bin/env', `PATH=${image.env.PATH}`, ...args]

/** Nothing in it can be changed but by root, and that not by accident. */
const makeReadOnly = (path: string) => spawnSync('chmod', ['-R', 'a-w,a+rX', path])

type Locked = Readonly<Record<'version' | 'integrity', string>>
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Megabytes of JavaScript that `NODE_OPTIONS` in a file allows. */
const heapIn = (text: string): number => Number(/NODE_OPTIONS=--max-old-space-size=(\d+)/.exec(text)?.[1])

describe.skipIf(away !== '')(`the Dockerfile, step by step${unless}`, () => {
  it('builds a server that runs unprivileged from a read-only folder and reports that it is healthy', async () => {
    chmodSync(folder, 0o755)
    const image = build(join(out, 'deploy/Dockerfile'), out, join(folder, 'image'))
    expect(image).toMatchObject({ user: 'node', stopSignal: 'SIGTERM', volumes: ['/data'], workdir: '/data' })
    expect(image.owners).toEqual(['/data node:node'])
    const installed = readJson(join(image.root, 'opt/cuadra/node_modules/.package-lock.json')).packages
    const { packages } = readJson(`${ROOT}package-lock.json`)
    for (const [path, { version, integrity }] of Object.entries<Locked>(installed))
      expect({ version, integrity }, path).toEqual({
        version: packages[path].version,
        integrity: packages[path].integrity,
      })
    expect(Object.keys(installed).length).toBeGreaterThan(20)
    makeReadOnly(join(image.root, 'opt'))
    const data = join(image.root, 'data')
    chmodSync(data, 0o777)
    const port = await freePort()
    const settings = { ...image.env, PORT: String(port) }
    const service = serve(inImage(image, image.command), { cwd: data, env: settings, id: UNPRIVILEGED })
    await service.address
    const check = inImage(image, image.health)
    const asked = () =>
      spawnSync(required(check[0]), check.slice(1), { env: environment(settings), encoding: 'utf8' })
    expect(asked()).toMatchObject({ status: 0, stdout: '{"status":"ok"}\n' })
    // The demonstration company is made once the server listens.
    const key = await vi.waitFor(() => required(required(/key\s+(cuadra_\S+)/.exec(service.output()))[1]), {
      timeout: 60_000,
    })
    const company = await fetch(`http://127.0.0.1:${port}/api/v1.1/company`, {
      headers: { 'X-API-Key': key },
    })
    expect(await company.json()).toMatchObject({ tax_id: 'B77777779' })
    expect(await service.stop()).toBe(0)
    expect(asked().status).toBe(1)
    // Lets the user of the tests remove the folder.
    spawnSync('chmod', ['-R', 'u+w', image.root])
  })
})

const yaml = hasSet('package')
const needs = yaml ? '' : ` (${howToHave('package')})`
const parsed = (file: string) => requireFrom('package')('yaml').parse(readFileSync(`${ROOT}${file}`, 'utf8'))

/** Every variable that the server reads. */
const KNOWN = new Set(
  [
    ...readFileSync(`${ROOT}packages/server/src/environment/config.ts`, 'utf8').matchAll(
      /'(CUADRA_[A-Z_]+|PORT|HOST)'/g,
    ),
  ].map(([, name]) => name),
)

describe('deploy/compose.yaml', () => {
  it.skipIf(!yaml)(
    `sets what the server reads, keeps it read-only and without rights, and its data in volumes${needs}`,
    () => {
      const { services, volumes } = parsed('deploy/compose.yaml')
      const { server, database } = services
      for (const name of Object.keys(server.environment)) expect(KNOWN).toContain(name)
      expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true })
      expect(server.build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' })
      expect(server.depends_on.database).toEqual({ condition: 'service_healthy' })
      expect(database.healthcheck.test.join(' ')).toContain('pg_isready -U cuadra -d cuadra')
      const named = [...server.volumes, ...database.volumes].map((one: string) => one.split(':')[0])
      expect(named).toEqual(Object.keys(volumes))
      const { CUADRA_DATABASE_URL: url } = server.environment
      const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment
      expect(url).toContain(`postgres://${user}:`)
      expect(url).toContain(`@database:5432/${name}`)
      expect(database.image).toMatch(/^postgres:\d+\.\d+@sha256:[0-9a-f]{64}$/)
      expect(database.environment.POSTGRES_INITDB_ARGS).toBe('--data-checksums')
      expect(database.mem_limit).toBe('1g')
      // Each thread has the heap, and large bodies are outside of it.
      expect(heapIn(readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8'))).toBe(256)
      expect(server.mem_limit).toBe('1g')
      expect(readFileSync(`${ROOT}docs/install.md`, 'utf8')).toContain('docker run --memory 1g ')
      // Secrets are asked for, never made up.
      for (const secret of ['POSTGRES_PASSWORD', 'CUADRA_SECRET'])
        expect(JSON.stringify(services)).toContain(`\${${secret}:?`)
    },
  )
})

describe('deploy/cuadra-server.service', () => {
  const unit = readFileSync(`${ROOT}deploy/cuadra-server.service`, 'utf8')

  it('is restricted: it may write only to its data folder', () => {
    for (const line of [
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'StateDirectory=cuadra',
      'CapabilityBoundingSet=',
    ])
      expect(unit.split('\n')).toContain(line)
    for (const [, name] of unit.matchAll(/\b(CUADRA_\w+)=/g)) expect(KNOWN).toContain(name)
  })

  it('takes 1 GB of memory for threads with a heap of 256 MB, and large bodies', () => {
    expect(heapIn(unit)).toBe(256)
    expect(unit.split('\n')).toContain('MemoryMax=1G')
    expect(readFileSync(`${ROOT}docs/install.md`, 'utf8')).toContain('at most 1 GB of memory')
  })

  const systemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!systemd)(
    `systemd-analyze verify finds nothing wrong${systemd ? '' : ' (needs systemd-analyze)'}`,
    () => {
      mkdirSync(folder, { recursive: true })
      const file = join(folder, 'cuadra-server.service')
      writeFileSync(file, unit.replaceAll('/opt/cuadra/bin/cuadra-server.mjs', process.execPath))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    },
  )
})

describe('the proxies of deploy/', () => {
  it('accept the largest body, and time out before the server', () => {
    const most = MAX_BATCH_BYTES / 1024 / 1024
    for (const [file, size, rest] of [
      ['nginx.conf', /client_max_body_size (\d+)m;/, /keepalive_timeout (\d+)s;/],
      ['Caddyfile', /max_size (\d+)MiB/, /keepalive (\d+)s/],
    ] as const) {
      const text = readFileSync(`${ROOT}deploy/${file}`, 'utf8')
      expect(Number(size.exec(text)?.[1]), file).toBeGreaterThan(most)
      expect(Number(rest.exec(text)?.[1]), file).toBeLessThan(65)
      expect(text, file).toContain('/metrics')
      // Braces that are not closed are the mistake that one makes.
      expect(text.match(/\{/g)?.length, file).toBe(text.match(/\}/g)?.length)
    }
  })
})
