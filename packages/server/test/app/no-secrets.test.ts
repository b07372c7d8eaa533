/**
 * Secrets are never exposed. Certificates of every kind are added, used and refused, the authority fails in every way,
 * mail is refused, and the server crashes. Then everything that was written, answered, measured and stored is searched
 * for passwords, private keys, certificate files and API keys, in each form that they could have.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPkcs12 } from 'cuadra-authority/pkcs12.ts'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { describe, expect, it, vi } from 'vitest'
import { administer, administerAside } from '#test/conformance/administrator.ts'
import { type Answered, BASE_PATH, startServer, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresPrograms } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { ALL, LONG } from '#test/size.ts'

const SMTP_PASSWORD = 'smtp-Geheim-77120'
const DAY = 86_400_000
const folder = temporaryFolder()

/**
 * Where windows of secret bytes begin: base64 encodes bytes in three ways, depending on their position, and breaks
 * lines.
 */
const STARTS = [20, 51, 64, 77, 87, 100]
const WINDOW = 18

/** Windows of bytes in every encoding. */
const formsOf = (bytes: Buffer): Buffer[] =>
  STARTS.flatMap((start) => {
    // Bytes at another position in their group of three have other letters in base64.
    const window = bytes.subarray(start, start + WINDOW)
    if (window.length < WINDOW) return []
    return [
      window,
      ...[window.toString('hex'), window.toString('base64'), window.toString('base64url')].map((text) =>
        Buffer.from(text),
      ),
      Buffer.from(window.toString('hex').toUpperCase()),
    ]
  })

/** Only the parts that a public key does not have. */
function keyForms(privateKeyPem: string): Buffer[] {
  const key = createPrivateKey(privateKeyPem)
  const { d = '', p = '', q = '', dp = '', dq = '', qi = '' } = key.export({ format: 'jwk' })
  const numbers = [d, p, q, dp, dq, qi].flatMap((text) => formsOf(Buffer.from(text, 'base64url')))
  // As in PEM: base64 of the whole in lines of 64, without the lines of the modulus.
  const lines = privateKeyPem.split('\n').filter((line) => line.length === 64)
  return [...numbers, ...lines.slice(8).map((line) => Buffer.from(line))]
}

const inUtf8 = (text: string): Buffer[] => [
  Buffer.from(text),
  Buffer.from(encodeURIComponent(text)),
  Buffer.from(Buffer.from(text).toString('base64')),
  Buffer.from(text, 'utf16le'),
]

interface Secret {
  readonly name: string
  readonly forms: readonly Buffer[]
}

/** Returns the names of the secrets that a text contains. */
const foundIn = (secrets: readonly Secret[], hay: Buffer): string[] =>
  secrets.filter(({ forms }) => forms.some((form) => hay.includes(form))).map(({ name }) => name)

/** Lists every file below a folder, except the key that seals the others. */
function filesIn(at: string): [string, Buffer][] {
  return readdirSync(at).flatMap((name): [string, Buffer][] => {
    const path = join(at, name)
    if (statSync(path).isDirectory()) return filesIn(path)
    return [[path, readFileSync(path)]]
  })
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** The same with an outdated encryption. */
function inOldEncryption(p12: Uint8Array, password: string): Uint8Array {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'word'), password)
  writeFileSync(join(folder, 'new.p12'), p12)
  openssl('pkcs12', '-in', 'new.p12', '-nodes', '-passin', 'file:word', '-out', 'all.pem')
  const old = ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-RC2-40', '-macalg', 'sha1']
  openssl('pkcs12', '-export', '-in', 'all.pem', '-out', 'old.p12', '-passout', 'file:word', ...old)
  return readFileSync(join(folder, 'old.p12'))
}

interface Case {
  readonly name: string
  readonly from?: number
  readonly until?: number
  readonly taxId?: string
  readonly typed?: string
  readonly isOld?: boolean
  readonly status: number
  readonly said: RegExp
}

const CASES: readonly Case[] = [
  { name: 'expired', from: -300, until: -2, status: 1, said: /expired on .*Add the renewed certificate/ },
  {
    name: 'not yet valid',
    from: 3,
    until: 300,
    status: 1,
    said: /is valid from .*Add it on that day, or check the clock/,
  },
  { name: 'wrong owner', taxId: 'B12345674', status: 1, said: /B12345674/ },
  { name: 'wrong password', typed: 'typed-Falsch-4471', status: 1, said: /password/ },
  ...(hasOpenssl ? [{ name: 'old encryption', isOld: true, status: 0, said: /^$/ }] : []),
  { name: 'good', status: 0, said: /^$/ },
]

