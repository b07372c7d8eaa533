/** Lint rules for the layers of modules, from the tables of `docs/architecture.md`. */
import { filesOf, MODULES, SOURCE_FOLDERS } from './scripts/layers.mjs'

const byName = new Map(MODULES.map((module) => [module.name, module]))
const inProject = `^(?:${SOURCE_FOLDERS.join('|')})/`
/** Returns a pattern for the generated texts of a module, which its submodules may import too. */
const textsOf = (name) => `^src/${name.split('/')[1]}/generated/texts/`
const engine = MODULES.filter(({ node }) => !node).map(filesOf)

export default {
  forbidden: [
    ...MODULES.map((module) => ({
      name: `imports of ${module.name}`,
      severity: 'error',
      comment: `${module.name} may import ${module.may.join(', ') || 'nothing of the project'} (docs/architecture.md)`,
      from: { path: filesOf(module) },
      to: {
        path: inProject,
        pathNot: [
          '/package[.]json$',
          '/node_modules/',
          textsOf(module.name),
          ...[module, ...module.may.map((name) => byName.get(name))].map(filesOf),
        ],
      },
    })),
    {
      name: 'no module',
      severity: 'error',
      comment: 'every source file belongs to a module of docs/architecture.md',
      from: { path: inProject, pathNot: ['^src/[^/]+/generated/texts/', ...MODULES.map(filesOf)] },
      to: {},
    },
    {
      name: 'no circles',
      severity: 'error',
      comment: 'files do not import each other, not even for types',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no Node in the engine',
      severity: 'error',
      comment: 'the engine runs in every JavaScript runtime',
      from: { path: engine },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'found',
      severity: 'error',
      comment: 'every import can be resolved',
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
