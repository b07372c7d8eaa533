/** Mutated copies of an XML document, reproducible from a seed: each has one error or one harmless difference. */
import { SaxesParser } from 'saxes'
import { required } from '#core/errors/index.ts'

interface Element {
  name: string
  attributes: [name: string, value: string][]
  children: (Element | string)[]
  parent: Element | null
}

/** Returns a generator of numbers below 1 that depends only on the seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function parse(text: string): Element {
  const parser = new SaxesParser({ xmlns: false })
  const stack: Element[] = [{ name: '', attributes: [], children: [], parent: null }]
  parser.on('opentag', (tag) => {
    const parent = required(stack.at(-1))
    const element: Element = {
      name: tag.name,
      attributes: Object.entries(tag.attributes),
      children: [],
      parent,
    }
    parent.children.push(element)
    stack.push(element)
  })
  parser.on('closetag', () => stack.pop())
  parser.on('text', (piece) => required(stack.at(-1)).children.push(piece))
  parser.on('cdata', (piece) => required(stack.at(-1)).children.push(piece))
  parser.write(text.replace(/^\uFEFF/, '')).close()
  return required(required(stack[0]).children.find((child) => typeof child !== 'string'))
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const print = (element: Element | string): string =>
  typeof element === 'string'
    ? element.startsWith('<!--') || element.startsWith('<?') || element.startsWith('<![')
      ? element
      : escaped(element)
    : `<${element.name}${element.attributes.map(([name, value]) => ` ${name}="${escaped(value).replace(/\s/g, ' ')}"`).join('')}>${element.children.map(print).join('')}</${element.name}>`

const elementsOf = (element: Element): Element[] => [
  element,
  ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child))),
]

const childElements = ({ children }: Element): Element[] =>
  children.filter((child): child is Element => typeof child !== 'string')

const isLeaf = (element: Element): boolean => childElements(element).length === 0

const TEXTS = [
  '',
  ' ',
  'abc',
  '12,50',
  '12.5',
  '12.50',
  '12.500000',
  '12.123456789',
  ' 12.00 ',
  '-3.00',
  '+3.00',
  '1e3',
  'NaN',
  'INF',
  '.5',
  '5.',
  '007',
  '2024-02-30',
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '2024-1-1',
  '2024-06-15Z',
  '2024-06-15+01:00',
  '2024-06-15+15:00',
  '20240615',
  '2024-06-15T10:00:00',
  '10:00:00',
  '24:00:00',
  '25:00:00',
  'true',
  '1',
  'yes',
  'EUR',
  'eur',
  'ESP',
  'ES',
  'XX',
  '01',
  '99',
  'FC',
  '\tEUR\n',
  'A'.repeat(21),
  'A'.repeat(81),
  'A'.repeat(2501),
  '💶'.repeat(20),
  'añil',
  'a b  c',
  'QUJD',
  'QUJ',
  'Q Q = =',
  '%zz',
  'http://a b',
  'x:y',
  '9223372036854775808',
]

type Change = (element: Element, pick: <T>(list: readonly T[]) => T, root: Element) => boolean

const without = (element: Element): void => {
  const { children } = required(element.parent)
  children.splice(children.indexOf(element), 1)
}

/** The mutations. Each returns false if it does not apply to the element. */
export const CHANGES: Readonly<Record<string, Change>> = {
  drop: (element) => {
    if (!element.parent?.parent) return false
    without(element)
    return true
  },
  double: (element) => {
    if (!element.parent?.parent) return false
    const { children } = element.parent
    children.splice(children.indexOf(element), 0, element)
    return true
  },
  reorder: (element, pick) => {
    if (!element.parent?.parent) return false
    const others = childElements(element.parent).filter((other) => other !== element)
    if (others.length === 0) return false
    const { children } = element.parent
    const other = pick(others)
    const [i, j] = [children.indexOf(element), children.indexOf(other)]
    children[i] = other
    children[j] = element
    return true
  },
  move: (element, pick, root) => {
    if (!element.parent?.parent) return false
    const target = pick(
      elementsOf(root).filter((other) => !isLeaf(other) && !elementsOf(element).includes(other)),
    )
    without(element)
    target.children.splice(Math.floor(target.children.length / 2), 0, element)
    return true
  },
  rename: (element, pick, root) => {
    if (!element.parent?.parent) return false
    element.name = pick([...elementsOf(root).map(({ name }) => name), `${element.name}x`, 'Desconocido'])
    return true
  },
  prefix: (element, pick, root) => {
    const prefixes = root.attributes.flatMap(([name]) =>
      name.startsWith('xmlns:') ? [`${name.slice(6)}:`] : [],
    )
    element.name = pick([...prefixes, '']) + element.name.replace(/^.*:/, '')
    return true
  },
  retype: (element, pick) => {
    if (!isLeaf(element)) return false
    element.children = [pick(TEXTS)]
    return true
  },
  empty: (element) => {
    if (element.children.length === 0) return false
    element.children = []
    return true
  },
  stray: (element, pick) => {
    if (isLeaf(element)) return false
    element.children.splice(1, 0, pick(['texto', ' ', '<!-- nota -->', '<?nota?>', '<![CDATA[x]]>']))
    return true
  },
  split: (element, pick) => {
    if (!isLeaf(element) || element.children.length === 0) return false
    const text = element.children.join('')
    const middle = Math.floor(text.length / 2)
    element.children = [
      text.slice(0, middle),
      pick(['<!-- nota -->', '<?nota?>', ' ', '<![CDATA[]]>']),
      text.slice(middle),
    ]
    return true
  },
  inside: (element, pick, root) => {
    if (!isLeaf(element)) return false
    element.children.push(pick(elementsOf(root).filter((other) => other !== element && isLeaf(other))))
    return true
  },
  attribute: (element, pick, root) => {
    const own = element.attributes.filter(([name]) => !name.startsWith('xmlns'))
    const all = elementsOf(root).flatMap(({ attributes }) =>
      attributes.filter(([name]) => !name.startsWith('xmlns')),
    )
    const kind = pick(['drop', 'drop', 'text', 'text', 'add', 'unknown', 'xml'])
    if (kind === 'drop' || kind === 'text') {
      if (own.length === 0) return false
      const one = pick(own)
      if (kind === 'drop') element.attributes = element.attributes.filter((other) => other !== one)
      else one[1] = pick(TEXTS)
      return true
    }
    const [name, value = ''] =
      kind === 'add'
        ? all.length > 0
          ? pick(all)
          : ['currencyID', 'EUR']
        : [kind === 'xml' ? 'xml:lang' : 'Desconocido', 'es']
    if (required(name).startsWith('xsi:') || element.attributes.some(([other]) => other === name))
      return false
    element.attributes.push([required(name), value])
    return true
  },
  instance: (element, pick, root) => {
    const [name, value] = pick([
      ['type', 'xs:string'],
      ['type', element.name],
      ['nil', 'true'],
      ['nil', 'false'],
      ['schemaLocation', 'urn:a a.xsd'],
      ['noNamespaceSchemaLocation', 'a.xsd'],
      ['otro', 'x'],
    ] as const)
    if (element.attributes.some(([other]) => other.endsWith(`:${name}`))) return false
    const declared = root.attributes.some(([other]) => other === 'xmlns:xsi')
    if (!declared) root.attributes.push(['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'])
    element.attributes.push([`xsi:${name}`, value])
    return true
  },
  namespace: (element) => {
    const declared = element.attributes.find(([name]) => name.startsWith('xmlns'))
    if (!declared) return false
    declared[1] = `${declared[1]}x`
    return true
  },
}

/** Returns a copy with one mutation, and its description. */
export function mutated(
  text: string,
  next: () => number,
): { readonly text: string; readonly change: string } {
  const pick = <T>(list: readonly T[]): T => required(list[Math.floor(next() * list.length)])
  for (;;) {
    const root = parse(text)
    root.parent = { name: '', attributes: [], children: [root], parent: null }
    const element = pick(elementsOf(root))
    const kind = pick(Object.keys(CHANGES))
    const { name } = element
    if (required(CHANGES[kind])(element, pick, root))
      return { text: `<?xml version="1.0" encoding="UTF-8"?>${print(root)}`, change: `${kind} ${name}` }
  }
}
