/** Processes one body with an entry point of the package, in a separate process. Prints time and memory as JSON. */
import { pathToFileURL } from 'node:url'
import { readOptions } from '../../scripts/options.mjs'
import { BODIES } from './bodies.mjs'

const {
  positionals: [checkout, face, number],
} = readOptions({
  about: 'Processes one body of bench/heavy/bodies.mjs with an entry point of a checkout: request or edge.',
  operands: 'CHECKOUT ENTRY_POINT BODY_NUMBER',
})
const [, make, path] = BODIES[Number(number)]
const document = make()
const load = (file) => import(pathToFileURL(`${checkout}/${file}`).href)
const query = new URL(path, 'http://localhost').searchParams

async function prepared() {
  if (face === 'request') {
    const { answer } = await load('dist/request/index.js')
    const options = query.has('explain') ? { explain: true } : {}
    return (text) => answer(`{"op":"validate","document":${text},"options":${JSON.stringify(options)}}`)
  }
  const { createHandler } = await load('dist/edge/index.js')
  const handler = createHandler()
  return async (body) => {
    const answer = await handler.fetch(
      new Request(`http://localhost/validate?${query}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }),
    )
    return answer.text()
  }
}

const run = await prepared()
await run('{}')
const before = process.resourceUsage().maxRSS
const cpu = process.cpuUsage()
const text = await run(document)
const used = process.cpuUsage(cpu)
const { errors, detail } = JSON.parse(text)
process.stdout.write(
  JSON.stringify({
    answer: detail ? detail.code : `${errors.length} items`,
    size: text.length,
    cpu: (used.user + used.system) / 1e6,
    memory: (process.resourceUsage().maxRSS - before) / 1024,
  }),
)
