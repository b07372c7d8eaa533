/**
 * The WebAssembly module as a WASI command, started anew for each request: in Node, and in Wasmtime, which is not
 * a JavaScript runtime (the one inside wizer, whose way of running a start function is a way of running it).
 */
import { devNull } from 'node:os'
import { fileURLToPath } from 'node:url'
import { howToHave, requireFrom } from '../../../scripts/dev-packages.mjs'
import { commandAnswer } from '../run/command.mjs'
import { notFound, programOf, WASM, wasmMissing } from '../run/missing.mjs'

const PROGRAM = fileURLToPath(new URL('../inside/wasi.mjs', import.meta.url))
const HELP = ['--help']
const WIZER = ['--allow-wasi', '--inherit-stdio', 'true', '--wasm-bulk-memory', 'true']
const START = ['--init-func', '_start', '--keep-init-func=true', WASM, '-o', devNull]

/** One program after the other. */
const command = (version, program, args) => ({
  version,
  async answers(requests) {
    const answers = []
    for (const text of requests) answers.push(await commandAnswer(program, args, text))
    return answers
  },
  stop: async () => {},
})

export default [
  {
    name: 'wasm-wasi',
    wasm: true,
    sample: 14,
    missing: wasmMissing,
    start: async () => command(process.versions.node, process.execPath, ['--no-warnings', PROGRAM]),
  },
  {
    name: 'wasm-wasmtime',
    wasm: true,
    // It compiles the module with all care each time, which takes a second.
    sample: 7,
    missing: () =>
      wasmMissing() ??
      (programOf('module', 'wizer', HELP) ? undefined : notFound('wizer', howToHave('module'))),
    start: async () => {
      const { version } = requireFrom('module')('@bytecodealliance/wizer/package.json')
      return command(`wizer ${version}`, programOf('module', 'wizer', HELP), [...WIZER, ...START])
    },
  },
]
