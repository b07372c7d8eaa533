/** `npm run simulator -- ...`: builds missing programs and runs the simulator of the tax authority. */
import { buildMissing } from './build.mjs'

await buildMissing('simulator')
await import('../dist/server/simulator.js')
