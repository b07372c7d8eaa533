/** Node's own SHA-256, some times faster than the portable one. */
import * as crypto from 'node:crypto'

/** `crypto.hash` (Node 20.12) makes no object per call. */
export const nativeSha256 = (text: string): string => crypto.hash('sha256', text, 'hex')
