/** Every route of the server. */
import type { Route } from '../request/route.ts'
import { BATCH_ROUTES } from './batch-routes.ts'
import { COMPLIANCE_ROUTES } from './compliance-routes.ts'
import { DOCUMENT_ROUTES } from './document-routes.ts'
import { DRAFT_ROUTES } from './draft-routes.ts'
import { ISSUED_CHANGE_ROUTES } from './issued-change-routes.ts'
import { ISSUED_ROUTES } from './issued-routes.ts'
import { PDF_ROUTES } from './pdf-routes.ts'
import { RECEIVED_ROUTES } from './received-routes.ts'
import { REFERENCE_ROUTES } from './reference-routes.ts'

export const ROUTES: readonly Route[] = [
  ...REFERENCE_ROUTES,
  ...DRAFT_ROUTES,
  ...ISSUED_ROUTES,
  ...ISSUED_CHANGE_ROUTES,
  ...BATCH_ROUTES,
  ...RECEIVED_ROUTES,
  ...PDF_ROUTES,
  ...DOCUMENT_ROUTES,
  ...COMPLIANCE_ROUTES,
]
