/** The addresses: one table, to which another service may add. */
import { explanation, qrCode, reconciliation, validation } from './invoice-routes.ts'
import { CATALOG, JUDGE, type Parameters, QR, VALIDATE } from './parameters.ts'
import { catalogs, health, oneCatalog } from './read-routes.ts'
import type { Call, Reply } from './reply.ts'

export interface Route {
  readonly methods: readonly string[]
  readonly parameters: Parameters
  readonly answer: (call: Call) => Reply | Promise<Reply>
}

const READ = ['GET', 'HEAD', 'OPTIONS']
export const ASK = ['POST', 'OPTIONS']

const ONE_CATALOG = 'catalogs/{name}'

export type Routes = Readonly<Record<string, Route>>

export const ROUTES: Routes = {
  validate: { methods: ASK, parameters: VALIDATE, answer: validation },
  explain: { methods: ASK, parameters: JUDGE, answer: explanation },
  reconcile: { methods: ASK, parameters: JUDGE, answer: reconciliation },
  qr: { methods: ASK, parameters: QR, answer: qrCode },
  catalogs: { methods: READ, parameters: {}, answer: catalogs },
  [ONE_CATALOG]: { methods: READ, parameters: CATALOG, answer: oneCatalog },
  health: { methods: READ, parameters: {}, answer: health },
}

/** The addresses with their methods, for the message of a 404. */
export const addresses = (routes: Routes, basePath: string): string[] =>
  Object.entries(routes).map(([path, { methods }]) => `${methods[0]} ${basePath}/${path}`)

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    // An empty text names nothing.
    return ''
  }
}

/** The route of a path and the name at its end. Paths are exact: a slash at the end leads nowhere. */
export function routeOf(
  routes: Routes,
  path: string,
  basePath: string,
): { route: Route; name: string } | null {
  if (!path.startsWith(`${basePath}/`)) return null
  const [first = '', name, ...rest] = path
    .slice(basePath.length + 1)
    .split('/')
    .map(decoded)
  if (rest.length > 0 || name === '') return null
  if (name === undefined && first !== ONE_CATALOG && Object.hasOwn(routes, first))
    return { route: routes[first]!, name: '' }
  return first === 'catalogs' && name !== undefined ? { route: routes[ONE_CATALOG]!, name } : null
}
