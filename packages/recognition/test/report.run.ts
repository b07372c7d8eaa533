/**
 * Writes docs/reference/recognition-accuracy.md: `CUADRA_REPORT=1 npx vitest run packages/recognition/test/report.run.ts`, after
 * `npm run build -- server`. `CUADRA_REAL_INVOICES` may name folders of real invoices: `real.ts`. The file name keeps it
 * out of ordinary test runs.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { report } from './report.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const day = new Date().toISOString().slice(0, 10)

it('writes the accuracy report', { timeout: 7_200_000 }, async () => {
  const { markdown, details } = await report({
    stamp: `${day}, cuadra ${version} (${commit}), Node ${process.versions.node}.`,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${details.join('\n')}\n\n${markdown}`)
  writeFileSync(new URL('../../../docs/reference/recognition-accuracy.md', import.meta.url), markdown)
})
