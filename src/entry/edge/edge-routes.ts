/** The table of routes. Other services can add routes to it. */

import {
  CATALOG_PARAMETERS,
  INVOICE_PARAMETERS,
  type Parameters,
  QR_PARAMETERS,
  VALIDATE_PARAMETERS,
} from './edge-parameters.ts'
import { explainRoute, qrRoute, reconcileRoute, validateRoute } from './invoice-routes.ts'
import { catalogByName, catalogs, health } from './read-routes.ts'
import type { Call, Reply } from './reply.ts'

export interface Route {
  readonly methods: readonly string[]
  readonly parameters: Parameters
  readonly answer: (call: Call) => Reply | Promise<Reply>
}

const GET_METHODS = ['GET', 'HEAD', 'OPTIONS']
export const POST_METHODS = ['POST', 'OPTIONS']

const ONE_CATALOG = 'catalogs/{name}'

export type Routes = Readonly<Record<string, Route>>

export const ROUTES: Routes = {
  validate: { methods: POST_METHODS, parameters: VALIDATE_PARAMETERS, answer: validateRoute },
  explain: { methods: POST_METHODS, parameters: INVOICE_PARAMETERS, answer: explainRoute },
  reconcile: { methods: POST_METHODS, parameters: INVOICE_PARAMETERS, answer: reconcileRoute },
  qr: { methods: POST_METHODS, parameters: QR_PARAMETERS, answer: qrRoute },
  catalogs: { methods: GET_METHODS, parameters: {}, answer: catalogs },
  [ONE_CATALOG]: { methods: GET_METHODS, parameters: CATALOG_PARAMETERS, answer: catalogByName },
  health: { methods: GET_METHODS, parameters: {}, answer: health },
}

/** Returns the paths with their methods, for the message of a 404. */
export const methodsAndPaths = (routes: Routes, basePath: string): string[] =>
  Object.entries(routes).map(([path, { methods }]) => `${methods[0]} ${basePath}/${path}`)

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Invalid percent-encoding: an empty name matches no route.
    return ''
  }
}

/** Returns the route of a path, and the name at the end of the path. A path with a trailing slash has no route. */
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
