import { defineConfig, type Options } from 'tsup'

/** The command line uses the engine as it is published, and carries its own libraries along. */
const enginePlugin: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'engine',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/((?:verifactu|sii)\/)?index\.ts$/ }, ({ path }) => ({
      path: path.replace(/\.ts$/, '.js'),
      external: true,
    }))
  },
}

/** What the package offers by name. */
const ENTRIES = {
  index: 'src/index.ts',
  'verifactu/index': 'src/verifactu/index.ts',
  'sii/index': 'src/sii/index.ts',
  'request/index': 'src/request/index.ts',
}

export default defineConfig([
  {
    entry: {
      ...ENTRIES,
      // Parts in files of their own: whoever imports a hash or a QR code gets nothing else (`sideEffects: false`).
      'verifactu/hash': 'src/verifactu/hash.ts',
      'verifactu/qr': 'src/verifactu/qr.ts',
      'verifactu/chain': 'src/verifactu/chain.ts',
      'verifactu/check': 'src/verifactu/check.ts',
      'verifactu/xml': 'src/verifactu/xml.ts',
    },
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    dts: { entry: ENTRIES },
    // These belong to other builds, some of which run at the same time.
    clean: ['!cli/**', '!edge/**', '!wasm/**', '!cuadra.wasm', '!playground/**'],
    splitting: true,
    treeshake: true,
    outDir: 'dist',
  },
  {
    entry: { index: 'src/wasm/index.ts', node: 'src/wasm/node.ts' },
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    dts: { entry: { index: 'src/wasm/index.ts' } },
    tsconfig: 'tsconfig.node.json',
    external: [/^node:/],
    clean: true,
    splitting: true,
    treeshake: true,
    outDir: 'dist/wasm',
  },
  {
    entry: { main: 'src/cli/main.ts', worker: 'src/cli/worker.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    clean: true,
    splitting: true,
    outDir: 'dist/cli',
    noExternal: ['commander', 'picocolors'],
    esbuildPlugins: [enginePlugin],
    // Bundled CommonJS modules ask for Node's own modules with `require`.
    banner: {
      js: "import { createRequire as cuadraRequire } from 'node:module'\nconst require = cuadraRequire(import.meta.url)",
    },
  },
])
