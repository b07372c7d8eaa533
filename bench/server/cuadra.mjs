/** Starts a server to measure, and sends requests to it. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { invoiceOf } from '../documents.mjs'
import { root, startProcess, temporaryFolder } from './process.mjs'

/** Starts the built server, with a company and its key, in a temporary folder. */
export async function startServer(env = {}) {
  const dataDir = temporaryFolder()
  const started = await startProcess(
    `${root}dist/server/main.js`,
    { PORT: '0', CUADRA_LOG_LEVEL: 'warn', CUADRA_DATA_DIR: dataDir, ...env },
    /cuadra serves (http:\S+)\n/,
  )
  return {
    ...started,
    dataDir,
    key: /key\s+(cuadra_\S+)/.exec(started.output())?.[1],
  }
}

/** Returns a draft of the company, which gets its number and date when it is issued. */
export function draftOf(lines, reference) {
  const document = invoiceOf(lines)
  document.meta = { direction: 'issued', source_system: 'bench', external_ref: reference }
  delete document.invoice.header.invoice_number
  delete document.invoice.issue_data.issue_date
  delete document.invoice.supplier.tax_id
  document.invoice.header.invoice_series_code = 'F'
  return document
}

/**
 * Keep-alive connections of Node's HTTP client. `fetch` would use twice the CPU time, and the server runs on the same
 * CPU.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Sends a request and returns the body of the response. Rejects if the request is refused. */
export const ask = ({ url, key }, method, path, value) =>
  new Promise((resolve, reject) => {
    const body = value === undefined ? undefined : JSON.stringify(value)
    const headers = {
      'x-api-key': key,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const outgoing = request(url + path, { agent, method, headers }, (answer) => {
      const pieces = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.once('error', reject)
      answer.once('end', () => {
        const text = Buffer.concat(pieces).toString()
        if (answer.statusCode >= 300)
          reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`))
        else resolve(text)
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })

/** Saves drafts of ten lines that are ready to be issued, and returns their ids. */
export async function saveDrafts(server, count) {
  const { data } = JSON.parse(await ask(server, 'POST', '/drafts/validate', draftOf(10, 'REF')))
  const { totals } = data.invoice
  const ids = []
  while (ids.length < count) {
    const invoices = Array.from({ length: Math.min(100, count - ids.length) }, () => {
      const document = draftOf(10, randomUUID())
      return { ...document, invoice: { ...document.invoice, totals } }
    })
    const answer = JSON.parse(await ask(server, 'POST', '/drafts/batch', { invoices }))
    if (answer.rejected !== 0) throw new Error(JSON.stringify(answer).slice(0, 500))
    ids.push(...answer.items.map(({ id }) => id))
  }
  return ids
}

/** Issues drafts, with `issuers` parallel requests. */
export async function issueAll(server, ids, issuers) {
  const waiting = [...ids]
  await Promise.all(
    Array.from({ length: issuers }, async () => {
      for (let id = waiting.pop(); id; id = waiting.pop())
        await ask(server, 'POST', `/issued-invoices/${id}/issue`)
    }),
  )
}
