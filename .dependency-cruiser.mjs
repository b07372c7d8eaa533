/**
 * The groups of modules, and what each may import: the table of `docs/architecture.md`. Imports only go down: a group
 * may import only itself and groups above it in this table.
 */

const ENGINE = ['data', 'core', 'engine', 'records', 'formats']
const AROUND = ['view', 'entry', 'web', 'storage', 'pdf', 'recognition', 'authority', 'simulator']

/** Name, folders, and the groups that it may import. */
export const GROUPS = [
  ['data', 'catalogs|schemas', []],
  ['core', 'src/core', ['data']],
  ['engine', 'src/engine|rules', ['core']],
  ['records', 'src/records', ['data', 'core']],
  ['formats', 'src/formats', ['data', 'core', 'engine']],
  ['view', 'src/view', ['data', 'core']],
  ['entry', 'src/entry', ENGINE],
  ['web', 'packages/web', ['core', 'engine', 'records', 'formats', 'view']],
  ['storage', 'packages/storage', ['core']],
  ['pdf', 'packages/pdf', ['core', 'view']],
  ['recognition', 'packages/recognition', ['core', 'records', 'formats']],
  ['authority', 'packages/authority', ['core', 'records']],
  ['simulator', 'packages/simulator', ['core', 'records', 'storage', 'authority']],
  ['server', 'packages/server', [...ENGINE, ...AROUND]],
]

/** Folders of the sources. */
export const SOURCE_FOLDERS = ['src', 'rules', 'packages']

const filesOf = (name) => `^(?:${GROUPS.find(([other]) => other === name)[1]})/`
const EVERY_GROUP = `^(?:${GROUPS.map(([, folders]) => folders).join('|')})/`
/**
 * Files of a group that other groups may import: an `index.ts`, data, and the following files. Programs that load only a
 * little, such as `cuadra --version` and the health check of the server, import them directly, because a chunk of the
 * build contains everything that an `index.ts` names.
 */
const ENTRY_FILES = [
  '/index[.]ts$',
  '[.]json$',
  '^src/core/invoice/(?:blank|characters|date|near|pointer|terms)[.]ts$',
  '^src/core/xml/embedded-xml[.]ts$',
  '^src/records/books/book-settings[.]ts$',
  '^src/records/verifactu/qr/invoice-qr[.]ts$',
  '^packages/authority/src/(?:certificate|certificate-findings|errors|pkcs12|self-signed)[.]ts$',
  '^packages/pdf/src/(?:designs|logo|printable-characters)[.]ts$',
  '^packages/storage/src/',
]
const TESTS = '^packages/[^/]+/test/'
/** Matches sources of the engine that may use modules of Node. */
const OF_NODE = '^src/entry/(?:cli|terminal|books-file|wasm/node[.]ts$)'

export default {
  forbidden: [
    ...GROUPS.map(([name, , may]) => ({
      name: `imports of ${name}`,
      severity: 'error',
      comment: `${name} may import ${may.join(', ') || 'nothing of the project'} (docs/architecture.md)`,
      from: { path: filesOf(name), pathNot: TESTS },
      to: { path: EVERY_GROUP, pathNot: ['/package[.]json$', ...[name, ...may].map(filesOf)] },
    })),
    ...GROUPS.map(([name]) => ({
      name: 'entry files',
      severity: 'error',
      comment: 'an import of another group leads to an index.ts, or to a file listed above',
      from: { path: filesOf(name), pathNot: TESTS },
      to: {
        path: EVERY_GROUP,
        pathNot: [filesOf(name), ...ENTRY_FILES],
      },
    })),
    ...[
      ['store', 'src/(?:service|http)|admin'],
      ['service', 'src/http|admin'],
      ['http', 'admin'],
    ].map(([layer, above]) => ({
      name: 'layers of the server',
      severity: 'error',
      comment: 'admin and http call services, and services call the store',
      from: { path: `^packages/server/src/${layer}/` },
      to: { path: `^packages/server/(?:${above})/` },
    })),
    ...[
      ['labels', 'cells|candidates|agreement|proposal'],
      ['cells', 'candidates|agreement|proposal'],
      ['candidates', 'agreement|proposal'],
      ['agreement', 'proposal'],
    ].map(([stage, later]) => ({
      name: 'stages of recognition',
      severity: 'error',
      comment: 'a stage imports only the stages before it',
      from: { path: `^packages/recognition/src/fields/${stage}/` },
      to: { path: `^packages/recognition/src/fields/(?:${later})/` },
    })),
    {
      name: 'no group',
      severity: 'error',
      comment: 'every source file belongs to a group of docs/architecture.md',
      from: { path: '^(?:src|packages)/', pathNot: [EVERY_GROUP, TESTS] },
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
      from: { path: '^(?:src|rules)/', pathNot: OF_NODE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'built files',
      severity: 'error',
      comment: 'sources import sources',
      from: { path: EVERY_GROUP, pathNot: TESTS },
      to: { path: '^dist/' },
    },
    {
      name: 'found',
      severity: 'error',
      comment: 'every import can be resolved',
      from: { path: EVERY_GROUP, pathNot: TESTS },
      to: { couldNotResolve: true, pathNot: '^cloudflare:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: TESTS },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.node.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
