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

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      'verifactu/index': 'src/verifactu/index.ts',
      'sii/index': 'src/sii/index.ts',
    },
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    dts: true,
    // `dist/cli` belongs to the other build, which runs at the same time.
    clean: ['!cli/**'],
    splitting: true,
    treeshake: true,
    outDir: 'dist',
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
