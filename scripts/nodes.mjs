/**
 * `npm run test:nodes` runs tests with the other supported versions of Node, from the package `node` of npm. The build is
 * that of the current version. A version that cannot be downloaded is reported and skipped. Exits 1 if
 * a test fails.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { readOptions } from './options.mjs'

const { values, positionals } = readOptions({
  about:
    'Runs tests with other versions of Node; without paths, those of engine, command line, storage and server.',
  options: { versions: { type: 'string', value: 'LIST', default: '22,24,26', about: 'the versions' } },
  operands: '[PATH...]',
})
const PATHS = ['api', 'verifactu', 'cli', 'storage', 'conformance/server-sqlite']
const paths = positionals.length > 0 ? positionals : PATHS.map((name) => `test/${name}`)

for (const version of values.versions.split(',')) {
  console.log(`\n== Node ${version}`)
  const found = spawnSync('npx', ['--yes', `--package=node@${version}`, '-c', 'node -p process.execPath'], {
    encoding: 'utf8',
  })
  const program = found.stdout.trim()
  if (found.status !== 0 || !program) {
    console.error(
      `Node ${version} is skipped, it cannot be downloaded: ${found.stderr.trim().split('\n').at(-1)}`,
    )
    continue
  }
  const { status } = spawnSync(
    program,
    ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...paths],
    {
      stdio: 'inherit',
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
    },
  )
  if (status !== 0) process.exitCode = 1
}
