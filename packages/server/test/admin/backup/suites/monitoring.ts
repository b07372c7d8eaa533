/** Tests that the example dashboard and alert rules use existing metrics, and that every alert can fire. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { ROOT } from '#test/docs/markdown.ts'
import { tokens } from '#test/tokens.ts'
import { COMPANY_GAUGES, createGauges, GAUGES } from '../../../../src/app/gauges.ts'
import { rowsOf } from '../../rows.ts'

const read = (file: string): string => readFileSync(`${ROOT}examples/monitoring/${file}`, 'utf8')

interface Alert {
  readonly name: string
  readonly expr: string
}

const alerts: Alert[] = [...read('prometheus-alerts.yml').matchAll(/- alert: (\w+)\n\s+expr: (.+)/g)].map(
  ([, name = '', expr = '']) => ({ name, expr }),
)
const shown: string[] = JSON.parse(read('grafana-dashboard.json')).panels.flatMap(
  ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
)

type Scrape = Map<string, { readonly labels: string; value: number }[]>

/** Parses metrics in the Prometheus text format into series by name. */
function parse(text: string): Scrape {
  const series: Scrape = new Map()
  for (const [, name = '', labels = '', value] of text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm))
    series.set(name, [...(series.get(name) ?? []), { labels, value: Number(value) }])
  return series
}

const ALL_GAUGES = Object.keys({ ...GAUGES, ...COMPANY_GAUGES })
const KNOWN = new Set(tokens`
  sum max min by or vector le state status company_id reason rate increase histogram_quantile time up job
  instance`)
const namesIn = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"|\[\w+\]/g, '').matchAll(/[a-z_]\w+/g)]
    .map(([name]) => name)
    .filter((name) => !KNOWN.has(name))

/** Returns the companies for which the expression of a rule by company holds. */
const companiesWhere = (expr: string, scrape: Scrape): readonly string[] => {
  const [, name = ''] = /by \(company_id\) \((\w+)\)/.exec(expr) ?? []
  return (scrape.get(name) ?? [])
    .filter((one) => holds(expr, scrape, new Map([[name, [one]]])))
    .map(({ labels }) => /company_id="([^"]*)"/.exec(labels)?.[1] ?? '')
    .sort()
}

/** Evaluates a rule expression: aggregates of series, and `rate` and `increase` between two scrapes. */
function holds(expr: string, before: Scrape, after: Scrape): boolean {
  const of = (name: string, matcher: string, scrape: Scrape): number[] => {
    const [, label, sign, wanted = ''] = /(\w+)(=~?)"([^"]*)"/.exec(matcher) ?? []
    return (scrape.get(name) ?? [])
      .filter(({ labels }) => {
        if (!label) return true
        const value = new RegExp(`[{,]${label}="([^"]*)"`).exec(labels)?.[1] ?? ''
        return sign === '=~' ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted
      })
      .map(({ value }) => value)
  }
  const total = (values: number[]) => values.reduce((sum, one) => sum + one, 0)
  const text = expr
    .replaceAll(
      /(rate|increase)\((\w+)(\{[^}]*\})?\[(\d+)([mh])\]\)/g,
      (_, how, name, matcher = '', n, unit) => {
        const gone = total(of(name, matcher, after)) - total(of(name, matcher, before))
        return String(how === 'rate' ? gone / (Number(n) * (unit === 'h' ? 3600 : 60)) : gone)
      },
    )
    .replaceAll('time()', String(Date.now() / 1000))
    .replaceAll(/\b(?:cuadra_|up\b)\w*(\{[^}]*\})?/g, (found, matcher = '') => {
      const values = of(found.replace(matcher, ''), matcher, after)
      return values.length === 0 ? 'NaN' : String(values[0])
    })
    .replaceAll(/\b(?:max|min|sum)(?: by \(company_id\) )?\(/g, '(')
  return new Function(`return ${text}`)()
}

/** The value of a metric that makes each alert fire on an otherwise healthy server. */
const FIRES: Readonly<Record<string, readonly [metric: string, value: number, labels?: string]>> = {
  CuadraDown: ['up', 0],
  CuadraDatabaseAway: ['cuadra_database_readable', 0],
  CuadraDatabaseReadOnly: ['cuadra_database_writable', 0],
  CuadraDatabaseDamaged: ['cuadra_database_damaged', 1],
  CuadraRecordsWait: ['cuadra_verifactu_pending_oldest_seconds', 3700],
  CuadraRecordsWaitLong: ['cuadra_verifactu_pending_oldest_seconds', 90_000],
  CuadraSendingFails: ['cuadra_verifactu_sending_failures', 6],
  CuadraRecordsRejected: ['cuadra_verifactu_record_results_total', 1, '{state="rejected"}'],
  CuadraCancellationMissing: ['cuadra_verifactu_cancellations_missing', 1],
  CuadraChainAnomaly: ['cuadra_anomalies_open', 1],
  CuadraSiiOverdue: ['cuadra_sii_overdue_records', 1],
  CuadraCertificateEnds: ['cuadra_certificate_left_seconds', 29 * 86_400],
  CuadraCertificateEnded: ['cuadra_certificate_left_seconds', -1],
  CuadraBackupOld: ['cuadra_last_backup_timestamp_seconds', Date.now() / 1000 - 37 * 3600],
  CuadraDiskFull: ['cuadra_disk_free_bytes', 1000],
  CuadraClockWrong: ['cuadra_authority_clock_skew_seconds', 61],
  CuadraErrors: ['cuadra_http_request_duration_seconds_count', 100, '{route="/x",method="get",status="507"}'],
}

