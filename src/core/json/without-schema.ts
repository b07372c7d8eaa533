/**
 * Returns a document without its `$schema`, which informs editors of the format (`docs/reference/invoice.md`) and is
 * not part of an invoice. The API specification has no such member, so only tools that read files written by people
 * accept it, and only as a string.
 */
export function withoutSchema(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, '$schema'))
    return document
  const { $schema, ...rest } = document as Readonly<Record<string, unknown>>
  return typeof $schema === 'string' ? rest : document
}
