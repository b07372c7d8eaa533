/** Entry point of `npm run recognition:report`. The file name keeps it out of ordinary test runs. */
import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { report } from './report.ts'

it('writes the accuracy report', async () => {
  const { markdown, details } = await report({
    stamp: process.env.CUADRA_REPORT_STAMP ?? '',
    say: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${details.join('\n')}\n\n${markdown}`)
  writeFileSync(new URL('../../docs/recognition-accuracy.md', import.meta.url), markdown)
})
