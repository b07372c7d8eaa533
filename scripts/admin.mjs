/** `npm run admin -- ...`: builds missing programs and runs the administrator's command. */
import { buildMissing } from './build.mjs'

await buildMissing('admin')
await import('../dist/server/admin.js')
