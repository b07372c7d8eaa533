/** Folders of the data folder that are files, missing, or damaged: requests that need them get 503, never 500. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { formOf } from '#test/conformance/suites/documents.ts'
import { temporaryFolder } from '#test/folders.ts'

let server: TestServer
let company: TestCompany
let issued: string
let attached: string
const send = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: company.key, body })

beforeAll(async () => {
  server = await startServer({ store: 'sqlite', check: false })
  company = await server.company()
  const { id } = (await send('PUT', '/drafts', draft())).json
  expect((await send('POST', `/issued-invoices/${id}/issue`, {})).status).toBe(200)
  issued = `/issued-invoices/${id}`
}, 60_000)

const folder = (name: string): string => join(server.dataDir, name)

/** What can be in the place of a folder. No user, not even root, can create a file in `/sys/kernel`. */
const PLACES: readonly (readonly [string, (path: string) => void])[] = [
  ['is a file', (path) => writeFileSync(path, '')],
  ['is a link to nothing', (path) => symlinkSync(join(temporaryFolder(), 'none', 'none'), path)],
  ['is a link to itself', (path) => symlinkSync(path, path)],
  ['cannot be written', (path) => symlinkSync('/sys/kernel', path)],
]

const replace = (name: string, place: (path: string) => void): void => {
  rmSync(folder(name), { recursive: true, force: true })
  place(folder(name))
}

async function requireUnavailable(method: string, path: string, body: unknown, name: string): Promise<void> {
  const { status, json, headers } = await send(method, path, body)
  expect([status, json.detail.code]).toEqual([503, 'service_unavailable'])
  expect(json.detail.message).toMatch(/file/)
  expect(JSON.stringify(json)).not.toContain(server.dataDir)
  expect(headers.get('retry-after')).toBe('5')
  await expect
    .poll(() =>
      server
        .output()
        .split('\n')
        .findLast((line) => line.includes(json.detail.request_id) && line.includes('"err"')),
    )
    .toContain(folder(name))
}

describe.each(PLACES)('a folder that %s', (_, place) => {
  beforeEach(async () => {
    for (const name of ['files', 'mail', 'rendered']) rmSync(folder(name), { recursive: true, force: true })
    mkdirSync(folder('files'))
    attached = (await send('POST', `${issued}/documents`, formOf('content'))).json.public_id
  })

  it('of attachments: uploads and downloads are 503, invoices are issued, and uploads work again', async () => {
    replace('files', place)
    await requireUnavailable('POST', `${issued}/documents`, formOf('content'), 'files')
    await requireUnavailable('GET', `${issued}/documents/${attached}`, undefined, 'files')
    const { id } = (await send('PUT', '/drafts', draft())).json
    expect((await send('POST', `/issued-invoices/${id}/issue`, {})).status).toBe(200)
    replace('files', mkdirSync)
    expect((await send('POST', `${issued}/documents`, formOf('content'))).status).toBeLessThan(300)
    expect((await send('DELETE', `${issued}/documents/${attached}`)).status).toBeLessThan(300)
  })

  it('of mails: sending is 503 and leaves the invoice unchanged, and works again', async () => {
    replace('mail', place)
    const mail = { to: ['ana@example.com'] }
    await requireUnavailable('POST', `${issued}/send`, mail, 'mail')
    expect((await send('GET', issued)).json.status).not.toBe('sent')
    replace('mail', mkdirSync)
    const { id } = (await send('PUT', '/drafts', draft())).json
    await send('POST', `/issued-invoices/${id}/issue`, {})
    expect((await send('POST', `/issued-invoices/${id}/send`, mail)).status).toBe(200)
    expect(readdirSync(folder('mail'))).toHaveLength(1)
  })

  it('of rendered PDFs: they are rendered without it', async () => {
    replace('rendered', place)
    expect((await send('GET', `${issued}/pdf`)).status).toBe(200)
  })
})
