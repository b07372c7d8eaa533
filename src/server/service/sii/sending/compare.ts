/** Whether the authority has of an invoice what was sent of it. */

/** What the authority adds to a record that it has. */
const ADDED: readonly string[] = ['Cobros', 'Pagos']
const NUMBER = /^[+-]?\d{1,12}(?:\.\d*)?$/

const textOf = (value: unknown): string => {
  const text = String(value ?? '').trim()
  // Zeros at the end of an amount say nothing; leading ones may belong to a code.
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

/** `sent` is `FacturaExpedida` or `FacturaRecibida`, `held` what a query answers of it. */
export function isSameContent(sent: unknown, held: unknown): boolean {
  if (!isObject(held)) return false
  const own = Object.entries(held).filter(([name]) => !ADDED.includes(name))
  return isSame(sent, Object.fromEntries(own))
}
