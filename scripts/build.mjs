/**
 * Builds `dist/`. `npm run build` builds what the command `cuadra` and `import 'cuadra'` need. With part names, as in
 * `npm run build -- NAME ...`, it builds these parts and the parts that they need. `all` builds every part. `--help`
 * lists the parts.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { hasSet, howToHave } from './dev-packages.mjs'
import { noticesOf, packagesIn } from './notices.mjs'
import { namesIn, readOptions, wrongUsage } from './options.mjs'
import { moduleOf, PORTABLE } from './source-module.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (path) => resolve(root, path)
const execute = promisify(execFile)

/** The entry points of the package that have type declarations. */
const ENTRIES = {
  index: 'src/engine/index.ts',
  'verifactu/index': 'src/records/verifactu/index.ts',
  'sii/index': 'src/records/sii/index.ts',
  'formats/index': 'src/formats/index.ts',
  'request/index': 'src/entry/request/index.ts',
  'formats/request': 'src/entry/request/formats/index.ts',
}
/** Parts of `verifactu` in separate files, so that importing a hash or a QR code loads only that part. */
const PARTS_OF_VERIFACTU = {
  'verifactu/hash': 'src/records/verifactu/model/hash.ts',
  'verifactu/qr': 'src/records/verifactu/qr/index.ts',
  'verifactu/chain': 'src/records/verifactu/chain/verify-chain.ts',
  'verifactu/check': 'src/records/verifactu/rules/check.ts',
  'verifactu/xml': 'src/records/verifactu/message/xml.ts',
  'verifactu/next-step': 'src/records/verifactu/record/verifactu-next-step.ts',
  'verifactu/record-items': 'src/records/verifactu/model/record-items.ts',
}

/** Packages that every installation of the engine has. */
const DEPENDENCIES = Object.keys(manifest('package.json').dependencies)
/** Packages not bundled into the server. All others are, because loading many small modules slows the start down. */
const BESIDE_THE_SERVER = [
  // These are optional, or differ by platform.
  ...['libsql', 'unpdf', '@hyzyla/pdfium', 'sharp', 'zxing-wasm', 'tesseract.js'],
  // Starts its threads from one of its files.
  'tinypool',
  // pdfkit reads font metrics and a colour profile from files, and shares the parsed fonts with fontkit.
  ...['pdfkit', 'fontkit'],
]

/** Defines `require`, with which bundled CommonJS modules load modules of Node. */
const REQUIRE = {
  js: "import { createRequire as cuadraRequire } from 'node:module'\nconst require = cuadraRequire(import.meta.url)",
}

