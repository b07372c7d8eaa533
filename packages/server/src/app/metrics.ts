/** Prometheus metrics of one process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../environment/config.ts'
import type { Store } from '../store/store.ts'
import { COMPANY_GAUGES, COMPANY_LABELS, createGauges, GAUGES } from './gauges.ts'

export interface Metrics {
  readonly observe: (route: string, method: string, status: number, seconds: number) => void
  readonly countIssued: () => void
  /** Counts the responses of the tax authority to records. */
  readonly countResults: (state: 'accepted' | 'accepted_with_errors' | 'rejected', records: number) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** HTTP methods of the routes. All other methods are counted together. */
const METHODS = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])

export function createMetrics(config: Pick<Config, 'dataDir'>, store: Store): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'cuadra_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route pattern.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const issued = new Counter({
    name: 'cuadra_invoices_issued_total',
    help: 'Invoices issued by this process.',
    registers: [registry],
  })
  new Counter({
    name: 'cuadra_transaction_retries_total',
    help: 'Transactions that were run again because of concurrent changes.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(store.retries())
    },
  })
  const results = new Counter({
    name: 'cuadra_verifactu_record_results_total',
    help: 'VeriFactu records with a response of the tax authority in this process, by result.',
    labelNames: ['state'],
    registers: [registry],
  })
  for (const state of ['accepted', 'accepted_with_errors', 'rejected']) results.inc({ state }, 0)
  const gaugesOf = <Name extends string>(
    named: Readonly<Record<Name, string>>,
    labelNames: readonly string[] = [],
  ) =>
    new Map(
      Object.entries<string>(named).map(([name, help]) => [
        name,
        new Gauge({ name, help, labelNames, registers: [registry] }),
      ]),
    )
  const gauges = gaugesOf(GAUGES)
  const companyGauges = gaugesOf(COMPANY_GAUGES, COMPANY_LABELS)
  const read = createGauges(config, store)
  const text = async (): Promise<string> => {
    const { installation, companies } = await read()
    const readings: Readonly<Record<string, number>> = installation
    // A gauge without a current value is removed, because its old value would be misleading.
    for (const [name, gauge] of gauges) {
      gauge.remove()
      const value = readings[name]
      if (value !== undefined) gauge.set(value)
    }
    for (const gauge of companyGauges.values()) gauge.reset()
    for (const { gauge, labels, value } of companies) companyGauges.get(gauge)?.set(labels, value)
    return registry.metrics()
  }
  return {
    countResults: (state, records) => results.inc({ state }, records),
    observe: (route, method, status, seconds) =>
      requests.observe({ route, method: METHODS.has(method) ? method : 'other', status }, seconds),
    countIssued: () => issued.inc(),
    text,
    contentType: registry.contentType,
  }
}
