/** `npm run simulator -- ...`: builds missing programs and runs the simulator of the tax authority. */
import { buildMissing } from './built.mjs'

buildMissing('cuadra-server', 'simulator')
await import('../dist/server/simulator.js')
