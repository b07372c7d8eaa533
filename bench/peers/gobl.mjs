/**
 * Compares GOBL, a Go library, with cuadra on the ten-line invoice: GOBL's native program with the JavaScript engine,
 * and GOBL's native program and WebAssembly module with cuadra's WebAssembly module. The calls of all alternate.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { validate } from '../../dist/index.js'
import { invoiceOf } from '../documents.mjs'
import { cpu, median } from '../measure.mjs'
import { cpuOf, start, temporaryFolder } from '../server/process.mjs'

const SOURCE = process.env.GOBL_SOURCE
const RATES = { 21: 'general', 10: 'reduced', 4: 'super-reduced' }

/** Returns the same invoice in the format of GOBL, with the type and date that its VERI*FACTU addon requires. */
export function goblOf({ invoice }) {
  const party = ({ tax_id, name, company: { address } }) => ({
    name,
    tax_id: { country: 'ES', code: tax_id },
    addresses: [{ street: address.address, code: address.post_code, locality: address.town, country: 'ES' }],
  })
  return {
    $schema: 'https://gobl.org/draft-0/bill/invoice',
    $regime: 'ES',
    $addons: ['es-verifactu-v1'],
    type: 'standard',
    series: invoice.header.invoice_series_code,
    code: '1',
    issue_date: invoice.issue_data.operation_date,
    currency: 'EUR',
    supplier: party(invoice.supplier),
    customer: party(invoice.customer),
    lines: invoice.lines.map((line) => ({
      quantity: String(line.quantity),
      item: {
        name: line.item_description,
        ref: line.article_code,
        price: line.unit_price_without_tax.toFixed(2),
      },
      ...(line.discount_rate ? { discounts: [{ percent: `${line.discount_rate}.0%` }] } : {}),
      taxes: [{ cat: 'VAT', rate: RATES[line.tax_output_rate] }],
    })),
    notes: [{ key: 'general', text: 'Suministros' }],
  }
}

const reasonOf = (error) => {
  if (error.code === 'ENOENT') return 'Go is not installed'
  if (error.stderr === undefined) return error.message
  const lines = String(error.stderr).trim().split('\n')
  // Removes addresses of proxies, which must not be printed.
  return `it cannot be downloaded or built: ${lines
    .at(-1)
    .trim()
    .replace(/https?:\/\/\S+/g, 'the proxy')}`
}

/**
 * Builds the program in a temporary folder, so that `go.sum` and other generated files stay out of the project.
 * `GOBL_SOURCE` is a checkout of GOBL, used instead of the module of a Go proxy.
 */
function build(folder, name, env) {
  for (const file of ['go.mod', 'main.go'])
    cpSync(new URL(`./gobl/${file}`, import.meta.url), join(folder, file))
  if (SOURCE)
    appendFileSync(join(folder, 'go.mod'), `\nreplace github.com/invopop/gobl => ${resolve(SOURCE)}\n`)
  execFileSync('go', ['build', '-mod=mod', '-ldflags=-s -w', '-o', name, '.'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 600_000,
  })
  return join(folder, name)
}

/**
 * Starts a GOBL program with the invoice. Returns the total that the program calculates, and a function that returns
 * the microseconds of CPU to process the invoice once.
 */