/** Throws an uncaught error on a signal. */
const CRASH = join(folder, 'crash.mjs')
writeFileSync(CRASH, "process.on('SIGUSR2', () => { throw new Error('an uncaught error') })\n")

function story(store: 'sqlite' | 'postgres'): void {
  const secrets: Secret[] = [{ name: 'password of the mail server', forms: inUtf8(SMTP_PASSWORD) }]
  const written: [string, Buffer][] = []
  const keep = (name: string, text: string | Buffer) => void written.push([name, Buffer.from(text)])
  // The stored data differs between the databases, the output does not.
  const isWhole = store === 'sqlite' || LONG
  const cases = isWhole ? CASES : CASES.filter(({ name }) => name === 'good' || name === 'wrong password')
  const faults = isWhole ? ['html', 'soap_fault', 'unknown_authority', 'half_xml'] : ['html']
  let server: TestServer

  const call = async (...[method, path, request]: Parameters<TestServer['call']>): Promise<Answered> => {
    const answer = await server.call(method, path, request)
    keep(`answer to ${method} ${path}`, `${answer.text}${JSON.stringify([...answer.headers])}`)
    return answer
  }

  it('the certificates are accepted or refused with clear messages, and everything runs', async () => {
    server = await startServer({
      store,
      env: {
        CUADRA_AEAT_SIMULATOR: 'on',
        CUADRA_AEAT_SIMULATOR_WAIT: '0',
        CUADRA_LOG_LEVEL: 'trace',
        CUADRA_MAIL_TIMEOUT: '2',
        CUADRA_SMTP_URL: `smtp://cuadra:${SMTP_PASSWORD}@127.0.0.1:9`,
        NODE_OPTIONS: `--import=file://${CRASH}`,
      },
    })
    const company = await server.company({ contact_email: 'yo@empresa.example' })
    const { key, data } = company
    const second = await server.key(company.id, { scopes: ['compliance:read'] })
    for (const [name, text] of [['API key', key] as const, ['second API key', second] as const])
      secrets.push({ name, forms: inUtf8(text) })

    for (const { name, from = -10, until = 300, taxId, typed, isOld, status, said } of cases) {
      const password = `certificado-${name.replaceAll(' ', '-')}-8821`
      const wish = {
        name: `Titular ${name}`,
        taxId: taxId ?? data.tax_id,
        from: new Date(Date.now() + from * DAY),
        until: new Date(Date.now() + until * DAY),
        password,
      }
      const made = await createSelfSignedCertificate(wish)
      const p12 = isOld ? inOldEncryption(made, password) : made
      const { privateKeyPem } = await readPkcs12(made, password)
      secrets.push(
        { name: `password, ${name}`, forms: inUtf8(password) },
        { name: `private key, ${name}`, forms: keyForms(privateKeyPem()) },
        // Its first bytes state the encryption, and are the same in many files.
        { name: `file, ${name}`, forms: formsOf(Buffer.from(p12).subarray(300)) },
      )
      if (typed) secrets.push({ name: `typed password, ${name}`, forms: inUtf8(typed) })
      const [file, word] = [join(folder, 'one.p12'), join(folder, 'one.txt')]
      writeFileSync(file, p12)
      writeFileSync(word, typed ?? password)
      const added = await administer(server, [
        ...['certificate', 'add', '--company', company.id, '--purpose', 'verifactu'],
        ...['--p12', file, '--password-file', word],
      ])
      keep(`command line, ${name}`, `${added.stdout}${added.stderr}`)
      expect(added.status, `${name}: ${added.stderr}`).toBe(status)
      expect(added.stderr.trim(), name).toMatch(said)
      if (status === 0) expect(added.stdout, name).toContain(wish.name)
    }
    const listed = await administerAside(server, ['certificate', 'list', '--company', company.id, '--json'])
    keep('certificate list', listed.stdout + listed.stderr)

    expect((await call('PUT', '/verifactu/config', { key, body: { mode: 'verifactu' } })).status).toBe(200)
    const issue = async (): Promise<string> => {
      const { id } = (await call('PUT', '/drafts', { key, body: draft() })).json
      expect((await call('POST', `/issued-invoices/${id}/issue`, { key })).status).toBe(200)
      return id
    }
    const becomes = (id: string, state: string) =>
      vi.waitFor(
        async () =>
          expect((await call('GET', `/issued-invoices/${id}`, { key })).json.fiscal.status).toBe(state),
        { timeout: 20_000, interval: 100 },
      )
    const inject = async (fault: object) => {
      const control = /simulator of the tax authority (http:\S+)/.exec(server.output())?.[1]
      const body = JSON.stringify(fault)
      const headers = { 'Content-Type': 'application/json' }
      expect((await fetch(`${control}control/faults`, { method: 'POST', headers, body })).status).toBe(201)
    }
    const first = await issue()
    await becomes(first, 'verifactu_accepted')
    await inject({ kind: 'reject', code: 1110, times: 1 })
    await becomes(await issue(), 'verifactu_rejected')
    for (const kind of faults) {
      await inject({ kind, times: 1 })
      await issue()
      const sent = await administer(server, ['verifactu', 'send-now', '--company', company.id])
      keep(`send-now, ${kind}`, sent.stdout + sent.stderr)
    }
    const mailed = await call('POST', `/issued-invoices/${first}/send`, {
      key,
      body: { to: ['ana@cliente.example'] },
    })
    expect(mailed.json.detail.code).toBe('email_not_sent')
    for (const path of ['/certificates', '/company', '/verifactu/config', '/verifactu/submissions'])
      expect((await call('GET', path, { key: second })).status).toBe(200)
    for (const path of ['/verifactu/incidents', '/verifactu/aeat-records?period=2026-11', '/sii/config'])
      await call('GET', path, { key: second })
    await call('PUT', '/verifactu/config', { key: second, body: {} })
    await call('GET', '/company', { key: `${key}x` })
    await call('PUT', '/drafts', { key, body: '{"broken' })
    keep('metrics', await (await fetch(`${server.url}/metrics`)).text())
    keep(
      'a request with the key in its address',
      await (await fetch(`${server.url}${BASE_PATH}/company?key=${key}`)).text(),
    )
    keep('arguments', readFileSync(`/proc/${server.process.pid}/cmdline`))
  })

  it('an uncaught error ends the process, and reveals no more than it must', async () => {
    const ended = new Promise<number | null>((resolve) => server.process.once('exit', resolve))
    server.process.kill('SIGUSR2')
    expect(await ended).not.toBe(0)
    await expect.poll(() => server.output()).toContain('an uncaught error')
    keep('log and error output', server.output())
    const { databaseUrl } = server
    if (databaseUrl) {
      const dump = execFileSync(join(postgresPrograms() ?? '', 'pg_dump'), [databaseUrl], {
        maxBuffer: 512 * 1024 * 1024,
      })
      expect(dump.includes('COPY public.certificates')).toBe(true)
      keep('dump of PostgreSQL', dump)
    }
    written.push(...filesIn(server.dataDir))
    await server.stop()
  }, 60_000)

  it('the search finds a secret in each form that it looks for', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 73 + 11) % 251))
    const planted = [{ name: 'planted', forms: formsOf(bytes) }]
    for (const text of [
      bytes,
      Buffer.from(bytes.toString('hex')),
      Buffer.from(bytes.toString('base64').replaceAll(/(.{64})/g, '$1\n')),
      Buffer.from(Buffer.concat([Buffer.from('x'), bytes]).toString('base64url')),
      Buffer.from(Buffer.concat([Buffer.from('xy'), bytes]).toString('base64')),
    ])
      expect(foundIn(planted, text)).toEqual(['planted'])
    expect(foundIn(planted, Buffer.from('nothing of it'))).toEqual([])
  })

  it('no secret is in what was written, answered, measured or stored', () => {
    expect(secrets.length).toBeGreaterThan(3 * cases.length)
    expect(written.length).toBeGreaterThan(30)
    const stored = written.filter(([name]) => /cuadra\.(sqlite|db)|dump of/.test(name))
    expect(stored.length, written.map(([name]) => name).join(' ')).toBeGreaterThan(0)
    const found = written.flatMap(([name, hay]) =>
      foundIn(secrets, hay).map((secret) => `${secret} in ${name}`),
    )
    expect(found).toEqual([])
  }, 60_000)
}

describe.skipIf(!ALL)('on SQLite', () => story('sqlite'))
if (hasPostgres() && LONG) describe('on PostgreSQL', () => story('postgres'))
else it.skip('on PostgreSQL: in npm run test:long, where it is installed', () => undefined)
