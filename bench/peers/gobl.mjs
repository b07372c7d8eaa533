/** Compares GOBL, a Go library, with cuadra on the ten-line invoice. The two alternate. */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { validate } from '../../dist/index.js'
import { invoiceOf } from '../documents.mjs'
import { cpu, median } from '../measure.mjs'

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
  if (error.stderr === undefined) return `its program ended: ${error.message}`
  const lines = String(error.stderr).trim().split('\n')
  // The address of a proxy must not be printed.
  return `its module cannot be downloaded or built: ${lines
    .at(-1)
    .trim()
    .replace(/https?:\/\/\S+/g, 'the proxy')}`
}

/**
 * Builds the program in a temporary folder, so that `go.sum` and other generated files stay out of the project.
 * `GOBL_SOURCE` is a checkout of GOBL, used instead of the module of a Go proxy.
 */
function build(folder) {
  for (const file of ['go.mod', 'main.go'])
    cpSync(new URL(`./gobl/${file}`, import.meta.url), join(folder, file))
  if (SOURCE)
    appendFileSync(join(folder, 'go.mod'), `\nreplace github.com/invopop/gobl => ${resolve(SOURCE)}\n`)
  const program = join(folder, 'gobl-bench')
  execFileSync('go', ['build', '-mod=mod', '-o', program, '.'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
  })
  return program
}

/** Returns `{ peers, skipped }` for a report. */
export async function goblPeer(rounds, count) {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-bench-gobl-'))
  let child
  try {
    const program = build(folder)
    const document = invoiceOf(10)
    writeFileSync(join(folder, 'invoice.json'), JSON.stringify(goblOf(document)))
    child = spawn(program, [join(folder, 'invoice.json')], {
      env: { ...process.env, GOMAXPROCS: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let complaint = ''
    child.stderr.on('data', (piece) => {
      complaint += piece
    })
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => {
      const { value, done } = await said.next()
      if (done) throw new Error(`GOBL ended: ${complaint.trim()}`)
      return value
    }
    const text = JSON.stringify(document)
    const own = JSON.stringify(validate(JSON.parse(text)))
    const total = JSON.parse(own).data.invoice.totals.invoice_total
    const theirTotal = Number(JSON.parse(await next()).totals.total_with_tax)
    // The totals may differ by cents. A larger difference means that the two programs do not process the same invoice.
    if (!(Math.abs(total - theirTotal) < 0.1))
      throw new Error(`its total of the invoice is ${theirTotal}, cuadra's is ${total}`)
    const [ours, theirs] = [[], []]
    for (let round = 0; round <= rounds; round++) {
      const start = cpu()
      for (let at = 0; at < count * 20; at++) JSON.stringify(validate(JSON.parse(text)))
      const one = (cpu() - start) / (count * 20)
      child.stdin.write(`${count}\n`)
      const other = Number(await next())
      // The first round is a warm-up.
      if (round === 0) continue
      ours.push(one)
      theirs.push(other)
    }
    child.stdin.end()
    const version = SOURCE
      ? execFileSync('git', ['describe', '--tags', '--always'], { cwd: SOURCE, encoding: 'utf8' }).trim()
      : /gobl (v\S+)/.exec(readFileSync(new URL('./gobl/go.mod', import.meta.url), 'utf8'))[1]
    return {
      peers: [
        {
          work: 'a ten-line invoice from bytes to bytes',
          name: 'GOBL',
          version,
          unit: 'us',
          ours: median(ours),
          theirs: median(theirs),
          goal: { least: 75 },
          differs: `another JSON format and other rules (Spain and es-verifactu-v1); Go compared with JavaScript; total ${theirTotal} compared with ${total}`,
        },
      ],
      skipped: [],
    }
  } catch (error) {
    // The page lists GOBL as skipped, with the reason, and shows the other libraries.
    return { peers: [], skipped: [{ name: 'GOBL', why: reasonOf(error) }] }
  } finally {
    child?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
