/** Fails if a change keeps a module from loading, which other test files report without a failed test. */
import { it } from 'vitest'

it.each(['api', 'verifactu', 'sii'])('%s loads', async (folder) => {
  await import(`../../src/${folder}/index.ts`)
})
