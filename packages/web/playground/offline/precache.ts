/** Writes the list of files and a version into the service worker. The version is the hash of their content. */
import type { Plugin } from 'vite'
import { required } from '#core/errors/index.ts'

const WORKER = 'service-worker.js'
/** Files of `public/`, which are not part of the bundle. */
const COPIED = ['icon.svg', 'manifest.webmanifest']

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export function precachePlugin(): Plugin {
  return {
    name: 'cuadra-offline-files',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const worker = bundle[WORKER]
      if (worker?.type !== 'chunk') throw new Error(`${WORKER} is not part of the build`)
      const names = Object.keys(bundle)
        .filter((name) => name !== WORKER)
        .sort()
      const parts = names.map((name) => {
        const file = required(bundle[name])
        return `${name}\n${file.type === 'chunk' ? file.code : String(file.source)}`
      })
      // The version is the hash of all files, because the names of the page and of the worker contain no hash.
      const content = new TextEncoder().encode(parts.join('\n') + worker.code)
      const version = hex(await crypto.subtle.digest('SHA-256', content)).slice(0, 16)
      const files = ['./', ...COPIED, ...names.filter((name) => name !== 'index.html')]
      worker.code = worker.code
        .replace(/["'`]__FILES__["'`]/, JSON.stringify(files))
        .replace(/["'`]__VERSION__["'`]/, JSON.stringify(version))
    },
  }
}