export function monitoringSuite(): void {
  let server: TestServer
  let before: Scrape = new Map()
  let after: Scrape = new Map()
  let described: string[] = []
  const scrape = async (): Promise<Scrape> => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    described = [...text.matchAll(/^# HELP (\w+)/gm)].map(([, name = '']) => name)
    const series = parse(text)
    // Prometheus adds the series `up` itself.
    return series.set('up', [{ labels: '{job="cuadra"}', value: 1 }])
  }

  beforeAll(async () => {
    server = await startServer({ store: 'sqlite' })
    const { json } = await server.call('GET', '/company', { key: server.demo?.key ?? '' })
    expect(json.tax_id).toBeTruthy()
    before = await scrape()
    after = await scrape()
  }, 60_000)
  afterAll(() => server?.stop())

  it('the examples use only metrics of a running server, and every gauge is used', () => {
    expect(alerts.length).toBeGreaterThan(10)
    // Gauges of companies without a problem have no value.
    const there = [...after.keys(), ...described]
    const named = [...alerts.map(({ expr }) => expr), ...shown].flatMap(namesIn)
    expect(named.filter((name) => !there.includes(name))).toEqual([])
    expect(ALL_GAUGES.filter((name) => !named.includes(name))).toEqual([])
  })

  it('the page documents exactly the existing metrics and alerts', () => {
    const page = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
    for (const name of ALL_GAUGES) expect(page).toContain(`\`${name}\``)
    const documented = [...page.matchAll(/`(Cuadra\w+)`/g)].map(([, name]) => name)
    expect(documented.filter((name) => !alerts.some((one) => one.name === name))).toEqual([])
    const base = (name: string) => name.replace(/Long$/, '').replace(/Ended$/, 'Ends')
    expect(alerts.filter(({ name }) => !documented.includes(base(name)))).toEqual([])
  })

  it('no alert fires on a healthy server, and each alert fires on its metric', () => {
    const calm: Scrape = new Map(after)
    calm.set('cuadra_last_backup_timestamp_seconds', [{ labels: '', value: Date.now() / 1000 - 3600 }])
    calm.set('cuadra_disk_free_bytes', [
      { labels: '', value: 0.5 * (after.get('cuadra_disk_size_bytes')?.[0]?.value ?? 0) },
    ])
    for (const { name, expr } of alerts) expect(holds(expr, before, calm), `${name}: ${expr}`).toBe(false)
    expect(Object.keys(FIRES).sort()).toEqual(alerts.map(({ name }) => name).sort())
    for (const { name, expr } of alerts) {
      const [metric = '', value = 0, labels = ''] = FIRES[name] ?? []
      const others = labels ? (calm.get(metric) ?? []).filter((one) => one.labels !== labels) : []
      const state = new Map(calm).set(metric, [
        ...others,
        { labels: labels || (metric === 'up' ? '{job="cuadra"}' : ''), value },
      ])
      expect(holds(expr, before, state), `${name}: ${expr}`).toBe(true)
    }
  })

  it('an alert about a company fires for that company alone, and inactive companies are omitted', async () => {
    const pending = async () => {
      const company = await server.company()
      await activateVerifactu(server, company.id)
      const { json } = await server.call('PUT', '/drafts', { key: company.key, body: draft() })
      await server.call('POST', `/issued-invoices/${json.id}/issue`, { key: company.key })
      return company
    }
    const [stuck, gone, down, well] = [await pending(), await pending(), await pending(), await pending()]
    const old = (company: TestCompany) =>
      rowsOf(server, company).update('verifactu_records', { created_at: '2026-01-01T00:00:00.000000' })
    for (const one of [stuck, gone]) await old(one)
    await administer(server, ['company', 'update', gone.id, '--file', '-'], { input: '{"is_active": false}' })
    const wait = alerts.find(({ name }) => name === 'CuadraRecordsWaitLong')?.expr ?? ''
    /** The gauges of companies as Prometheus reads them, without the cache of the server. */
    const scraped = async (): Promise<Scrape> => {
      const { companies } = await createGauges(server, await server.store())()
      const series: Scrape = new Map()
      for (const { gauge, labels, value } of companies)
        series.set(gauge, [
          ...(series.get(gauge) ?? []),
          { labels: `{company_id="${labels.company_id}"}`, value },
        ])
      return series
    }
    expect(companiesWhere(wait, await scraped())).toEqual([stuck.id])
    await old(down)
    const now = await scraped()
    expect(companiesWhere(wait, now)).toEqual([stuck.id, down.id].sort())
    const valuesOf = (id: string) =>
      [...now].flatMap(([name, series]) => (series.some(({ labels }) => labels.includes(id)) ? [name] : []))
    expect(valuesOf(gone.id)).toEqual([])
    expect(valuesOf(well.id)).toContain('cuadra_verifactu_pending_records')
  }, 60_000)
}
