/** A process that only sends, for tests that kill it. It makes passes ten times as often as a server. */
import { openApp } from '../../../src/app/open.ts'
import { readConfig } from '../../../src/environment/config.ts'
import { siiWireOf, startSiiSending } from '../../../src/service/sii/sending/sii-sender.ts'
import { startSending, wireOf } from '../../../src/service/verifactu/sending/verifactu-sender.ts'

const app = await openApp(readConfig(process.env))
startSending(app, wireOf(app), { intervalMs: 100 })
startSiiSending(app, siiWireOf(app), { intervalMs: 100 })
process.stdout.write('sending\n')
// The passes alone do not keep the process running.
setInterval(() => {}, 1000)
