/** Every `@example` of the sources returns the value in its comment. */
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { tokens } from '../tokens.ts'
import { documentedExamples } from './docstrings.ts'
import { ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

const documented = documentedExamples()

describe('docstring examples', () => {
  it.each(documented)('$file', async ({ file, examples }) => {
    const { default: _, ...module } = await import(/* @vite-ignore */ `${ROOT}${file}`)
    for (const example of examples) {
      const { code, count } = withChecks(example)
      expect(count, example).toBeGreaterThan(0)
      const script = transformSync(code, { loader: 'ts' }).code
      const check = (actual: unknown, expected: unknown, text: string) =>
        expect(actual, text).toEqual(expected)
      new Function('check', ...Object.keys(module), script)(check, ...Object.values(module))
    }
  })

  it('exist for every function of an entry point', () => {
    const files = documented.map(({ file }) => file)
    for (const name of tokens`
      engine/validate engine/explain engine/reconcile engine/rule-records engine/standard-schema
      core/catalogs/catalog core/identifiers/tax-id core/identifiers/iban formats/detect
      formats/read-invoice formats/write-invoice records/verifactu/record/registration
      records/verifactu/record/cancellation records/verifactu/record/event records/verifactu/model/hash
      records/verifactu/chain/chain-link records/verifactu/chain/verify-chain
      records/verifactu/rules/check records/verifactu/message/xml
      records/verifactu/message/read-verifactu-response records/verifactu/qr/url
      records/verifactu/qr/parse records/verifactu/qr/svg`)
      expect(files).toContain(`src/${name}.ts`)
  })
})
