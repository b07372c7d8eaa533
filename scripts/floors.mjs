/**
 * Who may import whom: the rows of the tables in `docs/architecture.md`, one for each room, from the ground up. A room
 * may use itself, those that its row names and nothing else; a row names only rows above it, so that imports go down
 * and no circle of rooms can be. The lint rules (`.dependency-cruiser.mjs`) are made from here.
 *
 * A room is a folder; one that has rooms inside holds only the files that lie in it directly.
 */
import { readFileSync } from 'node:fs'

/** Every file below that lies in no room is refused, too. */
export const ROOTS = ['catalogs', 'schemas', 'rules', 'src']

const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')
/** Room, what it holds, what it may use, whether on Node. */
const ROW = /^\| \[([\w/-]+)\/\]\([^)]*\) \| [^|]* \| ([^|]*) \| (yes|) \|$/gm
const rows = [...page.matchAll(ROW)]
const names = new Set(rows.map(([, name]) => name))

/** The table of the server leaves the beginning of its rooms' names out. */
function fullName(short, room) {
  const inServer = `src/server/${short}`
  const name = /^src\/server(\/|$)/.test(room) && names.has(inServer) ? inServer : short
  if (!names.has(name)) throw new Error(`docs/architecture.md: ${room} names ${short}, which is not a room`)
  return name
}

/** All rooms, from the ground up. */
export const ROOMS = rows.map(([, name, may, node]) => ({
  name,
  may: [...may.matchAll(/`([^`]+)`/g)].map(([, short]) => fullName(short, name)),
  node: node === 'yes',
}))

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const hasRoomsInside = ({ name }) => ROOMS.some((other) => other.name.startsWith(`${name}/`))

/** Matches the files of a room. */
export const filesOf = (room) =>
  hasRoomsInside(room) ? `^${escaped(room.name)}/[^/]+$` : `^${escaped(room.name)}/`
