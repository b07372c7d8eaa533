/**
 * Builds the Python package: a wheel (PEP 427) with the files of `python/cuadra` and the WebAssembly module. The build
 * needs no Python, and its output is reproducible.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { origin } from './engine.mjs'
import { demandBuilt, readJson } from './files.mjs'

/** The oldest date that a ZIP file can state. */
const DATE = new Date(1980, 0, 1)
const MODULE = 'dist/cuadra.wasm'
const NOTICES = 'dist/cuadra.wasm.NOTICES.txt'

const CLASSIFIERS = [
  'Development Status :: 4 - Beta',
  'Intended Audience :: Developers',
  'Intended Audience :: Financial and Insurance Industry',
  'Natural Language :: English',
  'Natural Language :: Spanish',
  'Operating System :: OS Independent',
  ...['3', '3 :: Only'].map((version) => `Programming Language :: Python :: ${version}`),
  'Topic :: Office/Business :: Financial :: Accounting',
  'Typing :: Typed',
]

function metadata({ version, description, license, keywords }, { homepage, repository, bugs }, readme) {
  const pages = homepage && {
    Documentation: `${homepage}/guides/python`,
    Changelog: `${homepage}/project/changelog`,
  }
  const links = { Homepage: homepage, ...pages, Repository: repository, Issues: bugs }
  return [
    'Metadata-Version: 2.4',
    'Name: cuadra',
    `Version: ${version}`,
    `Summary: ${description.replace('the same in Node, browsers and workers', 'the same in Python and JavaScript')}`,
    ...Object.entries(links).flatMap(([name, address]) =>
      address ? [`Project-URL: ${name}, ${address}`] : [],
    ),
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'License-File: NOTICES.txt',
    `Keywords: ${keywords.join(',')}`,
    ...CLASSIFIERS.map((one) => `Classifier: ${one}`),
    'Requires-Python: >=3.9',
    'Requires-Dist: wasmtime>=50',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('base64url')

/** Writes the wheel to a folder, and returns its path. */
export function packWheel(root, out) {
  demandBuilt(root, [MODULE, NOTICES], 'npm run pack:python')
  const read = (file) => readFileSync(join(root, file))
  const manifest = readJson(join(root, 'package.json'))
  const info = `cuadra-${manifest.version}.dist-info`
  const init = read('python/cuadra/__init__.py').toString('utf8')
  const sources = readdirSync(join(root, 'python/cuadra')).filter((file) => /\.(py|typed)$/.test(file))
  const files = {
    ...Object.fromEntries(sources.map((file) => [`cuadra/${file}`, read(`python/cuadra/${file}`)])),
    'cuadra/__init__.py': Buffer.from(
      init.replace(/^__version__ = .*$/m, `__version__ = "${manifest.version}"`),
    ),
    'cuadra/cuadra.wasm': read(MODULE),
    [`${info}/METADATA`]: Buffer.from(
      metadata(manifest, origin(root), read('python/README.md').toString('utf8')),
    ),
    [`${info}/WHEEL`]: Buffer.from(
      'Wheel-Version: 1.0\nGenerator: cuadra\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
    [`${info}/licenses/LICENSE`]: read('LICENSE'),
    [`${info}/licenses/NOTICES.txt`]: read(NOTICES),
  }
  const rows = Object.entries(files).map(([name, bytes]) => `${name},sha256=${hashOf(bytes)},${bytes.length}`)
  const record = Buffer.from(`${[...rows, `${info}/RECORD,,`].join('\n')}\n`)
  const zip = zipSync({ ...files, [`${info}/RECORD`]: record }, { level: 9, mtime: DATE })
  mkdirSync(out, { recursive: true })
  const path = join(out, `cuadra-${manifest.version}-py3-none-any.whl`)
  writeFileSync(path, zip)
  return path
}
