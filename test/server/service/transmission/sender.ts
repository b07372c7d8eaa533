/**
 * A process that sends and does nothing else, for tests that end it without notice. It looks for what waits ten times as
 * often as a server does.
 */
import { openApp } from '../../../../src/server/app/open.ts'
import { readConfig } from '../../../../src/server/environment/config.ts'
import { siiWireOf, startSiiSending } from '../../../../src/server/service/sii/sending/sender.ts'
import { startSending, wireOf } from '../../../../src/server/service/verifactu/sending/sender.ts'

const app = await openApp(readConfig(process.env))
startSending(app, wireOf(app), { every: 100 })
startSiiSending(app, siiWireOf(app), { every: 100 })
process.stdout.write('sending\n')
// Looking alone keeps no process alive.
setInterval(() => {}, 1000)
