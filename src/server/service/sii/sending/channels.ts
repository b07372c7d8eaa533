/** Every channel of the SII, those before others whose invoices have to be registered first. */
import { ISSUED, RECEIVED } from './invoices.ts'
import { COLLECTIONS, PAYMENTS } from './movements.ts'
import type { SiiChannel } from './types.ts'

export const CHANNELS: readonly SiiChannel[] = [ISSUED, RECEIVED, COLLECTIONS, PAYMENTS]
