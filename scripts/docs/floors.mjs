/** The tables of `docs/architecture.md` that say who may import whom, from the rows that the lint rules are made of. */
import { FLOORS } from '../floors.mjs'
import { code, table, withPart } from './text.mjs'

const link = (name) => `[${name}/](../${name}/)`
/** Names within the server are shorter there. */
const short = (name, title) => (title === 'The server' ? name.replace(/^src\/server\//, '') : name)

const section = ({ title, rooms }) =>
  `**${title}**\n\n${table(
    ['Room', 'Holds', 'May use'],
    rooms.map(({ name, holds, may }) => [
      link(name),
      holds,
      may.map((one) => code(short(one, title))).join(' ') || '–',
    ]),
  )}`

export const architecturePage = async () =>
  withPart('docs/architecture.md', 'floors', FLOORS.map(section).join('\n\n'))
