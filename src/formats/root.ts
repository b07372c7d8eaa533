/** The root element of a text, without reading on. */
import { SaxesParser } from 'saxes'

export interface RootElement {
  /** Local name. */
  readonly name: string
  readonly namespace: string
}

class Found extends Error {}

/** Characters in which the root has to begin: a licence in front of it is short. */
const MAX_PROLOG = 1 << 16

/** Null where there is none, or something is not well-formed before it. */
export function rootOf(text: string): RootElement | null {
  let root: RootElement | null = null
  const parser = new SaxesParser({ xmlns: true })
  const stop = (): never => {
    throw new Found()
  }
  parser.on('doctype', stop)
  parser.on('error', stop)
  parser.on('opentag', ({ local, uri }) => {
    root = { name: local, namespace: uri }
    stop()
  })
  try {
    parser.write(text.slice(0, MAX_PROLOG))
  } catch (error) {
    if (!(error instanceof Found)) throw error
  }
  return root
}