async function started(command, args, document) {
  const child = start(command, args, {
    env: { ...process.env, GOMAXPROCS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (piece) => {
    complaint += piece
  })
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (text) => {
    child.stdin.write(`${text}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`its program ended: ${complaint.trim()}`)
    return value
  }
  const { totals } = JSON.parse(await ask(JSON.stringify(goblOf(document))))
  const costOf = async (count) => {
    const before = cpuOf(child.pid)
    await ask(count)
    return ((cpuOf(child.pid) - before) * 1000) / count
  }
  return { total: Number(totals.total_with_tax), costOf, end: () => child.stdin.end() }
}

const versionOf = () =>
  SOURCE
    ? execFileSync('git', ['describe', '--tags', '--always'], { cwd: SOURCE, encoding: 'utf8' }).trim()
    : /gobl (v\S+)/.exec(readFileSync(new URL('./gobl/go.mod', import.meta.url), 'utf8'))[1]

/** Returns the microseconds of CPU per call. */
const ownCost = (task) => (count) => {
  const before = cpu()
  for (let at = 0; at < count; at++) task()
  return (cpu() - before) / count
}

/**
 * Returns `{ figures, skipped }` for rows 3 and 4. A measurement that is not possible is skipped with a reason. `scale`
 * reduces the number of calls in a sample.
 */
export async function goblReport(rounds, scale) {
  const document = invoiceOf(10)
  const text = JSON.stringify(document)
  const request = JSON.stringify({ op: 'validate', document })
  const whole = () => JSON.stringify(validate(JSON.parse(text)))
  const total = JSON.parse(whole()).data.invoice.totals.invoice_total
  const tasks = { script: { costOf: ownCost(whole), count: 2000 } }
  const skipped = []
  const program = new URL('../../dist/cuadra.wasm', import.meta.url)
  if (existsSync(program)) {
    const { engineOf } = await import('../../dist/wasm/node.js')
    const engine = engineOf(new WebAssembly.Module(readFileSync(program)))
    if (JSON.parse(engine.answer(request)).data.invoice.totals.invoice_total !== total)
      throw new Error('the module calculates another total')
    tasks.module = { costOf: ownCost(() => engine.answer(request)), count: scale(400) }
  } else skipped.push({ row: 4, name: 'the WebAssembly module', why: 'it is not built: npm run build:wasm' })

  const folder = temporaryFolder()
  const programs = [
    ['native', 3, 'GOBL', 200, {}, (file) => [file, []]],
    [
      'wasm',
      4,
      'GOBL in WebAssembly',
      60,
      { GOOS: 'wasip1', GOARCH: 'wasm' },
      (file) => [
        process.execPath,
        ['--no-warnings', fileURLToPath(new URL('./gobl/wasi.mjs', import.meta.url)), file],
      ],
    ],
  ]
  let megabytes
  for (const [name, row, label, count, env, commandOf] of programs)
    try {
      const file = build(folder, `gobl-${name}`, env)
      if (name === 'wasm') megabytes = statSync(file).size / 1e6
      tasks[name] = { ...(await started(...commandOf(file), document)), count: scale(count) }
      // The totals may differ by cents. A larger difference means that the two programs do not process the same invoice.
      if (!(Math.abs(total - tasks[name].total) < 0.1))
        throw new Error(`its total of the invoice is ${tasks[name].total}, cuadra's is ${total}`)
    } catch (error) {
      tasks[name]?.end()
      delete tasks[name]
      skipped.push({ row, name: label, why: reasonOf(error) })
    }
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, task] of Object.entries(tasks)) {
      const cost = await task.costOf(task.count)
      // The first round is a warm-up.
      if (round > 0) samples[name].push(cost)
    }
  for (const task of Object.values(tasks)) task.end?.()

  const of = (name) => median(samples[name])
  const version = tasks.native || tasks.wasm ? versionOf() : ''
  const native = tasks.native ? [{ name: `GOBL ${version}, native program`, value: of('native') }] : []
  const wasm = tasks.wasm
    ? [{ name: `GOBL ${version} in WebAssembly (${megabytes.toFixed(0)} MB)`, value: of('wasm') }]
    : []
  const differs = `GOBL uses a different JSON format and different rules (Spain and es-verifactu-v1)${tasks.native ? `; its total is ${tasks.native.total}, that of cuadra ${total}` : ''}.`
  return {
    figures: [
      { row: 3, what: 'the engine in JavaScript', value: of('script'), unit: 'us', instead: native, differs },
      ...(tasks.module
        ? [
            {
              row: 4,
              what: `the module (${(statSync(program).size / 1e6).toFixed(1)} MB)`,
              value: of('module'),
              unit: 'us',
              instead: [...native, ...wasm],
              differs: `The module takes ${(of('module') / of('script')).toFixed(0)} times as long as the engine in JavaScript. GOBL's WebAssembly is the program of row 3, compiled by Go for WASI and run by Node.`,
            },
          ]
        : []),
    ],
    skipped,
  }
}
