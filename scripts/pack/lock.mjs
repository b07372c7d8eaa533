/** Creates the lock file of a package: the part of the repository's lock file that the package's dependencies need. */

/** Returns the path at which a package finds a dependency: in the nearest `node_modules`, as Node resolves it. */
export function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at}/node_modules/${name}`.replace(/^\//, '')
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

/** Returns the lock file of the package `own`. `packages` are the packages in the repository's lock file. */
export function lockOf({ packages }, own) {
  const found = new Map()
  const visit = (from, names) => {
    for (const wanted of names) {
      const path = placeOf(packages, from, wanted)
      if (path === undefined)
        throw new Error(`package-lock.json has no ${wanted}, which ${from || own.name} needs`)
      if (found.has(path)) continue
      const { dev, peer, devOptional, optional = devOptional, ...entry } = packages[path]
      found.set(path, { ...entry, optional })
      visit(path, Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
    }
  }
  visit('', Object.keys(own.dependencies))
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return { lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(sorted) } }
}
