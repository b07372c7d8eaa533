/** Compares the content that was sent of an invoice with the content that the authority has. */

/** Members that the authority adds to a record. */
const ADDED: readonly string[] = ['Cobros', 'Pagos']
const NUMBER = /^[+-]?\d{1,12}(?:\.\d*)?$/

const textOf = (value: unknown): string => {
  const text = String(value ?? '').trim()
  // Trailing zeros of an amount do not matter; leading ones may belong to a code.
  return NUMBER.test(text) && text.includes('.') ? String(Number(text)) : text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function isSame(sent: unknown, held: unknown): boolean {
  if (Array.isArray(sent) || Array.isArray(held)) {
    const [own, theirs] = [[sent].flat(), [held].flat()]
    return own.length === theirs.length && own.every((one, index) => isSame(one, theirs[index]))
  }
  if (!isObject(sent) || !isObject(held)) return textOf(sent) === textOf(held)
  const names = new Set([...Object.keys(sent), ...Object.keys(held)])
  return [...names].every((name) => isSame(sent[name], held[name]))
}

/** Whether the contents are equal. `sent` is `FacturaExpedida` or `FacturaRecibida`, `held` the result of a query. */
export function isSameContent(sent: unknown, held: unknown): boolean {
  if (!isObject(held)) return false
  const own = Object.entries(held).filter(([name]) => !ADDED.includes(name))
  return isSame(sent, Object.fromEntries(own))
}
