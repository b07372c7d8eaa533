/**
 * Catalogs in columns, for the bundles: each name of a field once and alike values side by side, a third less to load.
 * The rows that come out are the very ones of the file, which is looked at here.
 */
import { readFileSync } from 'node:fs'

const UNPACK = `
const cells = (column) => typeof column === 'string' ? column.split('|').map((text) => text || null) : column
export const unpack = (names, columns) => {
  const rows = []
  columns.forEach((column, at) => cells(column).forEach((value, row) => { (rows[row] ??= {})[names[at]] = value }))
  return rows
}`

/** Texts, and nulls as nothing, go into one text. */
const isText = (value) =>
  value === null || (typeof value === 'string' && value !== '' && !value.includes('|'))

/** A hole where a row has no such field: `forEach` passes over it. */
const literal = (value) => (value === undefined ? '' : JSON.stringify(value))

const columnOf = (rows, name) => {
  const values = rows.map((row) => row[name])
  return values.every(isText) ? JSON.stringify(values.join('|')) : `[${values.map(literal).join(',')},]`
}

const UNPACKER = 'packed-catalogs:unpack'
const CATALOG = /\/catalogs\/[\w-]+\.json$/

/** A catalog as a module. */
function packed(path) {
  const { rows } = JSON.parse(readFileSync(path, 'utf8'))
  const names = [...new Set(rows.flatMap(Object.keys))]
  for (const row of rows) {
    const own = names.filter((name) => Object.hasOwn(row, name))
    // Else a client would see the fields of a row in another order than in the file.
    if (own.join() !== Object.keys(row).join())
      throw new Error(`${path}: ${row.code} has its fields in another order`)
  }
  const columns = names.map((name) => columnOf(rows, name)).join(',')
  return `import { unpack } from '${UNPACKER}'
        export const rows = /* @__PURE__ */ unpack(${JSON.stringify(names)}, [${columns}])`
}

/** For esbuild. */
export const packedCatalogs = {
  name: 'packed-catalogs',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${UNPACKER}$`) }, () => ({ path: 'unpack', namespace: 'packed' }))
    build.onLoad({ filter: /^unpack$/, namespace: 'packed' }, () => ({ contents: UNPACK }))
    build.onLoad({ filter: CATALOG }, ({ path }) => ({ contents: packed(path) }))
  },
}

/** For Vite. */
export const packedCatalogsOfSite = {
  name: 'packed-catalogs',
  enforce: 'pre',
  resolveId: (id) => (id === UNPACKER ? UNPACKER : undefined),
  load: (id) =>
    id === UNPACKER ? UNPACK : CATALOG.test(id) ? { code: packed(id), moduleType: 'js' } : undefined,
}
