/**
 * Checks the types of the code for Node, including tests. Tests that import missing packages of `dev-packages/` are
 * skipped with a note, since `npx tsc -p tsconfig.node.json` would report each import as an error.
 */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { hasSet, packagesOf, setNames } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

readOptions({ about: 'Checks the types of the code for Node, including tests.' })

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { config } = ts.readConfigFile(`${ROOT}tsconfig.node.json`, ts.sys.readFile)
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)

/** Returns the files that import one of the packages, directly or through another file. */
function usersOf(packages) {
  const importsOf = (file) =>
    ts
      .preProcessFile(ts.sys.readFile(file))
      .importedFiles.map(({ fileName }) =>
        fileName.startsWith('.') ? ts.sys.resolvePath(`${file}/../${fileName}`) : fileName,
      )
  const imports = fileNames.map((file) => [file, importsOf(file)])
  const users = new Set(packages)
  for (let before = -1; before < users.size; ) {
    before = users.size
    for (const [file, names] of imports) if (names.some((name) => users.has(name))) users.add(file)
  }
  return fileNames.filter((file) => users.has(file))
}

const absent = setNames().filter((name) => !hasSet(name))
const left = new Set(
  absent.length > 0 ? usersOf(absent.flatMap((name) => Object.keys(packagesOf(name)))) : [],
)
if (left.size > 0)
  console.log(`types: ${left.size} tests skipped, which use packages of ${absent.join(', ')}, not installed`)
const checked = fileNames.filter((file) => !left.has(file))
const problems = ts.getPreEmitDiagnostics(ts.createProgram(checked, options))
const host = { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }
process.stderr.write(ts.formatDiagnostics(problems, host))
process.exitCode = problems.length > 0 ? 1 : 0
