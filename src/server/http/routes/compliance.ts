/** What concerns the tax authority. */

import { ok } from '../../service/call.ts'
import { listCertificates } from '../../service/certificates.ts'
import type { Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { SII_ROUTES } from './sii.ts'
import { VERIFACTU_ROUTES } from './verifactu.ts'

export const COMPLIANCE_ROUTES: readonly Route[] = [
  ...VERIFACTU_ROUTES,
  ...SII_ROUTES,
  {
    method: 'get',
    path: '/certificates',
    group: 'Compliance',
    summary: 'Certificates of the company',
    scope: 'compliance:read',
    answers: { 200: shapes.listOf(ref('Certificate')) },
    handle: async ({ app, company }) => ok(await listCertificates(app.store.read, company.id)),
  },
]
