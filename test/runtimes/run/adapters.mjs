/**
 * Every runtime: what the files of `adapters/` offer, those that run JavaScript first.
 *
 * @typedef {object} Runtime
 * @property {string} name
 * @property {boolean} [wasm] Runs the WebAssembly module, to which a request is UTF-8.
 * @property {number} [sample] Answers about so many cases instead of all.
 * @property {boolean} [golden] Answers the golden cases besides, where it answers a sample.
 * @property {() => string | undefined} missing Why it cannot take part here.
 * @property {() => Promise<Running>} start
 *
 * @typedef {object} Running
 * @property {string} version
 * @property {(requests: (string | import('../cases.mjs').Repeated)[]) => Promise<string[]>} answers
 * @property {() => Promise<void>} stop
 */
import { readdirSync } from 'node:fs'

const FOLDER = new URL('../adapters/', import.meta.url)

/** @returns {Promise<Runtime[]>} */
export async function runtimes() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.mjs'))
  const offered = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ new URL(file, FOLDER).href)),
  )
  const all = offered.flatMap((module) => module.default)
  const rank = ({ name, wasm, sample }) => `${wasm ? 1 : 0}${sample ? 1 : 0}${name}`
  return all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
