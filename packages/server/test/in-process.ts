/** A server in this process, for tests that replace parts of the application. */
import { once } from 'node:events'
import { openApp } from '../src/app/open.ts'
import { readConfig } from '../src/environment/config.ts'
import { createHttpServer } from '../src/http/server.ts'
import { createKey } from '../src/service/access/api-keys.ts'
import { insertCompany } from '../src/service/company/company.ts'
import { companyData } from './company-data.ts'

type Parts = Parameters<typeof openApp>[1]
type BodyMemory = Parameters<typeof createHttpServer>[1]

export async function startInProcess(folder: string, parts: Parts, bodyMemory?: BodyMemory) {
  const app = await openApp(readConfig({ CUADRA_DATA_DIR: folder, CUADRA_LOG_LEVEL: 'silent' }), parts)
  const server = createHttpServer(app, bodyMemory).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    app,
    server,
    /** Returns the key of a new company. */
    newKey: (changes: object = {}): Promise<string> =>
      app.store.transaction(async (tx) => {
        const stamp = app.clock.stamp()
        const { id } = await insertCompany(tx, companyData(changes), stamp)
        return (await createKey(tx.of(id), { scopes: ['*'] }, stamp)).key
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      for (const part of [app.work, app.recogniser, app.authority, app.store]) await part.close()
    },
  }
}
