/** The logo at the head of a company's invoices. */
import { CuadraError } from '#core/errors/index.ts'
import type { Rows, Tx } from '../../store/store.ts'

export const MAX_LOGO_BYTES = 512 * 1024

/** First bytes of PNG and JPEG files. */
const KINDS = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
] as const

export type LogoType = (typeof KINDS)[number][0]

const typeOf = (bytes: Uint8Array): LogoType | undefined =>
  KINDS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]

/** Stores a logo and replaces the previous one. Throws a `CuadraError` if the PDF cannot print the file. */
export async function setLogo(tx: Tx, bytes: Uint8Array, stamp: string): Promise<LogoType> {
  const content_type = typeOf(bytes)
  if (content_type === undefined)
    throw new CuadraError('The logo is neither PNG nor JPEG, so it was not changed. Save it as one of these.')
  if (bytes.length > MAX_LOGO_BYTES)
    throw new CuadraError(
      `The logo has ${bytes.length} bytes, more than ${MAX_LOGO_BYTES} (512 KB), so it was not changed. Make it smaller: it is printed at most 6 cm wide, so 700 pixels are enough.`,
    )
  // Loaded here, because only the administrator's command line and the worker threads read images.
  const { logoOf: readLogo } = await import('cuadra-pdf/logo.ts')
  readLogo(bytes)
  const row = { content_type, content: Buffer.from(bytes).toString('base64'), updated_at: stamp }
  await tx.upsert('company_logos', [row], (on) => on.doUpdateSet(row))
  return content_type
}

/** Removes the logo; returns whether there was one. */
export async function removeLogo(tx: Tx): Promise<boolean> {
  const { numDeletedRows } = await tx.delete('company_logos').executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export interface Logo {
  readonly contentType: string
  readonly bytes: Uint8Array
}

export async function logoOf(rows: Rows): Promise<Logo | null> {
  const row = await rows.select('company_logos').select(['content_type', 'content']).executeTakeFirst()
  return row ? { contentType: row.content_type, bytes: Buffer.from(row.content, 'base64') } : null
}
