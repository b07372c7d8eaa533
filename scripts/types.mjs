/**
 * Checks the types of the code for Node, including tests. Tests that import missing packages of `dev-packages/` are
 * skipped with a note, since `npx tsc -p tsconfig.node.json` would report each import as an error.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasSet, packagesOf, setNames } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

readOptions({ about: 'Checks the types of the code for Node, including tests.' })

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, 'tsconfig.node.json')
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** Returns the tests that import one of the packages, directly or through another test. */
function usersOf(packages) {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, 'test', file))
  const imports = new Map(
    files.map((file) => [
      file,
      [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, id]) =>
        id.startsWith('.') ? join(dirname(file), id) : id,
      ),
    ]),
  )
  const users = new Set(packages)
  for (let before = -1; before < users.size; ) {
    before = users.size
    for (const [file, ids] of imports) if (ids.some((id) => users.has(id))) users.add(file)
  }
  return files.filter((file) => users.has(file))
}

/** Returns a configuration without these files. */
function without(files) {
  const path = join(ROOT, `node_modules/.types-${process.pid}.json`)
  const { exclude = [] } = JSON.parse(readFileSync(CONFIG, 'utf8'))
  const include = JSON.parse(readFileSync(CONFIG, 'utf8')).include.map((one) => join(ROOT, one))
  const typeRoots = [join(ROOT, 'node_modules/@types')]
  const excluded = [...exclude.map((one) => join(ROOT, one)), ...files]
  writeFileSync(
    path,
    JSON.stringify({ extends: CONFIG, compilerOptions: { typeRoots }, include, exclude: excluded }),
  )
  return path
}

const check = (config) =>
  spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], {
    cwd: ROOT,
    stdio: 'inherit',
  }).status ?? 1

const absent = setNames().filter((name) => !hasSet(name))
const left = usersOf(absent.flatMap((name) => Object.keys(packagesOf(name))))
if (left.length === 0) process.exitCode = check(CONFIG)
else {
  console.log(
    `types: ${left.length} tests skipped, which use packages that are not installed: ${absent.join(', ')}`,
  )
  const config = without(left)
  process.exitCode = check(config)
  rmSync(config)
}
