/** Routes for compliance: the tax authority and certificates. */
import { ok } from '../../service/access/http-response.ts'
import { listCertificates } from '../../service/company/certificates.ts'
import { listOf } from '../../shapes/builders.ts'
import { Certificate } from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'
import { SII_ROUTES } from './sii-routes.ts'
import { VERIFACTU_ROUTES } from './verifactu-routes.ts'

export const COMPLIANCE_ROUTES: readonly Route[] = [
  ...VERIFACTU_ROUTES,
  ...SII_ROUTES,
  route('get /certificates', {
    summary: 'List certificates',
    scope: 'compliance:read',
    responses: { 200: listOf(Certificate) },
    handle: async ({ store }) => ok(await listCertificates(store)),
  }),
]
