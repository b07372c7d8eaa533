import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Options } from 'tsup'
import { withLeanDecimal } from './scripts/lean-decimal.mjs'
import { noticesOf } from './scripts/notices.mjs'
import { packedCatalogs } from './scripts/packed-catalogs.mjs'
import { trimSourceMaps } from './scripts/source-maps.mjs'
import { withoutReads } from './scripts/without-reads.mjs'
import { FONT_FILES, FONT_LICENCES } from './src/pdf/font-files.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Bundled into the server: the engine's own libraries, and those of many small modules. Loading them one by one takes
 * four tenths of the processor time of a start.
 */
const IN_THE_SERVER = [
  ...[
    'decimal.js',
    'date-fns',
    '@noble/hashes',
    'typebox',
    'kysely',
    'hono',
    '@hono/node-server',
    'preact',
    'preact-render-to-string',
    'csv-parse',
  ],
  ...['xadesjs', 'xmldsigjs', 'xml-core'],
]

/** Bundled into the command line. */
const IN_THE_COMMAND_LINE = [
  'commander',
  'picocolors',
  'csv-parse',
  'csv-stringify',
  'write-excel-file',
  'fflate',
]

/** The command line uses the engine as it is published, and carries its own libraries along. */
const enginePlugin: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'engine',
  setup(build) {
    build.onResolve({ filter: /^(?:\.\.\/)+(?:api|verifactu|sii|formats)\/index\.ts$/ }, ({ path }) => ({
      path: `../${path.replace(/^(?:\.\.\/)+(?:api\/)?/, '').replace(/\.ts$/, '.js')}`,
      external: true,
    }))
  },
}

/** What the package offers by name. */
const ENTRIES = {
  index: 'src/api/index.ts',
  'verifactu/index': 'src/verifactu/index.ts',
  'sii/index': 'src/sii/index.ts',
  'formats/index': 'src/formats/index.ts',
  'request/index': 'src/request/index.ts',
  'formats/request': 'src/request/formats/index.ts',
}

/** The faces of printed invoices, beside the server, with their licences: an installed server has no more of them. */
function copyFonts(): void {
  const { resolve } = createRequire(new URL('./src/pdf/package.json', import.meta.url))
  mkdirSync('dist/server/fonts', { recursive: true })
  for (const [from, to] of [...FONT_FILES, ...FONT_LICENCES])
    copyFileSync(resolve(from), `dist/server/fonts/${to}`)
}

/** The API reference's one file beside the server, compressed too, with the notices of what is inside. */
function copyReference(): void {
  const { resolve } = createRequire(new URL('./src/server/package.json', import.meta.url))
  mkdirSync('dist/server/reference', { recursive: true })
  const page = readFileSync(resolve('@scalar/api-reference/browser/standalone.js'))
  writeFileSync('dist/server/reference/scalar.js', page)
  writeFileSync('dist/server/reference/scalar.js.gz', gzipSync(page, { level: 9 }))
  writeFileSync('dist/server/reference/NOTICES.txt', noticesOf(root, ['@scalar/api-reference']))
  // A script for browsers, no module of the package that it is in.
  writeFileSync('dist/server/reference/package.json', '{ "type": "commonjs" }\n')
}

/** Without new declarations (`--no-dts`) the last ones stay. */
const KEPT_TYPES = ['!**/*.d.ts']

export default defineConfig(({ dts }) => [
  {
    entry: {
      ...ENTRIES,
      // Parts in files of their own: whoever imports a hash or a QR code gets nothing else (`sideEffects: false`).
      'verifactu/hash': 'src/verifactu/model/hash.ts',
      'verifactu/qr': 'src/verifactu/qr/index.ts',
      'verifactu/chain': 'src/verifactu/chain/verify-chain.ts',
      'verifactu/check': 'src/verifactu/rules/check.ts',
      'verifactu/xml': 'src/verifactu/message/xml.ts',
      'verifactu/next-step': 'src/verifactu/record/next-step.ts',
      'verifactu/record-items': 'src/verifactu/model/record-items.ts',
    },
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // The types of all entries in one pass: they share files. The faces need those of the web.
    dts: {
      entry: {
        ...ENTRIES,
        'edge/index': 'src/edge/index.ts',
        'edge/formats': 'src/edge/formats/index.ts',
        'wasm/index': 'src/wasm/index.ts',
        // Not written by hand afterwards: this pass begins by removing what declarations are there, whenever it begins.
        'cuadra.wasm': 'src/wasm/module.ts',
      },
    },
    tsconfig: 'tsconfig.node.json',
    // These belong to other builds, some of which run at the same time.
    clean: [
      ...(dts === false ? KEPT_TYPES : []),
      '!cli/**',
      '!server/**',
      '!edge/**',
      '!wasm/**',
      '!cuadra.wasm*',
      '!playground/**',
      '!pages/**',
      '!site/**',
    ],
    splitting: true,
    treeshake: true,
    sourcemap: true,
    // Whoever installs the package would get 28 MB of date-fns for five functions.
    noExternal: ['decimal.js', 'date-fns'],
    esbuildPlugins: [packedCatalogs, withLeanDecimal, withoutReads],
    outDir: 'dist',
    onSuccess: async () => {
      writeFileSync('dist/NOTICES.txt', noticesOf(root, ['decimal.js', 'date-fns']))
      trimSourceMaps(['dist', ...['verifactu', 'sii', 'formats', 'request'].map((name) => `dist/${name}`)])
    },
  },
  {
    entry: { index: 'src/wasm/index.ts', node: 'src/wasm/node.ts' },
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: [/^node:/],
    clean: dts === false ? KEPT_TYPES : true,
    splitting: true,
    treeshake: true,
    outDir: 'dist/wasm',
  },
  {
    entry: { main: 'src/cli/main.ts', worker: 'src/cli/batch/worker.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    clean: true,
    splitting: true,
    outDir: 'dist/cli',
    external: ['unpdf'],
    noExternal: IN_THE_COMMAND_LINE,
    esbuildPlugins: [enginePlugin],
    onSuccess: async () => writeFileSync('dist/cli/NOTICES.txt', noticesOf(root, IN_THE_COMMAND_LINE)),
    // Bundled CommonJS modules ask for Node's own modules with `require`.
    banner: {
      js: "import { createRequire as cuadraRequire } from 'node:module'\nconst require = cuadraRequire(import.meta.url)",
    },
  },
  {
    // Scripts and styles of the server's pages, served as they are.
    entry: {
      status: 'src/status/main.tsx',
      'status-style': 'src/status/status.css',
      reference: 'src/reference/main.ts',
      'reference-style': 'src/reference/reference.css',
      'document-style': 'src/parts/document.css',
    },
    tsconfig: 'tsconfig.playground.json',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    clean: true,
    splitting: false,
    minify: true,
    outDir: 'dist/pages',
  },
  {
    // The server's workspace, with its libraries as they are installed.
    entry: {
      main: 'src/server/main.ts',
      admin: 'src/admin/commands/main.ts',
      worker: 'src/server/work/worker.ts',
      reader: 'src/recognition/reader/child.ts',
      simulator: 'src/simulator/main.ts',
      health: 'src/server/health.ts',
    },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    clean: true,
    splitting: true,
    tsconfig: 'tsconfig.node.json',
    skipNodeModulesBundle: true,
    noExternal: IN_THE_SERVER,
    outDir: 'dist/server',
    onSuccess: async () => {
      copyFonts()
      copyReference()
      writeFileSync('dist/server/NOTICES.txt', noticesOf(root, IN_THE_SERVER))
    },
  },
])
