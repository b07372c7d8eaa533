/**
 * Prints a table with the cost of expensive request bodies. Each body runs in a separate process. For the server,
 * another client requests `/health` continuously, and its longest wait is reported.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../scripts/options.mjs'
import { invoiceOf } from './documents.mjs'
import { BODIES } from './heavy/bodies.mjs'
import { cpuOf, peakOf, root, start, startProcess, temporaryFolder } from './server/process.mjs'

const PAUSE = 20
const { values, positionals } = readOptions({
  about: 'Prints the cost of expensive request bodies, with a built checkout (default: this one).',
  options: {
    only: { type: 'string', value: 'PLACE', about: 'only server, request or edge' },
    match: { type: 'string', value: 'TEXT', about: 'only bodies whose name contains the text' },
    limit: { type: 'string', value: 'SECONDS', default: '60', about: 'stop a body after so many seconds' },
  },
  operands: '[CHECKOUT]',
})
const LIMIT = Number(values.limit) * 1000
const TOO_LONG = `more than ${LIMIT / 1000} s`
const checkout = resolve(positionals[0] ?? root)

/** Requests `/health` repeatedly until `end` is called, which resolves to the longest wait in milliseconds. */
function probe(url) {
  const stop = new AbortController()
  const longest = (async () => {
    let most = 0
    while (!stop.signal.aborted) {
      const start = performance.now()
      // A request that is pending when the server is stopped is counted with its wait until then.
      await fetch(`${url}/health`).then(
        (answer) => answer.text(),
        () => undefined,
      )
      most = Math.max(most, performance.now() - start)
      await new Promise((done) => setTimeout(done, PAUSE))
    }
    return most
  })()
  const end = () => {
    stop.abort()
    return longest
  }
  return { end }
}

const outcomeOf = (status, text) => {
  const { detail, errors, status: state, rejected, total } = JSON.parse(text)
  if (detail) return `${status} ${detail.code}`
  return errors ? `${status}, ${errors.length} items` : `${status} ${state}, ${rejected}/${total} rejected`
}

async function onServer(body, target) {
  const env = { PORT: '0', CUADRA_LOG_LEVEL: 'fatal', CUADRA_DATA_DIR: temporaryFolder() }
  const server = await startProcess(`${checkout}/dist/server/main.js`, env, /cuadra serves (http:\S+)\n/)
  const key = /key\s+(cuadra_\S+)/.exec(server.output())[1]
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const [method, path] = target.includes(' ') ? target.split(' ') : ['POST', target]
  const ask = (text, signal) => fetch(server.url + path, { method, body: text, headers, signal })
  try {
    // Warm up the server with a large body and a small body.
    await ask(JSON.stringify(invoiceOf(2000))).then((answer) => answer.text())
    await ask('{}').then((answer) => answer.text())
    const cpu = cpuOf(server.pid)
    const memory = peakOf(server.pid)
    const health = probe(server.url)
    const cut = AbortSignal.timeout(LIMIT)
    const response = await ask(body, cut)
      .then(async (answer) => {
        const text = await answer.text()
        return { answer: outcomeOf(answer.status, text), size: text.length }
      })
      .catch((error) => ({ answer: cut.aborted ? TOO_LONG : `ended: ${error.cause?.code}`, size: 0 }))
    const used = (() => {
      try {
        return { cpu: (cpuOf(server.pid) - cpu) / 1000, memory: peakOf(server.pid) - memory }
      } catch {
        return { cpu: Number.NaN, memory: Number.NaN }
      }
    })()
    if (cut.aborted) process.kill(server.pid, 'SIGKILL')
    return { ...response, ...used, wait: (await health.end()) / 1000 }
  } finally {
    try {
      process.kill(server.pid, 'SIGKILL')
    } catch {
      // The server has already ended.
    }
  }
}

const onFace = (face, number) =>
  new Promise((done) => {
    const program = fileURLToPath(new URL('heavy/once.mjs', import.meta.url))
    const child = start(process.execPath, [program, checkout, face, number], { timeout: LIMIT })
    let text = ''
    child.stdout.on('data', (piece) => {
      text += piece
    })
    child.once('exit', (code, signal) => {
      const failed = {
        answer: signal ? TOO_LONG : `ended with ${code}`,
        size: 0,
        cpu: Number.NaN,
        memory: Number.NaN,
      }
      done(code === 0 ? JSON.parse(text) : failed)
    })
  })

const fixed = (value, digits) => (Number.isNaN(value) || value === undefined ? '' : value.toFixed(digits))

console.log(
  '| body | where | MB | answer | answer MB | CPU s | s per MB | memory MB | MB per MB | longest wait of others, s |',
)
console.log('|---|---|--:|---|--:|--:|--:|--:|--:|--:|')
for (const [number, [name, make, path, serverOnly]] of BODIES.entries()) {
  if (values.match && !name.includes(values.match)) continue
  for (const where of ['server', 'request', 'edge']) {
    if ((values.only ?? where) !== where || (serverOnly && where !== 'server')) continue
    const body = make()
    const size = Buffer.byteLength(body) / 1e6
    const {
      answer,
      size: answered,
      cpu,
      memory,
      wait,
    } = where === 'server' ? await onServer(body, path) : await onFace(where, String(number))
    console.log(
      `| ${name} | ${where} | ${size.toFixed(2)} | ${answer} | ${fixed(answered / 1e6, 2)} | ${fixed(cpu, 2)} | ${fixed(cpu / size, 2)} | ${fixed(memory, 0)} | ${fixed(memory / size, 0)} | ${fixed(wait, 2)} |`,
    )
  }
}
