/** Batches: order, blank and broken lines, threads, long lines. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { splitLines } from '#entry/cli/input/split-lines.ts'
import { temporaryFolder } from '../../folders.ts'
import { itInAll } from '../../size.ts'
import { cuadra, cuadraClosedEarly, documentsIn, root, spawned } from './run.ts'

const folder = temporaryFolder()

const COUNT = 2000
const examples = readdirSync(`${root}examples`)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.stringify(JSON.parse(readFileSync(`${root}examples/${file}`, 'utf8'))))

/** Every 50th document is broken, every 70th is not an invoice; a blank line follows every 100th. */
const isBroken = (index: number) => index % 50 === 7
const isWrong = (index: number) => index % 70 === 9
const BROKEN = '{"schema_version":"json_1_1" "meta":{}}'
const documents = Array.from({ length: COUNT }, (_, index) => {
  const document = required(examples[index % examples.length])
  return isBroken(index) ? BROKEN : isWrong(index) ? '{"schema_version":"json_1_1"}' : document
})
const text = documents.map((line, index) => (index % 100 === 0 ? `${line}\r\n  \n` : `${line}\n`)).join('')
const file = join(folder, 'batch.ndjson')
writeFileSync(file, text)
/** The first 200 lines, two of them blank. */
const some = join(folder, 'some.ndjson')
writeFileSync(some, text.split('\n').slice(0, 200).join('\n'))
const expected = documents.map((_, index) => !isBroken(index) && !isWrong(index))
const invalid = expected.filter((valid) => !valid).length

describe('a batch of 2,000 documents', () => {
  const parallel = spawned(['validate', '--json', '--workers', '3', file])

  it('prints one result per line, in order', () => {
    expect([parallel.code, parallel.err]).toEqual([1, ''])
    const results = documentsIn(parallel.out)
    expect(results.map((result) => result.index)).toEqual(documents.map((_, index) => index))
    expect(results.map((result) => result.is_valid)).toEqual(expected)
    expect(results[0].line).toBe(1)
    expect(results[1].line).toBe(3)
    expect(results[7].errors[0]).toMatchObject({ code: 'json.syntax', extra: { line: 9, column: 30 } })
    expect(results[9].errors[0].code).toBe('schema.required')
    expect(results[1].data.invoice.totals.invoice_total).toBeTypeOf('number')
  })

  itInAll('prints the same without threads, and from the standard input', async () => {
    expect((await cuadra(['validate', '--json', '--workers', '0', file])).out).toBe(parallel.out)
    const { out } = await cuadra(['validate', '--ndjson', '--json', '--workers', '0'], { input: text })
    expect(out).toBe(parallel.out.replaceAll(JSON.stringify(file), '"<stdin>"'))
  })

  it('prints one line of text per document, and a summary', () => {
    const { code, out } = spawned(['validate', file])
    const lines = out.trimEnd().split('\n')
    expect(code).toBe(1)
    expect(lines).toHaveLength(COUNT + 2)
    expect(lines[0]).toBe(`✔ ${file}:1  valid`)
    expect(lines[9]).toBe(`✖ ${file}:11  2 errors  schema.required /invoice; schema.required /meta`)
    expect(lines[COUNT]).toMatch(/^operations: draft 1,?\d+, received \d+$/)
    expect(lines[COUNT + 1]).toBe(`1,${String(COUNT - invalid - 1000)} of 2,000 valid`)
  })

  it('prints only invalid documents with --quiet and --no-data', async () => {
    const { out } = await cuadra(['validate', '--json', '--quiet', '--no-data', '--workers', '0', file])
    const results = documentsIn(out)
    expect(results).toHaveLength(invalid)
    expect(results.every((result) => !result.is_valid)).toBe(true)
  })

  it('keeps lines and columns in annotations and SARIF', async () => {
    const { out } = await cuadra(['validate', '--format', 'github', '--workers', '0', some])
    expect(out.split('\n')[0]).toContain(`file=${some},line=9,col=30,title=json.syntax::`)
    const sarif = JSON.parse(spawned(['validate', '--format', 'sarif', '--workers', '2', some]).out)
    expect(sarif.runs[0].results[0].locations[0].physicalLocation.region.startLine).toBe(9)
  })

  it('can be explained and reconciled', async () => {
    const [result] = documentsIn((await cuadra(['explain', '--json', '--workers', '0', some])).out)
    expect(result.explanation.length).toBeGreaterThan(10)
    expect(documentsIn((await cuadra(['reconcile', '--json', '--workers', '0', some])).out)).toHaveLength(198)
  })

  it('ends quietly when its reader closes the pipe', async () => {
    const { code, err } = await cuadraClosedEarly(['validate', '--json', file])
    expect(err).toBe('')
    expect([0, 1]).toContain(code)
  })
})

describe('splitLines', () => {
  const cut = async (...parts: (string | Uint8Array)[]) => {
    async function* chunks() {
      for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part
    }
    const found: [number, number, string][] = []
    for await (const { bytes, lines } of splitLines('x', chunks(), 8))
      for (const { index, line, start, end } of lines)
        found.push([index, line, new TextDecoder().decode(bytes.subarray(start, end))])
    return found
  }

  it('finds the same lines for any chunk size', async () => {
    const whole = '\ufeff{"a":1}\n\n  \r\n[2]\r\n3\n"ñ"'
    const bytes = new TextEncoder().encode(whole)
    const lines = await cut(whole)
    expect(lines.map(([index, line, body]) => [index, line, body.trim()])).toEqual([
      [0, 1, '{"a":1}'],
      [1, 4, '[2]'],
      [2, 5, '3'],
      [3, 6, '"ñ"'],
    ])
    for (let size = 1; size < bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      expect(await cut(...parts), `chunks of ${size} bytes`).toEqual(lines)
    }
  })

  it('empties a line that is too long, and continues after it', async () => {
    const mega = new Uint8Array(16 * 1024 * 1024).fill(120)
    expect(await cut('1\n2', mega, mega, mega, mega, mega, '\n3\n')).toEqual([
      [0, 1, '1'],
      [1, 2, ''],
      [2, 3, '3'],
    ])
    expect(await cut('1\n', mega, mega, mega, mega, mega)).toEqual([
      [0, 1, '1'],
      [1, 2, ''],
    ])
  })
})
