/**
 * Tests import the packages of `tools/` by their names. Vite finds them in the tool's folder; one that is not installed
 * is an empty module, and the tests that would use it leave themselves out, by name.
 */
import { hasTool, packagesOf, toolFolder, toolNames } from './tools.mjs'

const EMPTY = '\0not installed'

/** @returns {import('vite').Plugin} */
export function toolsResolved() {
  const folders = new Map(
    toolNames().flatMap((name) =>
      Object.keys(packagesOf(name)).map((pkg) => [pkg, hasTool(name) ? toolFolder(name) : null]),
    ),
  )
  return {
    name: 'packages of tools/',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      const folder = folders.get(id)
      // At the root, too, where a package of the root needs it.
      if (folder === undefined || (importer ?? '').includes('/node_modules/')) return null
      return folder === null
        ? EMPTY
        : this.resolve(id, `${folder}/package.json`, { ...options, skipSelf: true })
    },
    load: (id) => (id === EMPTY ? 'export default undefined' : null),
  }
}
