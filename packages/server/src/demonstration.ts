/** Creates a demonstration company and a key on the first start. */
import type { App } from './app/app.ts'
import { createKey } from './service/access/api-keys.ts'
import { addCertificate, demonstrationCertificate } from './service/company/certificates.ts'
import { hasAtLeastCompanies, insertCompany, lockTaxIds } from './service/company/company.ts'
import { readCompany } from './service/company/company-files.ts'

const COMPANY = {
  legal_name: 'Comercial Demostración, S.L.',
  name: 'Demostración',
  tax_id: 'B77777779',
  person_type_code: 'J',
  verified: true,
  address: { line: 'Calle de Alcalá, 45', post_code: '28014', town: 'Madrid', province_code: '28' },
  contact_name: 'Ana Prueba',
  contact_email: 'facturas@demostracion.example',
  contact_phone: '910000000',
}

export interface Demonstration {
  readonly companyId: string
  readonly legalName: string
  readonly taxId: string
  readonly key: string
}

/** Creates the company and its key if the store has no company. Otherwise returns undefined. */
export async function demonstration(app: App): Promise<Demonstration | undefined> {
  const { store, clock, config } = app
  // A demonstration company, whose key is in the log, must not exist beside real companies.
  if (config.aeat !== 'simulator') return undefined
  if (await hasAtLeastCompanies(store.shared, 1)) return undefined
  const company = readCompany(COMPANY)
  // With its own certificate, the company can use VeriFactu immediately. Only the simulator accepts this certificate.
  const certificate = await demonstrationCertificate(app, company.tax_id, company.legal_name)
  return store.transaction(async (all) => {
    // Processes that start at the same time wait for this lock, and then check whether the company already exists.
    await lockTaxIds(all)
    if (await hasAtLeastCompanies(all.shared, 1)) return undefined
    const stamp = clock.stamp()
    const { id, data } = await insertCompany(all, company, stamp)
    const tx = all.of(id)
    await addCertificate(tx, app, { ...certificate, purpose: 'verifactu' })
    const { key } = await createKey(tx, { scopes: ['*'], name: 'demonstration' }, stamp)
    return { companyId: id, legalName: data.legal_name, taxId: data.tax_id, key }
  })
}
