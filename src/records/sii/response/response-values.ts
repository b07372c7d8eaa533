/** Reads values of a response. Each of them may be missing or malformed. */
import { required } from '#core/errors/index.ts'
import { fromFecha } from '../../fiscal/literals.ts'

/** Identity of the invoice that a record concerns. */
export interface RecordIdentity {
  /** NIF of the issuer, or its other identifier. */
  readonly issuer_id: string | null
  readonly invoice_number: string | null
  /** `YYYY-MM-DD`. */
  readonly issue_date: string | null
}

export type Block = { readonly [name: string]: unknown }

export const blockOf = (value: unknown): Block => (typeof value === 'object' ? (value as Block) : {})
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null
export const blocksOf = (value: unknown): readonly Block[] => (Array.isArray(value) ? value.map(blockOf) : [])

/** Converts `dd-mm-yyyy hh:mm:ss` to `yyyy-mm-ddThh:mm:ss`; null for anything else. */
export function parseSiiTimestamp(value: unknown): string | null {
  const literal = textOf(value)
  const day = literal === null ? undefined : fromFecha(literal.slice(0, 10))
  return day !== undefined && /^ \d\d:\d\d:\d\d$/.test(required(literal).slice(10))
    ? `${day}T${required(literal).slice(11)}`
    : null
}

/** Returns the identity of the invoice that a line of a response concerns. */
export function identityOf(value: unknown): RecordIdentity {
  const id = blockOf(value)
  const issuer = blockOf(id.IDEmisorFactura)
  return {
    issuer_id: textOf(issuer.NIF) ?? textOf(blockOf(issuer.IDOtro).ID),
    invoice_number: textOf(id.NumSerieFacturaEmisor),
    issue_date: fromFecha(textOf(id.FechaExpedicionFacturaEmisor) ?? undefined) ?? null,
  }
}
