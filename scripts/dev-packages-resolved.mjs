/**
 * Lets tests import the packages of `dev-packages/` by name. A package is resolved as it ships first: from the root and its
 * workspaces, so that code under test never runs on another copy: files of `src/` resolve as if there were no sets. What a test
 * imports and is not found there comes from the folder of its set; where that is not installed it is an empty module, and
 * the tests that need it are skipped by name.
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
