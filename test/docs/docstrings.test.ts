/** Every `@example` of the sources gives the value that its comment promises. */
import { readdirSync, readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ROOT } from './markdown.ts'
import { withChecks } from './promises.ts'

const sources = ['src', 'rules'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/generated|node_modules/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort(),
)

/** Text of the examples of a file, without the stars. */
function examplesOf(file: string): string[] {
  const text = readFileSync(`${ROOT}${file}`, 'utf8')
  return [...text.matchAll(/\/\*\*(?:(?!\*\/).)*?@example\n((?:(?!\*\/).)*)\*\//gs)].map(([, body]) =>
    body!
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n')
      .trim(),
  )
}

const documented = sources
  .map((file) => ({ file, examples: examplesOf(file) }))
  .filter(({ examples }) => examples.length > 0)

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

  it('are there for everything that an entry point offers as a function', () => {
    const files = documented.map(({ file }) => file)
    for (const name of [
      'api/validate',
      'api/explain',
      'api/reconcile',
      'api/rule-records',
      'api/standard-schema',
      'catalogs/catalog',
      'identifiers/tax-id',
      'identifiers/iban',
      'formats/detect',
      'formats/read',
      'formats/write',
      'verifactu/record/registration',
      'verifactu/record/cancellation',
      'verifactu/record/event',
      'verifactu/model/hash',
      'verifactu/chain/link',
      'verifactu/chain/verify-chain',
      'verifactu/rules/check',
      'verifactu/message/xml',
      'verifactu/message/response',
      'verifactu/qr/url',
      'verifactu/qr/parse',
      'verifactu/qr/svg',
    ])
      expect(files).toContain(`src/${name}.ts`)
  })
})
