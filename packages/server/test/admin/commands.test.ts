/**
 * Tests every command of `cuadra-admin` while a server runs: results, rejections, and the effect on the server.
 *
 * @slow
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  administer,
  administerAside,
  type Commanded,
  type CommandOptions,
} from '#test/conformance/administrator.ts'
import { nextTaxId, startServer, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { PNG_BASE64 } from '#test/png.ts'
import { itInAll } from '#test/size.ts'
import { tokens } from '#test/tokens.ts'
import { errorExitOf } from '../../admin/ending.ts'
import { rowsOf } from './rows.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  folder = temporaryFolder()
}, 60_000)
afterAll(async () => {
  await server?.stop()
})

const run = (args: readonly string[], options?: CommandOptions) => administer(server, args, options)
const file = (name: string, content: string | object): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const companyFile = (members: object = {}) => ({
  legal_name: 'Papelería Uno, S.L.',
  tax_id: nextTaxId(),
  person_type_code: 'J',
  verified: true,
  address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
  ...members,
})
const create = async (members?: object): Promise<string> => {
  const { json, stderr } = await run(['company', 'create', '--file', '-', '--json'], {
    input: JSON.stringify(companyFile(members)),
  })
  expect(stderr).toBe('')
  return json.id
}
const keyOf = async (companyId: string, ...more: string[]) => {
  const { json, stderr } = await run(tokens`key create --company ${companyId} --scopes * --json ${more}`)
  expect(stderr).toBe('')
  return json
}
/** Changes a company by this JSON. */
const update = (id: string, input: string | object, ...more: string[]) =>
  run(['company', 'update', id, '--file', '-', ...more], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
  })
/** Requests the company of a key. */
const companyOf = (key: string) => server.call('GET', '/company', { key })
const declarationFile = (multi_taxpayer: boolean): string =>
  file('declaration.json', {
    system_name: 'x',
    system_id: 'XX',
    version: '1',
    components: 'x',
    verifactu_only: false,
    multi_taxpayer,
    signature_types: 'x',
    producer_name: 'X, S.L.',
    producer_nif: 'B12345674',
    producer_address: 'x',
    date: '2026-11-21',
    place: 'Madrid',
  })

/** Expects that a command ends with this exit code and this reason. */
const refused = async (status: number, reason: string | RegExp, command: Promise<Commanded>) => {
  const done = await command
  expect(done.status).toBe(status)
  expect(done.stderr).toMatch(reason)
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('the built program', () => {
  it('creates a company and a key that the server accepts, and revokes it', async () => {
    const spawnedAdmin = (args: readonly string[], input = '') => administerAside(server, args, { input })
    const company = await spawnedAdmin(tokens`company create --file - --json`, JSON.stringify(companyFile()))
    expect(company).toMatchObject({ status: 0, stderr: '' })
    const made = await spawnedAdmin(tokens`key create --company ${company.json.id} --scopes * --json`)
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect((await companyOf(made.json.key)).json.id).toBe(company.json.id)
    expect((await spawnedAdmin(['key', 'revoke', made.json.id])).status).toBe(0)
    expect((await companyOf(made.json.key)).status).toBe(401)
  })

  it('exits 2 on a usage error and 1 on a rejection, and writes the reason only to stderr', async () => {
    const wrong = await administerAside(server, ['company', 'list', '--all'])
    expect(wrong).toMatchObject({ status: 2, stdout: '' })
    expect(wrong.stderr).toContain("unknown option '--all'")
    const refused = await administerAside(server, ['key', 'list', '--company', UNKNOWN_ID])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^cuadra-admin: No company [^\n]*\n$/)
  })
})

