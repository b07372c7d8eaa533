/**
 * Runs the same requests in Node, Bun, Chromium, Deno, workerd and the WebAssembly module, and compares the responses
 * byte for byte. Needs a build. See `docs/runtimes.md`.
 *
 * Exits 1 if a response differs, a runtime fails or a required one is missing; 2 on a usage error.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runtimes } from '../test/runtimes/run/adapters.mjs'
import { stopAll } from '../test/runtimes/run/compare.mjs'
import { runAll } from '../test/runtimes/run/run.mjs'
import { markdownOf, summaryOf, textOf } from '../test/runtimes/run/table.mjs'
import { namesIn, readOptions, wrongUsage } from './options.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${root}docs/runtimes.md`
const TABLE = /(<!-- table -->\n)[\s\S]*?(<!-- end of table -->)/

const { only, require, all, write, json } = readOptions({
  about: 'Runs the golden cases in each runtime that is installed, and compares the responses.',
  options: {
    only: { type: 'string', value: 'RUNTIMES', about: 'run only these' },
    require: { type: 'string', value: 'RUNTIMES', about: 'fail if one of these is missing' },
    all: { type: 'boolean', default: false, about: 'require every runtime' },
    write: { type: 'boolean', default: false, about: 'write the table to docs/runtimes.md' },
    json: { type: 'boolean', default: false, about: 'print the result as JSON' },
  },
}).values
if (!existsSync(`${root}dist/request/index.js`))
  wrongUsage('runtimes: there is no build; run "npm run build" first')
const known = (await runtimes()).map(({ name }) => name)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => void stopAll().finally(() => process.exit(1)))

const required = all ? known : (namesIn(require, known) ?? [])
const result = await runAll(namesIn(only, known))
const absent = result.reports.filter(({ name, missing }) => missing && required.includes(name))

if (write)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(TABLE, (_, begin, end) => `${begin}\n${markdownOf(result)}\n\n${end}`),
  )
if (json) process.stdout.write(`${JSON.stringify(result)}\n`)
else console.log(textOf(result, required))
process.exitCode = summaryOf(result).ok && absent.length === 0 ? 0 : 1
