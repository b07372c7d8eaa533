/**
 * Lets tests import the packages of `dev-packages/` by name. Imports of the sources (`src`, `packages`) are resolved
 * only from the root and its workspaces, so that the code under test never runs with another copy of a package. Imports
 * of tests are resolved from there first, then from the folder of the package's set. If the set is not installed, they
 * resolve to an empty module, and the tests that need the set are skipped.
 */
import { folderOf, packagesOf, setNames } from './dev-packages.mjs'

/** Matches modules that are not tests. */
const SOURCE = /\/(?:node_modules|src)\/|\/packages\/(?!\w+\/test\/)/
const EMPTY = '\0not installed'

/** @returns {import('vite').Plugin} */
export function devPackagesResolved() {
  const folders = new Map(
    setNames().flatMap((name) => Object.keys(packagesOf(name)).map((pkg) => [pkg, folderOf(name)])),
  )
  return {
    name: 'packages of dev-packages/',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      const folder = folders.get(id)
      if (folder === undefined || SOURCE.test(importer ?? '')) return null
      const resolve = (from) => this.resolve(id, from, { ...options, skipSelf: true })
      return (await resolve(importer)) ?? (await resolve(`${folder}/package.json`)) ?? EMPTY
    },
    load: (id) => (id === EMPTY ? 'export default undefined' : null),
  }
}