describe('the command line', () => {
  it('prints its help with exit code 0', async () => {
    const { status, stdout, stderr } = await run(['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const name of tokens`company key series certificate return collection invoice rates`)
      expect(stdout).toContain(`  ${name} `)
    expect(stdout).not.toContain('send-now')
  })

  it.each([
    ['an unknown command', ['compny'], /unknown command 'compny'/],
    ['an unknown subcommand', ['company', 'drop'], /unknown command 'drop'/],
    ['an unknown option', ['company', 'list', '--all'], /unknown option '--all'/],
    ['a missing option', ['company', 'create'], /required option '--file <file>' not specified/],
    ['no command', [], /Usage: cuadra-admin/],
    ['too many arguments', ['company', 'list', 'x'], /too many arguments/],
    ['an invalid id', ['key', 'list', '--company', 'x'], /Use an id such as/],
    ['a missing file', ['company', 'create', '--file', '/nowhere.json'], /no such file/],
  ])('exits 2 on %s', async (_, args, messages) => {
    const { status, stdout, stderr } = await run(args)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(messages)
  })

  it('exits 2 on an invalid environment variable, and names the variable', async () => {
    await refused(2, 'CUADRA_AEAT is "moon"', run(['company', 'list'], { env: { CUADRA_AEAT: 'moon' } }))
  })

  it('prints a message without a stack trace for database errors', () => {
    for (const [code, messages] of [
      ['ECONNREFUSED', /Cannot reach the database .* Check CUADRA_DATABASE_URL/],
      ['SQLITE_BUSY', /is busy\. Nothing was changed/],
      ['ENOSPC', /The disk is full/],
      ['EMORE', /^unexpected error: what happened$/],
    ] as const) {
      const { exitCode, message } = errorExitOf(Object.assign(new Error('what happened'), { code }))
      expect(exitCode).toBe(1)
      expect(message).toMatch(messages)
    }
  })

  it('prints the location of the database when there is no company', async () => {
    const dataDir = temporaryFolder()
    const { status, stdout } = await administer({ dataDir, databaseUrl: undefined }, ['company', 'list'])
    expect(status).toBe(0)
    expect(stdout).toContain(dataDir)
  })
})

describe('company', () => {
  it('create prints the company, id first, with the fields of GET /company and the other fields of company.json', async () => {
    const given = companyFile({ oss: { status: 'registered', effective_date: '2026-01-01' } })
    const { status, stdout, json } = await run(tokens`company create --file ${file('a.json', given)} --json`)
    expect(status).toBe(0)
    expect(stdout.split('\n')[1]).toMatch(/^ {2}"id": "[0-9a-f-]{36}",$/)
    expect(json).toMatchObject({
      tax_id: given.tax_id,
      address: { province_code: 'ES-M', province_id: 28 },
      verified: true,
      plan: { api: true },
      oss: { status: 'registered', effective_date: '2026-01-01' },
      cash_basis: [],
      sii: { enrollment_periods: [], tax_authority: 'aeat' },
      pdf_template: null,
    })
    const { key } = await keyOf(json.id)
    const { json: answered } = await companyOf(key)
    expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(answered)))
    expect(answered.id).toBe(json.id)
  })

  it('create lists every problem of the file by field', async () => {
    const wrong = {
      tax_id: 'B1',
      person_type_code: 'X',
      adress: {},
      address: { post_code: '2801', province_code: '99', planet: 'Earth' },
      cash_basis: [{ start_date: '2026-02-30' }, { start_date: '2026-05-01', end_date: '2026-04-01' }],
      features: ['flying'],
      plan: { recognition_quota: -1 },
      sii: { enrollment_periods: [{ start_date: '2026-01-01' }] },
    }
    const { status, stdout, stderr } = await run(['company', 'create', '--file', file('wrong.json', wrong)])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    for (const member of [
      'legal_name: is missing',
      'tax_id: "B1" is not a Spanish tax id',
      'person_type_code: send F',
      'adress: unknown field',
      'address/post_code: send five digits',
      'address/province_code: unknown province 99',
      'address/planet: unknown field',
      'cash_basis/0/start_date: send a day',
      'cash_basis/1/end_date: is before start_date',
      'features/0: send api or drafts',
      'plan/recognition_quota: send a whole number',
      'sii/enrollment_periods/0/enrollment_status: is missing',
    ])
      expect(stderr).toContain(member)
  })

  it('create rejects an existing tax id in any notation', async () => {
    const given = companyFile()
    const id = await create(given)
    const input = JSON.stringify({ ...given, tax_id: `ES-${given.tax_id.toLowerCase()}` })
    await refused(1, `already belongs to company ${id}`, run(['company', 'create', '--file', '-'], { input }))
  })

  it('create exits 2 on invalid JSON', async () => {
    await refused(2, '<stdin>: invalid JSON', run(['company', 'create', '--file', '-'], { input: '{"legal' }))
  })

  it('update merges fields, validates the result, and takes effect immediately', async () => {
    const id = await create({
      sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
    })
    const { key } = await keyOf(id)
    const patch = {
      contact_name: 'Eva',
      address: { post_code: '46001', town: 'Valencia' },
      plan: { recognition_quota: 7 },
    }
    const { status, json } = await run(
      tokens`company update ${id} --file ${file('patch.json', patch)} --json`,
    )
    expect(status).toBe(0)
    expect(json).toMatchObject({
      contact_name: 'Eva',
      // The province is derived from the new post code.
      address: { line: 'Calle Mayor, 1', post_code: '46001', province_code: 'ES-V', province_id: 46 },
      plan: { name: 'complete', api: true, recognition_quota: 7 },
      sii: { enrollment_periods: [{ id: 1 }] },
    })
    expect((await companyOf(key)).json.contact_name).toBe('Eva')
    const added = [...json.sii.enrollment_periods, { enrollment_status: 'ceased', start_date: '2027-01-01' }]
    added[0].end_date = '2026-12-31'
    const again = await update(id, { contact_name: null, sii: { enrollment_periods: added } }, '--json')
    expect(again.json.contact_name).toBe(null)
    expect(again.json.sii.enrollment_periods.map(({ id: number }: { id: number }) => number)).toEqual([1, 2])
    expect((await update(id, { is_active: false })).stdout).toMatch(/active +no/)
    expect((await companyOf(key)).status).toBe(401)
  })

  it('update rejects invalid fields, an unknown company, and a new tax id after the first invoice', async () => {
    const id = await create()
    expect(await update(id, { legal_name: null })).toMatchObject({
      status: 1,
      stderr:
        'cuadra-admin: legal_name: is missing: send a text that is not empty, on one line and without control characters.\n',
    })
    await refused(1, `No company ${UNKNOWN_ID}`, update(UNKNOWN_ID, {}))
    expect((await update(id, { tax_id: nextTaxId() })).status).toBe(0)
    const { key } = await keyOf(id)
    await server.call('PUT', '/drafts', { key, body: draft() })
    await refused(1, 'the company has invoices as', update(id, { tax_id: nextTaxId() }))
  })

  it.each([
    ['legal_name', 'Empre\u0001sa'],
    ['name', 'Empresa\n S.L.'],
    ['contact_phone', '910 000 000\u0000'],
    ['contact_email', 'facturas'],
    ['contact_email', 'Ana <ana@empresa.example>'],
    ['pdf_foot', 'Registro\u0007'],
    ['pdf_foot', 'Registro \ud800'],
    ['payment_link', 'https://['],
    ['payment_link', `https://pagos.example/${'a'.repeat(500)}`],
  ])('update rejects a %s that no invoice or mail could have', async (field, value) => {
    await refused(1, `cuadra-admin: ${field}: `, update(await create(), { [field]: value }))
  })

  it('list shows all companies, as a table and as JSON', async () => {
    const id = await create()
    const { json } = await run(['company', 'list', '--json'])
    expect(json).toContainEqual(expect.objectContaining({ id, verified: true, verifactu_mode: null }))
    const { stdout } = await run(['company', 'list'])
    expect(stdout).toMatch(/^ID +TAX ID +LEGAL NAME/)
    expect(stdout).toContain(id)
  })
})

