/** `npm run admin -- ...`: builds missing programs and runs the administrator's command. */
import { buildMissing } from './built.mjs'

buildMissing('cuadra-admin', 'admin')
await import('../dist/server/admin.js')
