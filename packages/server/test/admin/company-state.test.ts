/** A server with the simulator: what a company's certificate, territory and activity mean for its records. @slow */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import { type Simulator, startSimulator } from 'cuadra-simulator/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { spanishDay } from '#records/fiscal/timestamp.ts'
import { administer } from '#test/conformance/administrator.ts'
import { certify } from '#test/conformance/certificates.ts'
import { nextTaxId, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { ROOT } from '#test/docs/markdown.ts'
import { temporaryFolder } from '#test/folders.ts'
import { tokens } from '#test/tokens.ts'
import { createGauges } from '../../src/app/gauges.ts'
import { rowsOf } from './rows.ts'

let server: TestServer
let folder: string
let simulator: Simulator
let env: Record<string, string>
/** A filing agent, and the holder of the certificate that `certify` adds: the authority accepts both. */
const [PARTNER, OTHER] = ['B99999997', 'B77777779']
const DAY = 86_400_000

/** Writes a certificate of a holder, and returns the options that add it. */
async function fileOf(taxId: string): Promise<string[]> {
  const [p12, password] = [join(folder, `${taxId}.p12`), join(folder, 'password.txt')]
  const [from, until] = [new Date(Date.now() - DAY), new Date(Date.now() + 300 * DAY)]
  writeFileSync(
    p12,
    await createSelfSignedCertificate({ name: 'Sello', taxId, from, until, password: 'secret' }),
  )
  writeFileSync(password, 'secret')
  return ['--p12', p12, '--password-file', password, '--purpose', 'verifactu']
}

beforeAll(async () => {
  folder = temporaryFolder()
  simulator = await startSimulator({
    dataDir: join(folder, 'simulator'),
    wait: 0,
    powers: { [PARTNER]: ['*'], [OTHER]: ['*'] },
  })
  env = { CUADRA_AEAT_VERIFACTU_URL: simulator.url, CUADRA_AEAT_CA_FILE: simulator.caFile }
  server = await startServer({ store: 'sqlite', env })
}, 60_000)
afterAll(async () => {
  await server?.stop()
  await simulator?.close()
})

const run = async (args: readonly string[], input = '') => {
  const done = await administer(server, args, { input, env })
  expect(done.status, done.stderr).toBe(0)
  return done
}
const add = ({ id }: TestCompany, options: readonly string[]) =>
  run(['certificate', 'add', '--company', id, ...options])
const update = ({ id }: TestCompany, patch: object) =>
  run(['company', 'update', id, '--file', '-'], JSON.stringify(patch))
const get = async ({ key }: TestCompany, path: string) => (await server.call('GET', path, { key })).json
const activate = async ({ key }: TestCompany, sandbox = true) => {
  const body = { mode: 'verifactu', sandbox }
  const { status } = await server.call('PUT', '/verifactu/config', { key, body })
  expect(status).toBe(200)
}
const issue = async ({ key }: TestCompany): Promise<string> => {
  const { json } = await server.call('PUT', '/drafts', { key, body: draft() })
  const { status } = await server.call('POST', `/issued-invoices/${json.id}/issue`, { key })
  expect(status).toBe(200)
  return json.id
}
/** Waits until the records of a company wait for this reason. */
const waitsFor = (company: TestCompany, reason_code: string) =>
  vi.waitFor(
    async () => expect((await get(company, '/verifactu/chain')).waiting).toMatchObject({ reason_code }),
    10_000,
  )
const becomes = (company: TestCompany, id: string, status: string) =>
  vi.waitFor(async () => expect((await get(company, `/issued-invoices/${id}`)).fiscal.status).toBe(status), {
    timeout: 20_000,
    interval: 100,
  })
interface Found {
  readonly check: string
  readonly level: string
  readonly what: string
  readonly why: string
  readonly fix: string
  readonly company_id?: string
}
const findings = async ({ id }: TestCompany): Promise<Found[]> => {
  const { json } = await administer(server, ['doctor', '--json'], { env })
  return json.findings.filter(({ company_id }: Found) => company_id === id)
}
const findingOf = async (company: TestCompany, check: string) =>
  (await findings(company)).find((one) => one.check === check)

describe('the certificate of a partner', () => {
  it('sends the records as soon as it is added as that of a representative', async () => {
    const company = await server.company()
    const added = await add(company, [...(await fileOf(PARTNER)), '--representative'])
    expect(added.stderr).toBe(
      'note: `operated_by_partner` of the company is now true, so its records are sent with this certificate.\n',
    )
    await activate(company)
    expect((await get(company, '/verifactu/config')).operated_by_partner).toBe(true)
    await becomes(company, await issue(company), 'verifactu_accepted')
    const certificates = (await findings(company)).filter(({ check }) => check.startsWith('certificate'))
    expect(certificates).toMatchObject([{ check: 'certificate', level: 'ok' }])
  })

  it('leaves `operated_by_partner` as it is if the certificate is that of the company', async () => {
    const company = await server.company()
    const added = await add(company, [...(await fileOf(String(company.data.tax_id))), '--representative'])
    expect(added.stderr).toBe('')
    expect((await get(company, '/verifactu/config')).operated_by_partner).toBe(false)
  })

  it('is named by doctor before anything waits, with the command that starts the sending', async () => {
    const company = await server.company()
    await certify(server, company.id)
    const found = await findingOf(company, 'certificate_owner')
    expect(found).toMatchObject({
      level: 'error',
      what: `The certificate belongs to ${OTHER}, but the tax id of the company is ${company.data.tax_id}`,
    })
    await activate(company)
    const id = await issue(company)
    await vi.waitFor(async () => expect((await get(company, '/verifactu/incidents')).total).toBe(1), 10_000)
    expect(await findingOf(company, 'pending')).toMatchObject({
      level: 'warning',
      what: expect.stringContaining('pending (test): 1,'),
    })
    const [, patch = '', args = ''] = /echo '([^']+)' \| cuadra-admin ([^.]+?)\./.exec(found?.fix ?? '') ?? []
    await run(args.split(' '), patch)
    expect(await findingOf(company, 'certificate_owner')).toBeUndefined()
    await run(['verifactu', 'send-now', '--company', company.id])
    await becomes(company, id, 'verifactu_accepted')
  })

  it('is replaced by a certificate of the company, although the period prefers the first', async () => {
    const company = await server.company()
    await certify(server, company.id)
    await activate(company)
    await add(company, ['--demo'])
    await becomes(company, await issue(company), 'verifactu_accepted')
    expect(await findingOf(company, 'certificate_owner')).toBeUndefined()
  })

  it('is named when the company no longer has a partner', async () => {
    const company = await server.company({ operated_by_partner: true })
    await certify(server, company.id)
    const { stderr } = await update(company, { operated_by_partner: false })
    expect(stderr).toMatch(
      /^note: The certificate belongs to B77777779, but the tax id of the company is \w{9}\. /,
    )
  })
})

