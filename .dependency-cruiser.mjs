/** The import floors as lint rules, made from the tables of `docs/architecture.md`. */
import { filesOf, ROOMS, ROOTS } from './scripts/floors.mjs'

const byName = new Map(ROOMS.map((room) => [room.name, room]))
const inProject = `^(?:${ROOTS.join('|')})/`
const engine = ROOMS.filter(({ node }) => !node).map(filesOf)

export default {
  forbidden: [
    ...ROOMS.map((room) => ({
      name: `floor of ${room.name}`,
      severity: 'error',
      comment: `${room.name} may import ${room.may.join(', ') || 'nothing of the project'} (docs/architecture.md)`,
      from: { path: filesOf(room) },
      to: {
        path: inProject,
        pathNot: [
          '/package[.]json$',
          '/node_modules/',
          ...[room, ...room.may.map((name) => byName.get(name))].map(filesOf),
        ],
      },
    })),
    {
      name: 'no room',
      severity: 'error',
      comment: 'every source file lies in a room of docs/architecture.md',
      from: { path: inProject, pathNot: ROOMS.map(filesOf) },
      to: {},
    },
    {
      name: 'no circles',
      severity: 'error',
      comment: 'files do not import each other, for types neither',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no Node below the faces',
      severity: 'error',
      comment: 'the engine runs wherever JavaScript does',
      from: { path: engine },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'found',
      severity: 'error',
      comment: 'an import leads somewhere',
      from: { path: inProject },
      to: { couldNotResolve: true, pathNot: '^cloudflare:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.node.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
