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
      api/validate api/explain api/reconcile api/rule-records api/standard-schema catalogs/catalog
      identifiers/tax-id identifiers/iban formats/detect formats/read formats/write
      verifactu/record/registration verifactu/record/cancellation verifactu/record/event
      verifactu/model/hash verifactu/chain/link verifactu/chain/verify-chain verifactu/rules/check
      verifactu/message/xml verifactu/message/response verifactu/qr/url verifactu/qr/parse
      verifactu/qr/svg`)
      expect(files).toContain(`src/${name}.ts`)
  })
})
