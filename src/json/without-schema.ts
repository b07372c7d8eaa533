/**
 * A document without its `$schema`, which tells an editor what may be written into it (`docs/invoice.md`) and is no part
 * of the invoice: the faces that read what people write leave it out where it is a text, the engine's contract has no such member.
 */
export function withoutSchema(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, '$schema'))
    return document
  const { $schema, ...rest } = document as Readonly<Record<string, unknown>>
  return typeof $schema === 'string' ? rest : document
}
