/** Every route of the server. */
import type { Route } from '../route.ts'
import { DRAFT_ROUTES } from './drafts.ts'
import { ISSUED_ROUTES } from './issued.ts'
import { REFERENCE_ROUTES } from './reference.ts'

export const ROUTES: readonly Route[] = [...REFERENCE_ROUTES, ...DRAFT_ROUTES, ...ISSUED_ROUTES]
