/** Serves a folder like a static host: `/codes/iban_invalid` is `codes/iban_invalid.html`. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { required } from '#core/errors/index.ts'
import { portOf } from '../narrow.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
}

/** Returns the file of an address, or null. */
export function fileOf(folder: string, address: string): string | null {
  const path = decodeURIComponent(address)
  if (path.includes('..')) return null
  const tries = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]
  const found = tries
    .map((name) => join(folder, name))
    .find((file) => existsSync(file) && statSync(file).isFile())
  return found ?? null
}

export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Serves a folder. `more` are additional files, by address. */
export async function serveFolder(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(required(request.url), 'http://x')
    const file = fileOf(folder, pathname)
    const text = more[pathname] ?? (file === null ? null : readFileSync(file))
    const type = CONTENT_TYPES[extname(file ?? pathname)] ?? 'text/html; charset=utf-8'
    if (text === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
