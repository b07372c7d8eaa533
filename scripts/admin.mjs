/** `npm run admin -- ...`: builds what is missing and runs the administrator's command line. */
import { buildMissing } from './built.mjs'

buildMissing('cuadra-admin', 'admin')
await import('../dist/server/admin.js')
