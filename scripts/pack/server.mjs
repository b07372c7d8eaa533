/**
 * The server's package: the built programs with the engine inside, the pages that they serve, what is needed to run it
 * as a service, and the short pages of its documentation. It depends on the libraries that the programs import.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasAmong, published } from './engine.mjs'
import { copyInto, filesOf, readJson, writeInto } from './files.mjs'
import { withPackedLinks } from './links.mjs'

const NEEDED = ['dist/server/main.js', 'dist/status/status.js', 'dist/playground/index.html']

/** Pages that say how the repository works, and how the engine does. */
const NOT_OF_THE_SERVER =
  /^(?:api.*|architecture|bench|catalogs|convert|dependencies|edge|runtimes|wasm)\.md$/
/** Longer ones are lists to look things up in: the site has them. */
const LONG = 32 * 1024

const pagesOf = (root) =>
  readdirSync(join(root, 'docs'))
    .filter((page) => page.endsWith('.md') && !NOT_OF_THE_SERVER.test(page))
    .map((page) => `docs/${page}`)
    .filter((page) => statSync(join(root, page)).size <= LONG)

const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]+)?["']/g

/** Packages that built programs import. A name that is no dependency is one of Node's, or words of a message. */
function importedBy(folder) {
  const names = new Set()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js')))
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)) names.add(name)
  return names
}

/** The dependencies that are left: whatever is bundled, or is copied at build time, is not installed. */
function dependenciesOf(root, manifests) {
  const imported = importedBy(join(root, 'dist/server'))
  const known = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies))
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => imported.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function stageServer(root, stage) {
  const missing = NEEDED.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not built: npm run pack builds it`)
  const engine = readJson(join(root, 'package.json'))
  const workspaces = engine.workspaces.map((folder) => readJson(join(root, folder, 'package.json')))
  const server = workspaces.find(({ name }) => name === 'cuadra-server')
  const optional = Object.assign({}, ...workspaces.map(({ optionalDependencies }) => optionalDependencies))
  const pages = pagesOf(root)
  copyInto(stage, root, ['LICENSE', 'dist/server', 'dist/status', 'dist/playground', 'deploy'])
  copyInto(stage, join(root, 'src/server'), Object.values(server.bin))
  const manifest = {
    ...published({ ...server, homepage: engine.homepage, repository: engine.repository }),
    dependencies: dependenciesOf(root, [engine, ...workspaces]),
    // A hundred megabytes that read PDFs and pictures: the server says at its start how to have them.
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
  }
  writeInto(stage, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  for (const page of pages) writeInto(stage, page, '')
  const where = { has: hasAmong(filesOf(stage)), homepage: engine.homepage }
  const linked = (page, as = page) => withPackedLinks(readFileSync(join(root, page), 'utf8'), as, where)
  for (const page of pages) writeInto(stage, page, linked(page))
  // What to do with the package is what its own page says first; its links are those of a page in docs/.
  const readme = linked('docs/install.md').replaceAll(/\]\((?![a-z]+:|#|\.\.\/)([^)]+)\)/g, '](docs/$1)')
  writeInto(stage, 'README.md', readme.replaceAll('](../', ']('))
}
