/** Random invoices, right ones and broken ones, the same each time. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { randomOf, request } from './request.mjs'

const SEED = 20270115
const EVERYDAY = 240
const LARGE = 60
const BROKEN = 300

/** The generators of the property tests, which are TypeScript: bundled in memory. */
async function sample() {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import fc from 'fast-check'
        import { arbitraryInvoice, largeInvoice } from '../../property/arbitrary.ts'
        const of = (invoice, numRuns) => fc.sample(invoice, { numRuns, seed: ${SEED} })
        export const invoices = [...of(arbitraryInvoice(), ${EVERYDAY}), ...of(largeInvoice(), ${LARGE})]`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  const source = Buffer.from(outputFiles[0].contents).toString('base64')
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${source}`)).invoices
}

/** What a broken sender may put in the place of a value. */
const WILD = JSON.parse(readFileSync(new URL('wild.json', import.meta.url), 'utf8'))
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '0',
  'a/b~c',
  'taxable',
  'lines',
  'invoice_number',
  'ñ😀',
]

/** Every object and array of a value. */
const nodesOf = (value) =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(nodesOf)] : []

/** Member by member, as a parser does it: `__proto__` is a name like any other. */
const put = (target, name, value) =>
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })

function breakOnce(document, random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const target = pick(nodesOf(document))
  const name = pick(Object.keys(target))
  const kind = Math.floor(random() * 4)
  if (kind === 0 && name !== undefined) delete target[name]
  else if (kind === 1 || name === undefined)
    put(target, Array.isArray(target) ? target.length : pick(KEYS), pick(WILD))
  else if (kind === 2 && typeof target[name] === 'number') target[name] = String(target[name])
  else put(target, name, structuredClone(pick(WILD)))
}

function broken(invoices) {
  const random = randomOf(SEED)
  return Array.from({ length: BROKEN }, (_, at) => {
    const document = JSON.parse(JSON.stringify(invoices[at % invoices.length]))
    for (let left = 1 + (at % 5); left > 0; left--) breakOnce(document, random)
    return document
  })
}

const EXAMPLES = new URL('../../../examples/', import.meta.url)
const examples = () =>
  readdirSync(EXAMPLES)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, EXAMPLES), 'utf8')))

export async function randomCases() {
  const invoices = await sample()
  const locale = (at) => (at % 2 === 0 ? 'en' : 'es')
  return [
    ...invoices.flatMap((invoice, at) => [
      request(`random ${at}`, 'validate', invoice, { locale: locale(at) }),
      ...(at % 3 === 0 ? [request(`random ${at}`, 'explain', invoice)] : []),
      ...(at % 3 === 1 ? [request(`random ${at}`, 'reconcile', invoice)] : []),
    ]),
    ...broken([...examples(), ...invoices]).map((document, at) =>
      request(`broken ${at}`, 'validate', document, { locale: locale(at) }),
    ),
  ]
}
