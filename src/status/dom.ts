/** Elements. What comes from an invoice or from the authority is only ever put in as text. */

export type Child = Node | string | number | null | undefined | false

interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void)
}

/** An element with attributes, listeners (`onclick`) and children. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else made.setAttribute(key, value === true ? '' : String(value))
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      made.append(child instanceof Node ? child : String(child))
  return made
}

/** A sentence with parts that stand out: `{name}` in it is replaced by a node. */
export function filled(sentence: string, parts: Readonly<Record<string, Child>>): Node[] {
  return sentence.split(/(\{\w+\})/).map((piece) => {
    const part = /^\{(\w+)\}$/.exec(piece)?.[1]
    const found = part === undefined ? undefined : parts[part]
    if (found instanceof Node) return found
    return document.createTextNode(
      found === undefined || found === null || found === false ? piece : String(found),
    )
  })
}

export const code = (text: string): HTMLElement => el('code', {}, text)

/** A command to be copied: it stands in a line of its own, and one touch selects it whole. */
export const commandLine = (text: string): HTMLElement => el('code', { class: 'command' }, text)

/** A state as a small label; its colour only repeats what the words say. */
export const badge = (tone: 'good' | 'wait' | 'warn' | 'bad' | 'plain', text: string): HTMLElement =>
  el('span', { class: `badge ${tone}` }, text)