describe('while the authority is down', () => {
  it('the incident and doctor state how many records wait and that no action is needed', async () => {
    const company = await server.company()
    await add(company, ['--demo'])
    await activate(company)
    await simulator.control.inject({
      kind: 'http_status',
      status: 503,
      taxpayer: String(company.data.tax_id),
    })
    await issue(company)
    const id = await issue(company)
    const text = await vi.waitFor(async () => {
      const { items } = await get(company, '/verifactu/incidents')
      expect(items[0]?.descripcion_error).toContain('HTTP 503')
      return items[0].descripcion_error
    }, 10_000)
    expect(text).toMatch(
      /is not available \(HTTP 503\)\..* no action is needed\. Pending records in total: 2\.$/,
    )
    expect(text).not.toContain('may have arrived')
    const { update: change } = rowsOf(server, company)
    await change('verifactu_records', { created_at: '2026-01-01T00:00:00.000000' })
    const found = await findingOf(company, 'pending')
    expect(found).toMatchObject({ level: 'error', fix: expect.stringMatching(/no action is needed/) })
    expect(found?.why).not.toContain('may have arrived')
    await simulator.control.clear()
    // The authority's waiting time has passed.
    await change('verifactu_queues', { flow_ms: 0 })
    await run(['verifactu', 'send-now', '--company', company.id])
    await becomes(company, id, 'verifactu_accepted')
  })
})