describe('key', () => {
  it('create prints a working key, which list never shows', async () => {
    const company = await create()
    const made = await keyOf(company, '--name', 'shop', '--rate', '600', '--expires', '2099-01-01')
    const own = { name: 'shop', rate_per_minute: 600, expires_at: '2099-01-01' }
    expect(made).toMatchObject({ scopes: ['*'], ...own })
    expect(made.key).toMatch(/^cuadra_/)
    expect((await companyOf(made.key)).json.id).toBe(company)
    const secret = made.key.split('.').at(-1)
    for (const more of [[], ['--json']]) {
      const { stdout } = await run(['key', 'list', '--company', company, ...more])
      expect(stdout).toContain(made.id)
      expect(stdout).not.toContain(secret)
      expect(stdout).not.toContain('hash')
    }
  })

  it('a key without a scope is rejected with the missing scope', async () => {
    const company = await create()
    const scopes = 'invoices:read, compliance:read'
    const { json } = await run(tokens`key create --company ${company} --scopes ${scopes} --json`)
    expect(json.scopes).toEqual(['invoices:read', 'compliance:read'])
    const refused = await server.call('PUT', '/drafts', { key: json.key, body: draft() })
    expect(refused.json.detail).toMatchObject({ code: 'scope_missing', missing: 'invoices:write' })
  })

  it('revoke takes effect immediately, needs no company, and fails the second time', async () => {
    const { id, key } = await keyOf(await create())
    expect((await companyOf(key)).status).toBe(200)
    const done = await run(['key', 'revoke', id, '--json'])
    expect(done.json).toMatchObject({ id })
    expect((await companyOf(key)).status).toBe(401)
    await refused(1, /was already revoked on /, run(['key', 'revoke', id]))
    const other = await run(['key', 'revoke', (await keyOf(await create())).id, '--company', UNKNOWN_ID])
    expect(other.stderr).toMatch(/No key /)
  })

  it('an expired key is rejected, and a key with a past expiry is not created', async () => {
    const company = await create()
    const { id, key } = await keyOf(company, '--expires', '2099-01-01')
    await rowsOf(server, { id: company }).update('api_keys', { expires_at: '2026-01-01' }, { key_id: id })
    expect((await companyOf(key)).status).toBe(401)
    expect((await run(['key', 'list', '--company', company])).stdout).toMatch(/expired/)
    const past = tokens`key create --company ${company} --scopes * --expires 2020-01-01`
    await refused(1, 'the key would never work', run(past))
  })

  it('--allow-ip can be repeated and accepts lists, and other addresses are rejected', async () => {
    const company = await create()
    const far = await keyOf(company, '--allow-ip', '10.0.0.0/8,2001:db8::/32', '--allow-ip', '192.0.2.7')
    expect(far.allow_ips).toEqual(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'])
    expect((await companyOf(far.key)).json.detail.code).toBe('ip_forbidden')
    const near = await keyOf(company, '--allow-ip', '127.0.0.0/8,::1')
    expect((await companyOf(near.key)).status).toBe(200)
  })

  it.each([
    [
      '--scopes',
      'invoices:read,fly',
      /Unknown scope: fly\. Use one or more of invoices:read, invoices:write/,
    ],
    ['--scopes', ',', /Use one or more of invoices:read/],
    ['--expires', '2027-02-30', /Use a date YYYY-MM-DD/],
    ['--allow-ip', '10.0.0.0/33', /"10\.0\.0\.0\/33" is not an IP address or range/],
    ['--rate', '0', /Use a whole number from 1/],
  ])('create exits 2 on %s %s', async (option, value, messages) => {
    const scopes = option === '--scopes' ? [] : ['--scopes', '*']
    await refused(2, messages, run(['key', 'create', '--company', UNKNOWN_ID, ...scopes, option, value]))
  })

  it('create and list reject an unknown company', async () => {
    for (const args of [['create', '--scopes', '*'], ['list']])
      await refused(1, `No company ${UNKNOWN_ID}`, run(['key', ...args, '--company', UNKNOWN_ID]))
  })
})

describe('series configure', () => {
  const configure = (company: string, ...args: string[]) =>
    run(['series', 'configure', '--company', company, '--code', 'F', ...args])
  const issue = async (key: string, body?: object) => {
    const { json } = await server.call('PUT', '/drafts', { key, body: draft({ series: 'F' }) })
    return server.call('POST', `/issued-invoices/${json.id}/issue`, { key, ...(body ? { body } : {}) })
  }

  it('the next invoice uses the configured template and counter', async () => {
    const company = await create()
    const { key } = await keyOf(company)
    const options = tokens`--template {series}/{number:4} --next 101 --pdf-template classic-blue --json`
    const done = await configure(company, ...options)
    expect(done.json).toMatchObject({
      series_code: 'F',
      template: '{series}/{number:4}',
      next_number: 101,
      pdf_template: 'classic-blue',
      next: 'F/0101',
    })
    expect((await issue(key)).json.number).toBe('F/0101')
    expect((await issue(key, { invoice_number: 'F/0110' })).json.number).toBe('F/0110')
    const isInUse = /The number F\/0110 of series F is in use.*Use --next 111 or more/s
    await refused(1, isInUse, configure(company, '--next', '110'))
    const next = { next: 'F/0120', pdf_template: 'classic-blue' }
    expect((await configure(company, '--next', '120', '--json')).json).toMatchObject(next)
    expect((await issue(key)).json.number).toBe('F/0120')
  })

  it('a template that would repeat numbers is rejected unless the counter is higher', async () => {
    const company = await create()
    const { key } = await keyOf(company)
    await configure(company, '--template', '{series}{number}')
    const tax = (await companyOf(key)).json.tax_id
    const held = imported({ taxId: tax, number: 'F-77', series: 'F' })
    expect((await server.call('POST', '/issued-invoices/import', { key, body: held })).status).toBe(201)
    const dashed = ['--template', '{series}-{number}']
    await refused(1, 'The number F-77 of series F is in use', configure(company, ...dashed))
    expect((await configure(company, ...dashed, '--next', '78')).status).toBe(0)
    expect((await issue(key)).json.number).toBe('F-78')
  })

  it.each([
    ['--template', '{series}', /exactly one \{number\}/],
    ['--template', '{number}{number}', /exactly one \{number\}/],
    ['--template', '{year}{number}', /A template may contain only \{series\}/],
    ['--template', '{number:13}', /1 to 12 digits/],
    ['--next', '0', /whole number from 1/],
    ['--next', '1.5', /whole number from 1/],
    ['--pdf-template', 'baroque-gold', /Use one of classic-blue, /],
  ])('exits 2 on %s "%s"', async (option, value, messages) => {
    await refused(2, messages, configure(UNKNOWN_ID, option, value))
  })

  it.each([
    ['--code', 'AÑO'],
    ['--code', 'A<B'],
    ['--code', 'F="1"'],
    ['--template', '{series}–{number}'],
  ])(
    'warns that VeriFactu rejects numbers with %s %s, and not on a series that it accepts',
    async (option, value) => {
      const company = await create()
      const { status, stderr } = await configure(company, option, value)
      expect(status).toBe(0)
      expect(stderr).toMatch(
        /^note: VeriFactu rejects the invoices of this series: .*Use another --code or --template\.\n$/,
      )
      expect((await configure(company, '--template', '{series}/{number}')).stderr).toBe('')
    },
  )

  it('rejects numbers that would be too long, and creates no series', async () => {
    const company = await create()
    await refused(1, 'the maximum is 60', configure(company, '--template', `${'x'.repeat(60)}{number}`))
    expect(await (await server.store()).of(company).select('series').selectAll().execute()).toEqual([])
  })
})

describe('certificate add', () => {
  const add = (company: string, ...args: string[]) =>
    run(['certificate', 'add', '--company', company, ...args])

  it('--demo makes a certificate that is sufficient to activate VeriFactu', async () => {
    const company = await create()
    const { json } = await add(company, '--demo', '--json')
    expect(json).toMatchObject({ id: 1, purpose: 'verifactu', name: 'Papelería Uno, S.L.' })
    expect(json.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    const { key } = await keyOf(company)
    expect((await server.call('PUT', '/verifactu/config', { key, body: {} })).status).toBe(200)
  })

  it('a system declared for one taxpayer does not accept a second company', async () => {
    const env = { CUADRA_AEAT: 'preproduction', CUADRA_DECLARATION: declarationFile(false) }
    const input = JSON.stringify(companyFile())
    await refused(1, 'allows one taxpayer', run(tokens`company create --file -`, { input, env }))
  })

  it('--demo is rejected without the simulator', async () => {
    const company = await create()
    const env = { CUADRA_AEAT: 'preproduction', CUADRA_DECLARATION: declarationFile(true) }
    await refused(1, 'simulator only', run(tokens`certificate add --company ${company} --demo`, { env }))
  })

  it('a file that is not a certificate is rejected with a message', async () => {
    const company = await create()
    const given = tokens`
      --p12 ${file('bad.p12', 'no certificate')} --password-file ${file('password', 'secret\n')}`
    await refused(1, /^cuadra-admin: .*PKCS#12/, add(company, ...given, '--purpose', 'general'))
  })

  it.each([
    ['nothing', [], /--p12 and --password-file/],
    ['no purpose', ['--p12', 'a', '--password-file', 'b'], /--purpose is missing/],
    ['both kinds', ['--demo', '--p12', 'a'], /remove --p12/],
    ['an unknown purpose', ['--demo', '--purpose', 'tax'], /Allowed choices are verifactu, general/],
  ])('exits 2 on %s', async (_, args, messages) => {
    await refused(2, messages, add(UNKNOWN_ID, ...args))
  })
})

describe('a certificate file', () => {
  it('of another owner is rejected without --representative, and makes its owner the partner of the company otherwise', async () => {
    const company = await create()
    const p12 = join(folder, 'other.p12')
    const [from, until] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 9.5 * 86_400_000)]
    const holder = { name: 'Otra, S.L.', taxId: 'B99999997' }
    writeFileSync(p12, await createSelfSignedCertificate({ ...holder, from, until, password: 'secret' }))
    const password = file('password.txt', 'secret')
    const args = tokens`--purpose general --p12 ${p12} --password-file ${password}`
    const add = (...more: string[]) => run(tokens`certificate add --company ${company} ${args} ${more}`)
    const isOfAnother =
      /belongs to B99999997, but the tax id of the company is \w{9}\..* with --representative\.\n$/
    await refused(1, isOfAnother, add())
    const added = await add('--representative', '--json')
    expect(added.json).toMatchObject({ id: 1, owner: 'B99999997', kind: 'seal', days_left: 9 })
    const [partner, ...expires] = added.stderr.trimEnd().split('\n')
    expect(partner).toContain('`operated_by_partner` of the company is now true')
    const note = expect.stringMatching(/^note: The certificate of B99999997 expires on .* in 9 days\./)
    expect(expires).toEqual([note])
    const list = await run(['certificate', 'list', '--company', company])
    expect(list.stdout).toMatch(
      /^CERTIFICATE +NAME +OWNER .*\n +1 +Otra, S\.L\. +B99999997 +seal +general .* 9\n$/,
    )
    expect(list.stderr).toBe(`${expires[0]?.replace('note: ', 'note: certificate 1: ')}\n`)
    await update(company, { operated_by_partner: false })
    expect((await run(['certificate', 'list', '--company', company])).stderr).toMatch(
      /\nnote: certificate 1: The certificate belongs to B99999997, but the tax id of the company is \w{9}\./,
    )
  })
})

describe('return, invoice, collection, rates', () => {
  it('a filed return locks the invoices of its period until it is unfiled', async () => {
    const company = await create()
    const { key } = await keyOf(company)
    const taxId = (await companyOf(key)).json.tax_id
    const before = imported({ taxId, number: 'OLD1', date: '2026-08-03' })
    const put = (body: object) => server.call('POST', '/issued-invoices/import', { key, body })
    expect((await put(before)).status).toBe(201)
    const filed = await run(['return', 'file', '--company', company, '--period', '2026-Q3', '--json'])
    const days = { first_day: '2026-07-01', last_day: '2026-09-30' }
    expect(filed.json).toEqual({ company_id: company, period: '2026-Q3', ...days, invoices: 1 })
    const after = structuredClone(before)
    after.invoice.lines[0].quantity = 2
    after.invoice.totals = { total_gross_amount_before_taxes: 200, total_tax_outputs: 42, invoice_total: 242 }
    const locked = await put(after)
    expect(locked.json.detail).toMatchObject({
      code: 'issued_invoice_fiscally_locked',
      reasons: ['filed_return:2026-Q3'],
    })
    const month = ['--company', company, '--period', '2026-08']
    await run(['return', 'file', ...month])
    const unfile = ['return', 'unfile', '--company', company, '--period', '2026-Q3']
    expect((await run([...unfile, '--json'])).json).toMatchObject({ invoices: 0, still_filed: ['2026-08'] })
    expect((await put(after)).status).toBe(409)
    await run(['return', 'unfile', ...month])
    await run(['return', 'file', '--company', company, '--period', '2026-Q3'])
    expect((await run(unfile)).stdout).toContain('1 invoice may be changed again')
    expect((await put(after)).status).toBe(201)
    await refused(1, 'no filed return of 2026-Q3', run(unfile))
    expect((await run(['return', 'file', '--company', company, '--period', '2026-Q5'])).status).toBe(2)
    const early = await run(['return', 'file', '--company', company, '--period', '2999-12'])
    expect(early).toMatchObject({ status: 0, stderr: expect.stringMatching(/^note: 2999-12 has not ended/) })
  })

  it('a queued draft blocks its series until it is unqueued, and the history names the user', async () => {
    const company = await create()
    const { key } = await keyOf(company)
    const { json: saved } = await server.call('PUT', '/drafts', { key, body: draft() })
    const { json: other } = await server.call('PUT', '/drafts', { key, body: draft() })
    const issue = (id: string) => server.call('POST', `/issued-invoices/${id}/issue`, { key })
    const queued = await run(['invoice', 'queue', saved.id, '--json'])
    expect(queued.json).toEqual({ id: saved.id, company_id: company, status: 'queued' })
    expect((await issue(saved.id)).json.detail.code).toBe('invoice_queued_for_bulk_issue')
    expect((await issue(other.id)).json.detail.code).toBe('bulk_issue_series_active')
    const { json: events } = await server.call('GET', `/drafts/${saved.id}/events`, { key })
    expect(events.at(-1)).toMatchObject({ event_code: 'queued', to_status: 'QUEUED' })
    expect(events.at(-1).actor.user_id).toMatch(/^cuadra-admin\//)
    await refused(1, 'is queued', run(['invoice', 'queue', saved.id]))
    expect((await run(['invoice', 'unqueue', saved.id])).stdout).toContain('is draft')
    expect((await issue(other.id)).status).toBe(200)
    await refused(1, `No invoice ${UNKNOWN_ID}`, run(['invoice', 'queue', UNKNOWN_ID]))
  })

  it('a collection can be added only to an issued invoice', async () => {
    const company = await create()
    const { key } = await keyOf(company)
    const { json: saved } = await server.call('PUT', '/drafts', { key, body: draft() })
    const add = (...args: string[]) =>
      run(['collection', 'add', '--company', company, '--invoice', saved.id, '--date', '2026-05-02', ...args])
    const right = ['--amount', '100.00', '--method', '04']
    await refused(1, 'it is a draft', add(...right))
    const { json: issued } = await server.call('POST', `/issued-invoices/${saved.id}/issue`, { key })
    const { json } = await add(...right, '--json')
    const { id: invoice_id, number } = issued
    expect(json).toMatchObject({ invoice_id, number, date: '2026-05-02', amount: 100, method: '04' })
    expect((await add('--amount', '-20.00', '--method', '04')).stdout).toContain('-20.00 EUR')
    const collections = (await server.store()).of(company).select('collections')
    expect(await collections.select('amount').orderBy('amount').execute()).toEqual([
      { amount: -20 },
      { amount: 100 },
    ])
    for (const [args, messages] of [
      [['--amount', '100', '--method', '04'], /two decimals/],
      [['--amount', '0.00', '--method', '04'], /other than zero/],
      [['--amount', '1.00', '--method', '99'], /04 Transferencia/],
    ] as const)
      await refused(2, messages, add(...args))
    const late = tokens`collection add --company ${company} --invoice ${saved.id} --date 2099-01-01 ${right}`
    await refused(1, 'is in the future', run(late))
    const nothing = tokens`collection add --company ${company} --invoice ${UNKNOWN_ID} --date 2026-05-02 ${right}`
    expect((await run(nothing)).status).toBe(1)
  })

  it('rates of the European Central Bank are loaded, and other files are rejected', async () => {
    const csv = 'Date,USD,JPY,\n2026-03-03,1.0837,160.21,\n2026-03-02,1.0800,N/A,\n'
    const { status, stdout } = await run(['rates', 'load', '--file', file('eurofxref-hist.csv', csv)])
    expect([status, stdout]).toEqual([0, 'The file has 3 rates; all of them are stored.\n'])
    expect((await run(tokens`rates load --file - --json`, { input: csv })).json).toEqual({ rates: 3 })
    await refused(1, /^cuadra-admin: /, run(['rates', 'load', '--file', '-'], { input: 'hello' }))
  })
})

describe('render and company logo', () => {
  const dot = PNG_BASE64
  // A thread makes the PDF, and the thread needs the built program.
  const spawnedAdmin = (...args: string[]) => administerAside(server, args)
  const saved = async () => {
    const company = await create()
    const { key } = await keyOf(company)
    const { json } = await server.call('PUT', '/drafts', { key, body: draft() })
    const id: string = json.id
    return { company, id }
  }

  itInAll('prints any invoice of any company, with the logo of its company', async () => {
    const { company, id } = await saved()
    const out = join(folder, 'draft.pdf')
    const { json, stderr } = await spawnedAdmin('render', id, '--out', out, '--language', 'en', '--json')
    expect(stderr).toBe('')
    expect(json).toMatchObject({ invoice_id: id, company_id: company, number: null, language: 'en' })
    const plain = readFileSync(out)
    expect(plain.subarray(0, 5).toString()).toBe('%PDF-')
    const logo = join(folder, 'logo.png')
    writeFileSync(logo, Buffer.from(dot, 'base64'))
    const kept = await run(['company', 'logo', '--company', company, '--file', logo, '--json'])
    expect(kept.json).toEqual({ company_id: company, logo: 'image/png' })
    await spawnedAdmin('render', id, '--out', out, '--language', 'en')
    expect(readFileSync(out).length).toBeGreaterThan(plain.length)
    await run(['company', 'logo', '--company', company, '--remove'])
    await spawnedAdmin('render', id, '--out', out, '--language', 'en')
    expect(readFileSync(out).equals(plain)).toBe(true)
  })

  it('prints an invoice from a file, or reports why it cannot print it', async () => {
    const out = join(folder, 'file.pdf')
    const sent = imported({ taxId: nextTaxId(), number: 'A-1' })
    const options = tokens`--file ${file('invoice.json', sent)} --out ${out} --json`
    const { json } = await spawnedAdmin('render', ...options)
    expect(json).toMatchObject({ number: 'A-1', language: 'es' })
    const wrong = tokens`render --file ${file('wrong.json', {})} --out ${out}`
    await refused(1, 'not an invoice that can be printed', run(wrong))
  })

  it('rejects invalid combinations of options', async () => {
    const { company, id } = await saved()
    const ending = async (...args: string[]) => (await run(args)).status
    expect(await ending('render', '--out', 'x.pdf')).toBe(2)
    expect(await ending('render', id, '--out', 'x.pdf', '--template', 'baroque-gold')).toBe(2)
    expect(await ending('render', UNKNOWN_ID, '--out', 'x.pdf')).toBe(1)
    expect(await ending('render', id, '--out', 'x.pdf', '--facturx')).toBe(1)
    expect(await ending('company', 'logo', '--company', company)).toBe(2)
    const text = file('logo.txt', 'no picture')
    expect(await ending('company', 'logo', '--company', company, '--file', text)).toBe(1)
  })

  it('refuses a damaged logo, and keeps the earlier one', async () => {
    const company = await create()
    const picture = join(folder, 'damaged.png')
    const setting = (bytes: Buffer) => {
      writeFileSync(picture, bytes)
      return run(['company', 'logo', '--company', company, '--file', picture])
    }
    const whole = Buffer.from(dot, 'base64')
    expect((await setting(whole)).status).toBe(0)
    await refused(1, 'The logo cannot be read: it is truncated.', setting(whole.subarray(0, -8)))
  })
})
