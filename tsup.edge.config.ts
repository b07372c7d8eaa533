/** The edge files: a build of their own, since making them small takes as long as all the rest. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Options } from 'tsup'
import { withLeanDecimal } from './scripts/lean-decimal.mjs'
import { withLeanQr } from './scripts/lean-qr.mjs'
import { noticesOf } from './scripts/notices.mjs'
import { packedCatalogs } from './scripts/packed-catalogs.mjs'
import { withoutReads } from './scripts/without-reads.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * One file without imports: a worker takes it as it is. Each is a build of its own, since what is left out of a library
 * is what nothing in the build asks for. The notices say what is inside and has a licence: a test compares them.
 */
const edgeFile = (name: string, source: string, notices: string, packages: readonly string[]): Options => ({
  entry: { [name]: source },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  splitting: false,
  minify: 'terser',
  terserOptions: {
    ecma: 2020,
    module: true,
    compress: { inline: 1, passes: 2, pure_getters: true, unsafe_arrows: true },
  },
  noExternal: [/./],
  esbuildPlugins: [packedCatalogs, withLeanDecimal, withLeanQr, withoutReads],
  outDir: 'dist/edge',
  onSuccess: async () =>
    writeFileSync(`dist/edge/${notices}`, noticesOf(root, ['decimal.js', ...packages, 'uqr'])),
})

export default defineConfig([
  edgeFile('index', 'src/edge/index.ts', 'NOTICES.txt', []),
  edgeFile('formats', 'src/edge/formats/index.ts', 'formats.NOTICES.txt', ['saxes', 'xmlchars']),
])
