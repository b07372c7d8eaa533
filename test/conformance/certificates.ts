/** A certificate as the administrator adds it. Made once per test process, since generating its key takes long. */
import { createClock } from 'cuadra-server/environment/clock.ts'
import { readConfig } from 'cuadra-server/environment/config.ts'
import {
  addCertificate,
  demonstrationCertificate,
  type Purpose,
} from 'cuadra-server/service/company/certificates.ts'
import type { TestServer } from './harness.ts'

const clock = createClock()
let made: ReturnType<typeof demonstrationCertificate> | undefined

export const testCertificate = () => {
  made ??= demonstrationCertificate({ config: readConfig({}), clock }, 'B77777779', 'Sello de Pruebas')
  return made
}

/** Adds the certificate to a company of a running server. */
export async function certify(
  { dataDir, transaction }: TestServer,
  companyId: string,
  { purpose = 'verifactu', name }: { readonly purpose?: Purpose; readonly name?: string } = {},
) {
  const file = await testCertificate()
  const config = readConfig({ CUADRA_DATA_DIR: dataDir })
  return transaction((tx) =>
    addCertificate(tx.of(companyId), { config, clock }, { ...file, purpose, ...(name ? { name } : {}) }),
  )
}

/** Sets the expiry of a company's certificates to yesterday. */
export const expireCertificates = ({ past }: TestServer, companyId: string): Promise<unknown> =>
  past((db) =>
    db
      .updateTable('certificates')
      .set({ valid_to: '2026-01-01T00:00:00.000000' })
      .where('company_id', '=', companyId)
      .execute(),
  )
