/** The same with the WebAssembly module, which workerd compiles itself. */

import { answersTo } from './answers.mjs'
import module from './cuadra.wasm'
import { engineOf } from './wasm.mjs'

const answer = engineOf(module)

export default {
  fetch: async (request) => Response.json(answersTo(answer, await request.json())),
}