describe('a company that moves to a regional territory', () => {
  const BILBAO = { address: { line: 'Gran Vía, 1', post_code: '48001', town: 'Bilbao' } }

  it('reads at the update and in doctor on which day its VERI*FACTU period ends', async () => {
    const company = await server.company()
    await add(company, ['--demo'])
    await activate(company, false)
    const { stderr } = await update(company, BILBAO)
    const end = `${spanishDay(Date.now()).slice(0, 4)}-12-31`
    expect(stderr).toMatch(/^note: The company is in Vizcaya, which has its own tax authority, .*\n$/)
    expect(stderr).toContain(`The period ends on ${end}: VERI*FACTU must be used until the end of the year`)
    expect(await findingOf(company, 'territory')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining(`period close --company ${company.id}\` on ${end}`),
    })
    // The period applies until it is closed, and asking for it again changes nothing.
    expect(await get(company, '/verifactu/config')).toMatchObject({
      applicable: true,
      mode: 'verifactu',
      regime_state: 'habilitado',
    })
    await activate(company)
    await run(['verifactu', 'period', 'close', '--company', company.id, '--anyway'])
    expect(await findingOf(company, 'territory')).toBeUndefined()
    expect(await get(company, '/verifactu/config')).toMatchObject({
      applicable: false,
      regime_state: 'revocado',
    })
    const again = await server.call('PUT', '/verifactu/config', { key: company.key, body: {} })
    expect(again.json.detail.code).toBe('verifactu_not_applicable_foral')
  })

  it('closes a test period at once', async () => {
    const company = await server.company()
    await add(company, ['--demo'])
    await activate(company)
    expect((await update(company, BILBAO)).stderr).toContain('The period ends today')
  })

  it('gets no note without a period', async () => {
    const company = await server.company()
    expect((await update(company, BILBAO)).stderr).toBe('')
  })
})

