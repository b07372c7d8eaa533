/** Renders JSON and XML in the colours of the editor. */
import type { ComponentChildren } from 'preact'

/** Maximum number of characters of a coloured text, because every coloured token is an element. */
const MAX_COLOURED = 60_000

type Token = readonly [pattern: RegExp, classOf: (groups: readonly (string | undefined)[]) => string]

/** A member name, a string, a number, or a word. */
const JSON_TOKEN: Token = [
  /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|\b(true|false|null)\b/gi,
  ([name, text, number]) => (name ? 'code-name' : text ? 'code-text' : number ? 'code-number' : 'code-word'),
]

/** A tag, or the text between two tags. */
const XML_TOKEN: Token = [/(<[^<>]*>)|([^<\s][^<]*)/g, ([tag]) => (tag ? 'code-name' : 'code-text')]

function coloured(text: string, [pattern, classOf]: Token): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [token, ...groups] = match
    parts.push(text.slice(end, match.index), <span class={classOf(groups)}>{token}</span>)
    end = match.index + token.length
  }
  return [...parts, text.slice(end)]
}

interface Line {
  readonly text: string
  /** Whether the text line has a value that the given document does not have. */
  readonly isAdded: boolean
}

/** Returns the text lines of `JSON.stringify(value, null, 2)`, and marks the values that `given` does not have. */
export function jsonLines(value: unknown, given: unknown, indent = '', before = '', after = ''): Line[] {
  const isList = Array.isArray(value)
  const isBranch = typeof value === 'object' && value !== null
  const entries = isBranch ? Object.entries(value).filter(([, one]) => one !== undefined) : []
  if (entries.length === 0) {
    const text = JSON.stringify(value)
    return [{ text: `${indent}${before}${text}${after}`, isAdded: text !== JSON.stringify(given) }]
  }
  const isAdded = typeof given !== 'object' || given === null
  const [open, close] = isList ? '[]' : '{}'
  const of = (name: string) => (isAdded ? undefined : (given as Record<string, unknown>)[name])
  return [
    { text: `${indent}${before}${open}`, isAdded },
    ...entries.flatMap(([name, one], at) =>
      jsonLines(
        one,
        of(name),
        `${indent}  `,
        isList ? '' : `${JSON.stringify(name)}: `,
        at < entries.length - 1 ? ',' : '',
      ),
    ),
    { text: `${indent}${close}${after}`, isAdded },
  ]
}

interface ColouredProps {
  readonly text: string
  readonly isXml: boolean
  /** The value shown, and the document from which it was calculated. Text lines with other values are marked. */
  readonly compared?: { readonly value: unknown; readonly given: unknown } | undefined
}

export function HighlightedText({ text, isXml, compared }: ColouredProps) {
  if (text.length > MAX_COLOURED) return <>{text}</>
  const token = isXml ? XML_TOKEN : JSON_TOKEN
  if (!compared) return <>{coloured(text, token)}</>
  return (
    <>
      {jsonLines(compared.value, compared.given).map((line, at) => (
        <span key={at} class={line.isAdded ? 'added' : undefined}>
          {coloured(line.text, token)}
          {'\n'}
        </span>
      ))}
    </>
  )
}
