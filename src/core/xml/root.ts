/** Identifies a document by its first element, without reading the rest. */
import { SaxesParser } from 'saxes'

export interface XmlRoot {
  /** Local name. */
  readonly name: string
  /** Namespace of the element; empty without a namespace. */
  readonly namespace: string
}

const CHUNK = 4096

/**
 * Returns the first element of a text, or null if it cannot be read.
 *
 * @example
 * rootOf('<?xml version="1.0"?><i:Invoice xmlns:i="urn:a">') // => { name: 'Invoice', namespace: 'urn:a' }
 * rootOf('{}') // => null
 */
export function rootOf(text: string): XmlRoot | null {
  const parser = new SaxesParser({ xmlns: true })
  let root: XmlRoot | null = null
  let isDone = false
  parser.on('opentag', ({ local, uri }) => {
    if (!isDone) root = { name: local, namespace: uri }
    isDone = true
  })
  for (const event of ['error', 'doctype'] as const)
    parser.on(event, () => {
      isDone = true
    })
  const start = text.startsWith('\uFEFF') ? 1 : 0
  try {
    for (let i = start; i < text.length && !isDone; i += CHUNK) parser.write(text.slice(i, i + CHUNK))
  } catch (error) {
    // The parser throws a `RangeError` on a lone surrogate.
    if (!(error instanceof RangeError)) throw error
  }
  return root
}