describe('a company with a wrong tax id', () => {
  const NEW_COMPANY = {
    legal_name: 'Papelería Correcta, S.L.',
    person_type_code: 'J',
    verified: true,
    address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid' },
  }

  /** The commands of the page, with ids and files filled in. */
  const commandsOf = (values: Readonly<Record<string, string>>): string[][] => {
    const page = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
    const [section = ''] = /^## Replace a company with a wrong tax id$.*?^## /ms.exec(page) ?? []
    return [...section.matchAll(/^ *cuadra-admin (.+)$/gm)].map(([, line = '']) =>
      line.split(' ').map((word) => values[word] ?? word),
    )
  }

  const gaugesOf = async ({ id }: TestCompany) => {
    const { companies } = await createGauges(server, await server.store())()
    return companies
      .filter(({ labels }) => labels.company_id === id)
      .map(({ gauge, value }) => [gauge, value])
  }

  it('is replaced as the page says: the alert ends and the invoices have the right issuer', async () => {
    const wrong = await server.company({ delegated_signature: { valid_until: '2099-12-31' } })
    await activate(wrong)
    const ids = [await issue(wrong), await issue(wrong), await issue(wrong)]
    const waiting = async () => (await get(wrong, '/verifactu/chain')).waiting
    await waitsFor(wrong, 'no_certificate')
    const rightId = nextTaxId()
    const [, p12 = '', , password = ''] = await fileOf(rightId)
    const refused = await administer(
      server,
      tokens`certificate add --company ${wrong.id} --p12 ${p12} --password-file ${password} --purpose verifactu`,
    )
    expect(refused.stderr).toContain(
      `belongs to ${rightId}, but the tax id of the company is ${wrong.data.tax_id}`,
    )

    const today = spanishDay(Date.now())
    const files = {
      'company.json': { ...NEW_COMPANY, tax_id: rightId },
      'inactive.json': { is_active: false },
    }
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), JSON.stringify(content))
    const values: Record<string, string> = {
      WRONG: wrong.id,
      wrong: join(folder, 'wrong'),
      '2026-11-01': '2026-01-01',
      '2026-11-30': '2099-12-31',
      'company.p12': p12,
      'password.txt': password,
      'company.json': join(folder, 'company.json'),
      'inactive.json': join(folder, 'inactive.json'),
    }
    const count = commandsOf(values).length
    expect(count).toBe(10)
    const right = { id: '', key: '', data: wrong.data }
    const texts: string[] = []
    for (let index = 0; index < count - 1; index++) {
      const [command, act] = commandsOf(values)[index] ?? []
      const args = commandsOf(values)[index] ?? []
      const isCreated = act === 'create'
      const { stdout, json } = await run([...args, ...(isCreated ? ['--json'] : [])])
      texts.push(stdout)
      if (isCreated && command === 'company') right.id = values.RIGHT = json.id
      if (isCreated && command === 'key') right.key = json.key
      if (index === 1) {
        const again = await administer(server, args, { env })
        expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('has no invoice in force')])
      }
      if (act === 'stop-sending') {
        expect(await gaugesOf(wrong)).toEqual(
          ['cuadra_verifactu_sending_failures', 'cuadra_authority_clock_skew_seconds'].map((name) => [
            name,
            0,
          ]),
        )
        expect((await waiting()).records).toBe(0)
        expect((await get(wrong, '/verifactu/incidents')).total).toBe(0)
      }
    }
    expect(texts[0]).toMatch(/\n3 invoices, none cancelled \(--dry-run\)\.\n$/)
    expect(texts[1]).toMatch(/\n3 invoices cancelled\.\n$/)
    expect(texts[3]).toMatch(/^test: 6 records are no longer sent \(`rejected`\)/)

    for (const id of ids)
      expect(await get(wrong, `/issued-invoices/${id}`)).toMatchObject({ status: 'cancelled' })
    const exported = readdirSync(values.wrong ?? '', { recursive: true, encoding: 'utf8' })
    const sent = exported.filter((name) => name.endsWith('.sent.json'))
    expect(sent.length).toBe(ids.length)
    for (const name of sent) {
      const body = JSON.parse(readFileSync(join(values.wrong ?? '', name), 'utf8'))
      expect(body.invoice.supplier.name).toBe(wrong.data.legal_name)
      for (const name of ['tax_id', 'company', 'individual']) delete body.invoice.supplier[name]
      body.invoice.supplier.name = NEW_COMPANY.legal_name
      body.invoice.issue_data.operation_date = today
      const saved = await server.call('PUT', '/drafts', { key: right.key, body })
      expect(saved.status, saved.text).toBeLessThan(300)
      const issued = await server.call('POST', `/issued-invoices/${saved.json.id}/issue`, { key: right.key })
      expect(issued.status, issued.text).toBe(200)
      await becomes(right, saved.json.id, 'verifactu_accepted')
      const { invoice } = await get(right, `/issued-invoices/${saved.json.id}/canonical`)
      expect(invoice.supplier).toMatchObject({ tax_id: rightId, name: NEW_COMPANY.legal_name })
    }
    await run(commandsOf(values)[count - 1] ?? [])
    expect((await findings(wrong)).filter(({ level }) => level !== 'ok')).toEqual([])
    const verified = await administer(server, ['verify', '--company', wrong.id], { env })
    expect(verified.status, verified.stderr).toBe(0)
    expect(await gaugesOf(wrong)).toEqual([])
  }, 60_000)

  it('keeps its records waiting while they may still be accepted', async () => {
    const stop = (company: TestCompany) =>
      administer(server, ['verifactu', 'stop-sending', '--company', company.id], { env })
    const down = await server.company()
    expect((await stop(down)).stderr).toContain('rejected records are not sent again')
    await add(down, ['--demo'])
    await activate(down)
    await simulator.control.inject({ kind: 'http_status', status: 503, taxpayer: String(down.data.tax_id) })
    await issue(down)
    await vi.waitFor(
      async () => expect((await get(down, '/verifactu/chain')).waiting.reason).toContain('503'),
      10_000,
    )
    const refused = await stop(down)
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('it must be queried first')])
    await simulator.control.clear()

    const open = await server.company({ delegated_signature: { valid_until: '2099-12-31' } })
    await activate(open)
    await issue(open)
    await waitsFor(open, 'no_certificate')
    const next = async () => /`cuadra-admin ([^`]+)`/.exec((await stop(open)).stderr)?.[1]?.split(' ') ?? []
    const cancel = await next()
    expect(cancel.slice(0, 2)).toEqual(['invoice', 'cancel'])
    expect((await get(open, '/verifactu/chain')).waiting.records).toBe(1)
    await run(cancel)
    const close = await next()
    expect(close.slice(0, 3)).toEqual(['verifactu', 'period', 'close'])
    expect((await get(open, '/verifactu/chain')).waiting.records).toBe(2)
    await run(close)
    expect((await stop(open)).status).toBe(0)
  })

  it('needs no cancellation record for an invoice cancelled after its period, whose record was never sent', async () => {
    const company = await server.company({ delegated_signature: { valid_until: '2099-12-31' } })
    await activate(company)
    const id = await issue(company)
    await waitsFor(company, 'no_certificate')
    await run(['verifactu', 'period', 'close', '--company', company.id])
    const day = spanishDay(Date.now())
    await run(['invoice', 'cancel', '--company', company.id, '--from', day, '--to', day])
    const status = async () => (await get(company, `/issued-invoices/${id}`)).fiscal.status
    expect(await status()).toBe('cancellation_missing')
    await run(['verifactu', 'stop-sending', '--company', company.id])
    expect(await status()).not.toBe('cancellation_missing')
    expect(await findingOf(company, 'cancellations')).not.toMatchObject({ level: 'error' })
    const verified = await administer(server, ['verify', '--company', company.id], { env })
    expect(verified.status, verified.stderr).toBe(0)
  })
})
