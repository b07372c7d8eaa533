/** Every route of the server. */
import type { Route } from '../request/route.ts'
import { BATCH_ROUTES } from './batches.ts'
import { COMPLIANCE_ROUTES } from './compliance.ts'
import { DOCUMENT_ROUTES } from './documents.ts'
import { DRAFT_ROUTES } from './drafts.ts'
import { ISSUED_ROUTES } from './issued.ts'
import { ISSUED_CHANGE_ROUTES } from './issued-changes.ts'
import { PDF_ROUTES } from './pdf.ts'
import { RECEIVED_ROUTES } from './received.ts'
import { REFERENCE_ROUTES } from './reference.ts'

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
