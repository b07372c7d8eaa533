/** With which certificate a company sends its records: that of the open period while it is valid. */
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { CompanyRecord } from '../../company/company.ts'
import { type Identity, identityFor } from '../../transmission/identity.ts'
import { openPeriodOf } from '../period.ts'

export async function identityOf(
  app: Pick<App, 'config' | 'clock' | 'log'>,
  store: CompanyStore,
  company: CompanyRecord,
): Promise<Identity> {
  const period = await openPeriodOf(store)
  return identityFor(app, store, company, {
    preferred: period?.certificate_id ?? null,
    purpose: 'verifactu',
  })
}
