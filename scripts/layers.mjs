/**
 * Reads the layers of modules from the tables in `docs/architecture.md`. A module is a folder with a row in a table. It
 * may import only itself and the modules that its row lists, which must be in rows above. So modules cannot form a
 * cycle. `.dependency-cruiser.mjs` creates the lint rules from these tables.
 *
 * If a folder contains other modules, the module of the folder has only the files directly in the folder.
 */
import { readFileSync } from 'node:fs'

/** Folders in which every file must belong to a module. */
export const SOURCE_FOLDERS = ['catalogs', 'schemas', 'rules', 'src']

const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')
/** Matches a row: module, content, allowed imports, whether it uses Node. */
const ROW = /^\| \[([\w/-]+)\/\]\([^)]*\) \| [^|]* \| ([^|]*) \| (yes|) \|$/gm
const rows = [...page.matchAll(ROW)]
const names = new Set(rows.map(([, name]) => name))

/** Returns the full name of a module, because the table of the server abbreviates names. */
function fullName(short, module) {
  const inServer = `src/server/${short}`
  const name = /^src\/server(\/|$)/.test(module) && names.has(inServer) ? inServer : short
  if (!names.has(name))
    throw new Error(`docs/architecture.md: ${module} names ${short}, which is not a module`)
  return name
}

/** All modules, lowest layer first. */
export const MODULES = rows.map(([, name, may, node]) => ({
  name,
  may: [...may.matchAll(/`([^`]+)`/g)].map(([, short]) => fullName(short, name)),
  node: node === 'yes',
}))

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const hasSubmodules = ({ name }) => MODULES.some((other) => other.name.startsWith(`${name}/`))

/** Returns a pattern for the files of a module. */
export const filesOf = (module) =>
  hasSubmodules(module) ? `^${escaped(module.name)}/[^/]+$` : `^${escaped(module.name)}/`
