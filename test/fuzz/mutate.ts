/** Changes of JSON documents that no client should make. */

/** Values that JSON.parse can return, and some that only a caller of JavaScript can pass. */
export const WILD: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  '',
  ' ',
  '0',
  '12.10',
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\ud800',
  '\udc00\ud800',
  '\u0000',
  '~0~1/',
  '{received}',
  'ES',
  '2025-02-29',
  '2025-13-01',
  '03',
  '17',
  [],
  {},
  [[]],
  [null],
  0,
  -0,
  1,
  -1,
  0.1,
  1e-300,
  1e-9,
  1.005,
  21,
  100,
  1e12,
  999999999999.99,
  1e15,
  1e21,
  1e300,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
  JSON.parse('1e400'),
  JSON.parse('{"__proto__":{"quantity":1},"constructor":null,"toString":1}'),
]

export const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  '',
  '0',
  'a/b~c',
  '\ud800',
  // computed fields
  'taxable',
  'exempt',
  'tax_category_code',
  'tax_output_code',
  'is_simplified',
  'is_corrective',
  'subdivision_type',
  // fields of other places
  'lines',
  'totals',
  'invoice_currency',
  'corrective',
  'purchase_price_incl',
  'discount_rate',
  'unit_price_with_tax',
  'reverse_charge',
  'exemption_reason_code',
  'consumption_tax_rate',
  'consumption_country_code',
  'tax_regime_key',
  'tax_treatment_code',
  'equivalence_surcharge',
  'invoice_number',
  'issue_date',
  'tax_withheld_rate',
]

export type Node = Record<string, unknown>

/** Puts a member in place as JSON.parse would: `__proto__` becomes a member like any other. */
const put = (target: Node, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}

/** All objects and arrays of a value, with their depth in no particular order. */
export function* nodesOf(value: unknown): Generator<Node> {
  // A stack of its own: some documents are nested deeper than the call stack.
  const waiting = [value]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (node === null || typeof node !== 'object') continue
    yield node as Node
    for (const member of Object.values(node).reverse()) waiting.push(member)
  }
}

export const KINDS = ['delete', 'replace', 'duplicate', 'rename', 'insert', 'graft', 'text'] as const

export interface Mutation {
  kind: (typeof KINDS)[number]
  node: number
  member: number
  key: string
  value: unknown
}

/** A copy, so that no object stands in two places and none inside itself: JSON has neither. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    // Nested deeper than the clone's own stack: such values are tried by themselves elsewhere.
    return null
  }
}

export function mutate(document: unknown, { kind, node, member, key, value: original }: Mutation): void {
  const value = copyOf(original)
  const nodes = [...nodesOf(document)]
  const target = nodes[node % nodes.length]
  if (!target) return
  const names = Object.keys(target)
  const name = names[member % Math.max(1, names.length)]
  if (kind === 'insert') {
    if (Array.isArray(target)) target.push(value)
    else put(target, key, value)
    return
  }
  if (name === undefined) return
  const old = target[name]
  if (kind === 'delete') {
    if (Array.isArray(target)) target.splice(Number(name), 1)
    else delete target[name]
  } else if (kind === 'replace') put(target, name, value)
  else if (kind === 'text')
    put(target, name, typeof old === 'number' ? String(old) : `${JSON.stringify(old)}`)
  else if (kind === 'rename') {
    if (!Array.isArray(target)) {
      delete target[name]
      put(target, key, old)
    }
  } else if (kind === 'duplicate') {
    if (Array.isArray(target)) target.push(copyOf(old))
    else put(target, key, copyOf(old))
  } else put(target, name, copyOf(nodes[member % nodes.length]))
}