/** Makes the command line import the built engine, as published, instead of the sources. */
const publishedEngine = {
  name: 'published engine',
  setup({ onResolve }) {
    const filter = /^(?:#|\.\.\/)(?:engine|(?:records\/)?(?:verifactu|sii)|formats)\/index\.ts$/
    onResolve({ filter }, ({ path }) => ({
      path: path.replace(/^(?:#|\.\.\/)(?:engine\/|records\/)?/, '../').replace(/\.ts$/, '.js'),
      external: true,
    }))
  },
}

const PARTS = {
  generated: {
    what: 'types, validators and texts, from schemas/, catalogs/ and texts/',
    make: () => run('scripts/generate.mjs'),
  },
  engine: {
    what: 'the JavaScript of the package',
    needs: ['generated'],
    make: async () => {
      await write('dist', {
        entryPoints: { ...ENTRIES, ...PARTS_OF_VERIFACTU },
        splitting: true,
        sourcemap: true,
        external: DEPENDENCIES,
      })
      await write('dist/wasm', {
        entryPoints: { index: 'src/entry/wasm/index.ts', node: 'src/entry/wasm/node.ts' },
        splitting: true,
        external: ['node:*'],
      })
    },
  },
  command: {
    what: 'the command `cuadra`, for `npx cuadra`',
    needs: ['engine'],
    make: async () => {
      await write('dist/cli', {
        entryPoints: {
          main: 'src/entry/cli/main.ts',
          worker: 'src/entry/cli/batch/batch-worker.ts',
          pdf: 'src/entry/cli/input/pdf-thread.ts',
        },
        splitting: true,
        platform: 'node',
        target: 'node20',
        external: ['unpdf'],
        plugins: [publishedEngine],
        banner: REQUIRE,
      })
      linkCommands()
    },
  },
  declarations: {
    what: 'the type declarations of the package',
    needs: ['generated'],
    make: async () => {
      const { build } = await import('tsup')
      const entry = {
        ...ENTRIES,
        'edge/index': 'src/entry/edge/index.ts',
        'edge/formats': 'src/entry/edge/formats/index.ts',
        'wasm/index': 'src/entry/wasm/index.ts',
        'cuadra.wasm': 'src/entry/wasm/module.ts',
      }
      // The names of declaration files have a hash, so the files of earlier builds would remain.
      removeOthers(
        Object.keys(entry).map((name) => `dist/${name}`),
        /\.d\.ts$/,
      )
      const options = { config: false, format: 'esm', outDir: 'dist', tsconfig: 'tsconfig.node.json' }
      await build({ ...options, entry, dts: { only: true, entry }, silent: true })
    },
  },
  edge: {
    what: 'the engine as one file without imports, for workers',
    needs: ['generated'],
    make: async () => {
      const file = (entryPoints) => ({ minify: true, splitting: false, entryPoints })
      const formats = file({ formats: 'src/entry/edge/formats/index.ts' })
      await write('dist/edge', file({ index: 'src/entry/edge/index.ts' }))
      await write('dist/edge', formats, 'formats.NOTICES.txt')
    },
  },
  module: {
    what: 'the engine as a WebAssembly module',
    needs: ['generated'],
    make: () => run('scripts/wasm.mjs'),
  },
  server: {
    what: 'the server with its commands and pages',
    needs: ['generated'],
    make: async () => {
      const entryPoints = {
        status: 'packages/web/status/main.tsx',
        'status-style': 'packages/web/status/status.css',
        reference: 'packages/web/reference/main.ts',
        'reference-style': 'packages/web/reference/reference.css',
        'document-style': 'packages/web/parts/document.css',
      }
      const pages = { entryPoints, platform: 'browser', minify: true, tsconfig: 'tsconfig.playground.json' }
      await write('dist/pages', pages)
      const metafile = await write('dist/server', {
        entryPoints: {
          main: 'packages/server/src/main.ts',
          admin: 'packages/server/admin/commands/main.ts',
          worker: 'packages/server/src/work/worker.ts',
          reader: 'packages/recognition/src/reader/child.ts',
          simulator: 'packages/simulator/src/main.ts',
          health: 'packages/server/src/health.ts',
        },
        splitting: true,
        platform: 'node',
        target: 'node20',
        tsconfig: 'tsconfig.node.json',
        external: BESIDE_THE_SERVER,
        banner: REQUIRE,
      })
      writeFileSync(at('dist/server/metafile.json'), JSON.stringify(metafile))
      await copyFonts()
      copyReference()
    },
  },
  playground: {
    what: 'the playground',
    needs: ['generated'],
    make: () => {
      const options = ['--config=packages/web/playground/vite.config.ts', '--logLevel=warn']
      return run('node_modules/vite/bin/vite.js', 'build', ...options)
    },
  },
}

function manifest(path) {
  return JSON.parse(readFileSync(at(path), 'utf8'))
}

/** Runs a program of Node, and rejects with its output if it fails. */
async function run(...args) {
  try {
    const { stdout, stderr } = await execute(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 })
    process.stdout.write(stdout + stderr)
  } catch ({ code, stdout, stderr }) {
    throw new Error(`${args[0]} failed (${code})\n${stdout}${stderr}`)
  }
}

/**
 * Bundles into a folder, removes the files of earlier builds, and writes the licences of the bundled packages. Returns
 * esbuild's metafile.
 */
async function write(folder, options, notices = 'NOTICES.txt') {
  const { metafile } = await bundle({
    ...PORTABLE,
    ...options,
    outdir: folder,
    metafile: true,
  })
  if (options.splitting) removeOthers(Object.keys(metafile.outputs), /\.js(\.map)?$/)
  writeFileSync(at(`${folder}/${notices}`), noticesOf(root, packagesIn(bundledIn(metafile))))
  return metafile
}

/** Returns the files whose code is in a bundle. `metafile.inputs` also has files of which nothing is used. */
const bundledIn = ({ outputs }) => Object.assign({}, ...Object.values(outputs).map(({ inputs }) => inputs))

/** Removes files whose name matches `pattern` from the folders of the written files, except the written files. */
function removeOthers(written, pattern) {
  for (const folder of new Set(written.map((file) => dirname(file))))
    for (const name of existsSync(at(folder)) ? readdirSync(at(folder)) : [])
      if (pattern.test(name) && !written.includes(`${folder}/${name}`)) rmSync(at(`${folder}/${name}`))
}

/** Links the commands of the packages, as an installation does, so that `npx` finds them. */
function linkCommands() {
  const bin = at('node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  for (const folder of ['', 'packages/server/'])
    for (const [name, path] of Object.entries(manifest(`${folder}package.json`).bin)) {
      const file = at(`${folder}${path}`)
      chmodSync(file, 0o755)
      for (const link of [name, `${name}.cmd`]) rmSync(`${bin}/${link}`, { force: true })
      const target = relative(bin, file)
      if (process.platform === 'win32') writeFileSync(`${bin}/${name}.cmd`, `@node "%~dp0\\${target}" %*\r\n`)
      else symlinkSync(target, `${bin}/${name}`)
    }
}

/** Copies the fonts of printed invoices with their licences. */
async function copyFonts() {
  const { FONT_FILES, FONT_LICENCES } = await moduleOf("export * from './packages/pdf/src/font-files.ts'")
  const require = createRequire(at('packages/pdf/package.json'))
  mkdirSync(at('dist/server/fonts'), { recursive: true })
  for (const [from, to] of [...FONT_FILES, ...FONT_LICENCES])
    copyFileSync(require.resolve(from), at(`dist/server/fonts/${to}`))
}

/** Copies the script of the API reference, also compressed, with its notices. */
function copyReference() {
  const require = createRequire(at('packages/server/package.json'))
  const folder = at('dist/server/reference')
  mkdirSync(folder, { recursive: true })
  const page = readFileSync(require.resolve('@scalar/api-reference/browser/standalone.js'))
  writeFileSync(`${folder}/scalar.js`, page)
  writeFileSync(`${folder}/scalar.js.gz`, gzipSync(page, { level: 9 }))
  writeFileSync(`${folder}/NOTICES.txt`, noticesOf(root, ['@scalar/api-reference']))
  // Declares the file a browser script, because the package around it declares ES modules.
  writeFileSync(`${folder}/package.json`, '{ "type": "commonjs" }\n')
}

/** Builds the named parts and the parts that they need. */
export async function build(names) {
  const started = new Map()
  const start = (name) => {
    const { needs = [], make } = PARTS[name]
    if (!started.has(name)) started.set(name, Promise.all(needs.map(start)).then(make))
    return started.get(name)
  }
  await Promise.all(names.map(start))
}

/** Builds the server if one of its programs is missing. */
export async function buildMissing(program, message = '') {
  if (existsSync(at(`dist/server/${program}.js`))) return
  process.stdout.write(message)
  await build(['server'])
}

const ABOUT = `Builds parts of dist/, each with the parts it needs. Without a part: command. "all" builds every part.

Parts:
${Object.entries(PARTS)
  .map(
    ([name, { what, needs = [] }]) =>
      `  ${name.padEnd(13)} ${what}${needs.length > 0 ? ` (needs ${needs.join(', ')})` : ''}`,
  )
  .join('\n')}`

async function main() {
  const { positionals } = readOptions({ about: ABOUT, operands: '[PART ...]' })
  const names = positionals.includes('all') ? Object.keys(PARTS) : positionals
  namesIn(names.join(','), Object.keys(PARTS))
  if (names.includes('module') && !hasSet('module'))
    wrongUsage(`build: the WebAssembly module ${howToHave('module')}`)
  await build(names.length > 0 ? names : ['command'])
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main().catch((error) => {
    console.error(`build: ${error.message}`)
    process.exitCode = 1
  })
