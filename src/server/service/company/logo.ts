/** The logo of a company, as it stands at the head of its invoices. */
import { CuadraError } from '../../../errors/index.ts'
import type { Rows, Tx } from '../../store/store.ts'

export const MAX_LOGO_BYTES = 512 * 1024

/** How files of the two kinds begin. */
const KINDS = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
] as const

export type LogoType = (typeof KINDS)[number][0]

const typeOf = (bytes: Uint8Array): LogoType | undefined =>
  KINDS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]

/** Keeps a logo in the place of the one before. Throws a `CuadraError` for what is none. */
export async function setLogo(tx: Tx, bytes: Uint8Array, stamp: string): Promise<LogoType> {
  const content_type = typeOf(bytes)
  if (content_type === undefined)
    throw new CuadraError('The logo is neither PNG nor JPEG. Nothing was changed; save it as one of these.')
  if (bytes.length > MAX_LOGO_BYTES)
    throw new CuadraError(
      `The logo has ${bytes.length} bytes; a logo has at most ${MAX_LOGO_BYTES} (512 KB). Nothing was changed; make it smaller: on paper it is 6 cm wide at most, 700 pixels are enough.`,
    )
  const row = { content_type, content: Buffer.from(bytes).toString('base64'), updated_at: stamp }
  await tx.upsert('company_logos', [row], (on) => on.doUpdateSet(row))
  return content_type
}

/** Whether there was one. */
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
