/** Compares the sent content of an invoice with the content that the authority stores. */

/** Members that the authority adds to a record. */
const ADDED: readonly string[] = ['Cobros', 'Pagos']
const NUMBER = /^[+-]?\d{1,12}(?:\.\d*)?$/

const textOf = (value: unknown): string => {
  const text = String(value ?? '').trim()
  // Trailing zeros of an amount are ignored. Leading zeros are kept, because they may be part of a code.
  return NUMBER.test(text) && text.includes('.') ? String(Number(text)) : text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function isSame(sent: unknown, atAuthority: unknown): boolean {
  if (Array.isArray(sent) || Array.isArray(atAuthority)) {
    const [own, theirs] = [[sent].flat(), [atAuthority].flat()]
    return own.length === theirs.length && own.every((one, index) => isSame(one, theirs[index]))
  }
  if (!isObject(sent) || !isObject(atAuthority)) return textOf(sent) === textOf(atAuthority)
  const names = new Set([...Object.keys(sent), ...Object.keys(atAuthority)])
  return [...names].every((name) => isSame(sent[name], atAuthority[name]))
}

/** Whether contents are equal. `sent` is `FacturaExpedida` or `FacturaRecibida`; `atAuthority` is a query result. */
export function isSameContent(sent: unknown, atAuthority: unknown): boolean {
  if (!isObject(atAuthority)) return false
  const own = Object.entries(atAuthority).filter(([name]) => !ADDED.includes(name))
  return isSame(sent, Object.fromEntries(own))
}
