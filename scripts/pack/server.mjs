/**
 * Assembles the package of the server: the built programs, which include the engine, the pages that they serve, files
 * to run the server as a service, and short documentation. The package depends on the libraries that the programs
 * import. `deploy/package-lock.json` locks the versions of these libraries and of their dependencies.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasAmong, origin, published } from './engine.mjs'
import { copyInto, demandBuilt, filesOf, readJson, writeInto, writeJson } from './files.mjs'
import { withPackedLinks } from './links.mjs'
import { lockOf } from './lock.mjs'
import { manPage } from './man.mjs'

/** esbuild's list of the files and imports of the programs. */
const METAFILE = 'dist/server/metafile.json'

const NEEDED = ['dist/server/main.js', METAFILE, 'dist/pages/status.js', 'dist/playground/index.html']

/** Matches pages of `docs/` about the repository and the engine, which the server package omits. */
const NOT_OF_THE_SERVER =
  /^(?:reference\/api.*|reference\/catalogs|architecture|bench|convert|dependencies|edge|runtimes|simulation|wasm)\.md$/
/** Maximum size of a packaged reference page in bytes. Longer lists are on the site. */
const LONG = 32 * 1024

const pagesOf = (root) =>
  readdirSync(join(root, 'docs'), { recursive: true })
    .map((page) => page.replaceAll('\\', '/'))
    .filter((page) => page.endsWith('.md') && !NOT_OF_THE_SERVER.test(page))
    .map((page) => `docs/${page}`)
    .filter((page) => !page.startsWith('docs/reference/') || statSync(join(root, page)).size <= LONG)

/** Returns the names of the packages and Node modules that the built programs import. */
function importedBy({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  return new Set(imports.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))
}

/** Returns the dependencies that the built programs import. The build has bundled or copied all others. */
function dependenciesOf(root, manifests) {
  const imported = importedBy(readJson(join(root, METAFILE)))
  const known = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies))
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => imported.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function stageServer(root, stage) {
  demandBuilt(root, NEEDED)
  const engine = readJson(join(root, 'package.json'))
  const workspaces = engine.workspaces.map((folder) => readJson(join(root, folder, 'package.json')))
  const { exports: _, ...server } = workspaces.find(({ name }) => name === 'cuadra-server')
  const optional = Object.assign({}, ...workspaces.map(({ optionalDependencies }) => optionalDependencies))
  const pages = pagesOf(root)
  copyInto(stage, root, ['LICENSE', 'dist/server', 'dist/pages', 'dist/playground', 'deploy'])
  rmSync(join(stage, METAFILE))
  copyInto(stage, join(root, 'packages/server'), Object.values(server.bin))
  const man = 'man/cuadra-admin.1'
  const summary = 'administer the cuadra server'
  writeInto(
    stage,
    man,
    manPage('cuadra-admin', join(root, 'dist/server/admin.js'), summary, { ...engine, ...origin(root) }),
  )
  const manifest = {
    ...published({ ...server, ...origin(root), man }),
    dependencies: dependenciesOf(root, [engine, ...workspaces]),
    // The packages to read PDFs and images take a hundred megabytes. The server reports at startup how to install them.
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
  }
  writeJson(stage, 'package.json', manifest)
  const lock = readJson(join(root, 'package-lock.json'))
  const { name, version, dependencies, peerDependencies, peerDependenciesMeta } = manifest
  const own = { name, version, dependencies, peerDependencies, peerDependenciesMeta }
  writeJson(stage, 'deploy/package-lock.json', lockOf(lock, own))
  const recognition = { private: true, dependencies: optional }
  writeJson(stage, 'deploy/recognition/package.json', recognition)
  writeJson(stage, 'deploy/recognition/package-lock.json', lockOf(lock, recognition))
  for (const page of pages) writeInto(stage, page, '')
  const where = { has: hasAmong(filesOf(stage)), homepage: manifest.homepage }
  const linked = (page, as = page) => withPackedLinks(readFileSync(join(root, page), 'utf8'), as, where)
  for (const page of pages) writeInto(stage, page, linked(page))
  // The README of the package is docs/install.md, so its relative links get the prefix docs/.
  const readme = linked('docs/install.md').replaceAll(/\]\((?![a-z]+:|#|\.\.\/)([^)]+)\)/g, '](docs/$1)')
  writeInto(stage, 'README.md', readme.replaceAll('](../', ']('))
}
