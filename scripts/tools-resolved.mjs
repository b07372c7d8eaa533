/**
 * Lets tests import the packages of `tools/` by name. A package is resolved as it ships first: from the root and its
 * workspaces, so that code under test never runs on a tool's copy: files of `src/` resolve as if there were no tools. What a test
 * imports and is not found there comes from the tool's folder; where the tool is not installed it is an empty module, and
 * the tests that need it are skipped by name.
 */
import { packagesOf, toolFolder, toolNames } from './tools.mjs'

const EMPTY = '\0not installed'

/** @returns {import('vite').Plugin} */
export function toolsResolved() {
  const folders = new Map(
    toolNames().flatMap((name) => Object.keys(packagesOf(name)).map((pkg) => [pkg, toolFolder(name)])),
  )
  return {
    name: 'packages of tools/',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      const folder = folders.get(id)
      if (folder === undefined || /\/(node_modules|src)\//.test(importer ?? '')) return null
      const resolve = (from) => this.resolve(id, from, { ...options, skipSelf: true })
      return (await resolve(importer)) ?? (await resolve(`${folder}/package.json`)) ?? EMPTY
    },
    load: (id) => (id === EMPTY ? 'export default undefined' : null),
  }
}
