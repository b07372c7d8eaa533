/** The server's tarball in an empty folder, by the commands of docs/install.md; and what it says where parts are missing. */
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { loadFailureMessage } from '../../src/storage/embedded.ts'
import { blocksOf } from '../docs/markdown.ts'
import { away, environment, packed, project, run, unless } from './packing.ts'
import { freePort, serve } from './running.ts'

const serverProject = project('server')

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
