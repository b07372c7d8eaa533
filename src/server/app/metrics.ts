/** Prometheus metrics of one process. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

export interface Metrics {
  readonly observe: (route: string, method: string, status: number, seconds: number) => void
  readonly issued: () => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

export function createMetrics(store: Store): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'cuadra_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by the address as declared, never as sent.',
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
    help: 'Transactions that had to be run again because others wrote the same rows.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(store.retries())
    },
  })
  return {
    observe: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    issued: () => issued.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
