/**
 * The program of the runtimes that have standard input and output: a JSON list of requests a line in, a JSON list of
 * answers a line out. Its argument says which engine: `javascript`, `wasm` (the raw interface) or `loader`.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { answersTo } from './answers.mjs'
import { engineOf } from './wasm.mjs'

const dist = new URL('../../../dist/', import.meta.url)

const ENGINES = {
  javascript: async () => (await import('../../../dist/request/index.js')).answer,
  wasm: async () => engineOf(await WebAssembly.compile(readFileSync(new URL('cuadra.wasm', dist)))),
  loader: async () => {
    const { loadCuadra } = await import(new URL('wasm/node.js', dist).href)
    const engine = await loadCuadra()
    return (text) => engine.answer(text)
  },
}

const say = (value) => new Promise((done) => process.stdout.write(`${JSON.stringify(value)}\n`, done))

const answer = await ENGINES[process.argv[2]]()
await say(globalThis.Deno?.version.deno ?? globalThis.Bun?.version ?? process.versions.node)

let open = ''
process.stdin.setEncoding('utf8')
// Not `readline`, which also ends a line at U+2028.
for await (const chunk of process.stdin) {
  const lines = (open + chunk).split('\n')
  open = lines.pop()
  for (const line of lines) await say(answersTo(answer, JSON.parse(line)))
}
