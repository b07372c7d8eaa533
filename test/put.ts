/** Changes of documents by the paths of their members, such as `lines/0/quantity`. */
import { required } from '#core/errors/index.ts'

type Block = Record<string, unknown>

/** Gives a member its value, or removes it if that is undefined. Creates the blocks that lead to it. */
export function put(document: object, path: string, value: unknown): void {
  const names = path.replace(/^\//, '').split('/')
  const last = required(names.pop())
  let block = document as Block
  for (const name of names) {
    block[name] ??= {}
    block = block[name] as Block
  }
  if (value === undefined) delete block[last]
  else block[last] = structuredClone(value)
}

/** Returns a change that gives several members their values; undefined removes a member. */
export const setAll =
  (values: Readonly<Record<string, unknown>>) =>
  (document: object): void => {
    for (const [path, value] of Object.entries(values)) put(document, path, value)
  }

/** Returns a change that gives a member its value; undefined removes it. */
export const setTo = (path: string, value: unknown) => setAll({ [path]: value })
