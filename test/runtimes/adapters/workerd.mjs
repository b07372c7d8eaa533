/** workerd, the runtime of Cloudflare Workers, through Miniflare. */
import { readFileSync } from 'node:fs'
import { hasSet, howToHave, requireFrom } from '../../../scripts/dev-packages.mjs'
import { bundleOf } from '../run/bundle.mjs'
import { notFound, programOf, WASM, WASM_SAMPLE, wasmMissing } from '../run/missing.mjs'

function missing() {
  if (!hasSet('runtimes')) return notFound('miniflare', howToHave('runtimes'))
  return programOf('runtimes', 'workerd') ? undefined : notFound('workerd', howToHave('runtimes'))
}

const start = (program, wasm) => async () => {
  const { Miniflare } = requireFrom('runtimes')('miniflare')
  const module = wasm ? [{ type: 'CompiledWasm', path: 'cuadra.wasm', contents: readFileSync(WASM) }] : []
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'program.mjs', contents: await bundleOf(program) }, ...module],
    compatibilityDate: '2026-04-01',
    // Does not request details of a connection that is never made.
    cf: false,
  })
  await worker.ready
  return {
    version: requireFrom('runtimes')('workerd/package.json').version,
    async answers(requests) {
      const reply = await worker.dispatchFetch('http://localhost/', {
        method: 'POST',
        body: JSON.stringify(requests),
      })
      if (reply.status !== 200) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 500)}`)
      return reply.json()
    },
    stop: () => worker.dispose(),
  }
}

export default [
  { name: 'workerd', missing, start: start('workerd.mjs', false) },
  {
    name: 'wasm-workerd',
    wasm: true,
    sample: WASM_SAMPLE,
    missing: () => missing() ?? wasmMissing(),
    start: start('workerd-wasm.mjs', true),
  },
]
