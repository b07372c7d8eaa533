/**
 * Lets tests import the packages of `dev-packages/` by name. Packages are resolved first from the root and its
 * workspaces, and for files of `src/` only from there, so that code under test never runs on another copy. Other imports
 * of tests are resolved from the folder of their set. If that is not installed, they resolve to an empty module, and the
 * tests that need it are skipped.
 */
import { folderOf, packagesOf, setNames } from './dev-packages.mjs'

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
      if (folder === undefined || /\/(node_modules|src)\//.test(importer ?? '')) return null
      const resolve = (from) => this.resolve(id, from, { ...options, skipSelf: true })
      return (await resolve(importer)) ?? (await resolve(`${folder}/package.json`)) ?? EMPTY
    },
    load: (id) => (id === EMPTY ? 'export default undefined' : null),
  }
}
