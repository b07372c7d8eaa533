/** The server's tarball in an empty folder, by the commands of docs/install.md; and what it says where parts are missing. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { loadFailureMessage } from 'cuadra-storage/embedded-database.ts'
import { describe, expect, it, vi } from 'vitest'
import { required } from '#core/errors/index.ts'
import { startFakeSmtpServer } from '../../packages/server/test/mail/fake-smtp-server.ts'
import { draft } from '../conformance/invoices.ts'
import { blocksOf } from '../docs/markdown.ts'
import { away, environment, packed, project, run, unless } from './packing.ts'
import { freePort, serve } from './running.ts'

const serverProject = project('server')

/** Runs a command of the administrator that must succeed; returns its JSON. */
function administer(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { status, stdout, stderr } = run(
    'node_modules/.bin/cuadra-admin',
    [...args, '--json'],
    serverProject,
    env,
  )
  expect(status, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

describe.skipIf(away !== '')(`the server from its tarball${unless}`, () => {
  it('is installed, serves and issues an invoice by the commands of docs/install.md', async () => {
    const port = await freePort()
    const blocks = blocksOf('docs/install.md').filter(({ language }) => language === 'sh install')
    const script = ['set -eo pipefail', `cp '${required(packed).server.file}' .`]
    for (const { text } of blocks) script.push(text.replaceAll('8080', String(port)), 'echo "== end"')
    const { status, stdout, stderr } = run(
      'bash',
      ['-c', script.join('\n')],
      serverProject,
      environment({ PORT: `${port}` }),
    )
    expect(status, stderr + stdout).toBe(0)
    const printed = stdout.split('== end\n').slice(0, -1)
    expect(printed.map((text) => text.trimEnd())).toEqual(blocks.map(({ next }) => next?.text))
    expect(readFileSync(join(serverProject, 'server.log'), 'utf8')).toContain('"msg":"stopping"')
  })

  it('serves its pages, and reports what is unavailable and how to install it', async () => {
    const { address, output, stop } = serve(['node_modules/.bin/cuadra-server'], { cwd: serverProject })
    const { origin } = new URL(await address)
    for (const path of ['/', '/status', '/pages/status.js', '/docs', '/openapi.json', '/metrics'])
      expect((await fetch(origin + path)).status, path).toBe(200)
    expect(await (await fetch(origin)).text()).toContain('<script type="module"')
    expect(output()).toMatch(
      /off: recognition of PDFs and images\. Install it with npm install unpdf@\d\S+ .*tesseract\.js@\d/,
    )
    expect(await stop()).toBe(0)
  })

  it('sends an invoice to the simulator and by mail, prints, signs, backs up and verifies with its own libraries', async () => {
    const mailbox = await startFakeSmtpServer()
    const settings = { CUADRA_DATA_DIR: 'whole', CUADRA_SMTP_URL: mailbox.url }
    const { address, output, stop } = serve(['node_modules/.bin/cuadra-server'], {
      cwd: serverProject,
      env: settings,
    })
    const base = await address
    const key = await vi.waitFor(() => required(/key\s+(cuadra_\S+)/.exec(output())?.[1]))
    const call = (method: string, path: string, body?: object) =>
      fetch(base + path, {
        method,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    expect((await call('PUT', '/verifactu/config', { mode: 'verifactu' })).status).toBe(200)
    const saved = await (await call('PUT', '/drafts', draft())).json()
    const invoice = `/issued-invoices/${saved.id}`
    expect(await (await call('POST', `${invoice}/issue`)).json()).toMatchObject({ status: 'issued' })
    const pdf = Buffer.from(await (await call('GET', `${invoice}/pdf`)).arrayBuffer()).toString('latin1')
    expect(pdf).toMatch(/^%PDF-1\.7[\s\S]*\/FontFile/)
    const signed = await (await call('GET', `${invoice}/export?format=facturae_3_2_2&sign=true`)).text()
    expect(signed).toContain('<xades:QualifyingProperties')
    const sent = await call('POST', `${invoice}/send`, { to: ['cliente@empresa.example'], attach_xml: true })
    expect([sent.status, await sent.text()]).toEqual([200, expect.any(String)])
    expect(mailbox.arrived.map(({ mail }) => mail.attachments.map(({ contentType }) => contentType))).toEqual(
      [['application/pdf', 'application/xml']],
    )
    await vi.waitFor(
      async () =>
        expect(await (await call('GET', invoice)).json()).toMatchObject({
          fiscal: { status: 'verifactu_accepted' },
        }),
      { timeout: 30_000, interval: 200 },
    )

    const [from, until] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)]
    const holder = { name: 'Comercial Demostración, S.L.', taxId: 'B77777779', from, until }
    writeFileSync(
      join(serverProject, 'own.p12'),
      await createSelfSignedCertificate({ ...holder, password: 'clave' }),
    )
    writeFileSync(join(serverProject, 'own.txt'), 'clave\n')
    const env = environment(settings)
    const [{ id }] = administer(env, 'company', 'list')
    const file = ['--p12', 'own.p12', '--password-file', 'own.txt', '--purpose', 'general']
    const added = administer(env, 'certificate', 'add', '--company', id, ...file)
    expect(added).toMatchObject({ owner: 'B77777779' })
    administer(env, 'verify')
    administer(env, 'backup', '--out', 'backup')
    const { stdout } = run('node_modules/.bin/cuadra-admin', ['doctor', '--json'], serverProject, env)
    const { findings } = JSON.parse(stdout)
    expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
    expect(await stop()).toBe(0)
    await mailbox.close()
  })

  it('names the package to install, and starts nothing, without the binary of the embedded database', async () => {
    const binaries = join(serverProject, 'node_modules/@libsql')
    renameSync(binaries, `${binaries}-away`)
    try {
      const { status, stderr } = run('node_modules/.bin/cuadra-server', [], serverProject)
      expect(stderr).toMatch(
        /^cuadra-server: The embedded database cannot be loaded .*install it with npm install @libsql\/\S+@\d+\.\d+\.\d+/,
      )
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(status).toBe(1)
      const admin = run('node_modules/.bin/cuadra-admin', ['company', 'list'], serverProject)
      expect(admin.stderr).toContain('cuadra-admin: The embedded database cannot be loaded')
    } finally {
      renameSync(`${binaries}-away`, binaries)
    }
  })

  it('refuses an unknown command and lists the known ones', () => {
    const { status, stderr } = run('node_modules/.bin/cuadra-server', ['serv'], serverProject)
    expect([status, stderr]).toEqual([2, expect.stringContaining('unknown command "serv"')])
    const health = run(
      'node_modules/.bin/cuadra-server',
      ['health'],
      serverProject,
      environment({ PORT: '1' }),
    )
    expect([health.status, health.stderr]).toEqual([
      1,
      expect.stringContaining('http://127.0.0.1:1/health does not respond'),
    ])
  })
})

describe('message for a missing database', () => {
  it('name the package of this platform with its version, or state that there is none', () => {
    const versions = { '@libsql/linux-x64-gnu': '0.5.29' }
    expect(
      loadFailureMessage("Cannot find module '@libsql/linux-x64-gnu'\nRequire stack: ...", versions),
    ).toBe(
      "The embedded database cannot be loaded (Cannot find module '@libsql/linux-x64-gnu'): install it with npm install @libsql/linux-x64-gnu@0.5.29; npm skips it with --omit=optional. Or set CUADRA_DATABASE_URL to a PostgreSQL.",
    )
    expect(loadFailureMessage("Cannot find module '@libsql/sunos-sparc'", versions)).toContain(
      'there is none for this platform',
    )
  })
})
