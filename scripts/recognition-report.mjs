/**
 * `npm run recognition:report`: recognises the corpus with the built server, prints the figures and writes them to
 * docs/recognition-accuracy.md. Details of wrong fields go to the terminal; those of the held-out third only with
 * `--held-out-details`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer, createServerModuleRunner } from 'vite'
import { devPackagesResolved } from './dev-packages-resolved.mjs'

const UNKNOWN = process.argv.slice(2).filter((one) => one !== '--held-out-details')
if (UNKNOWN.length > 0) {
  console.error(`Unknown option ${UNKNOWN.join(' ')}. Use --held-out-details, or none.`)
  process.exit(2)
}

const root = fileURLToPath(new URL('../', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

const vite = await createServer({
  root,
  configFile: false,
  plugins: [devPackagesResolved()],
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
})
const runner = createServerModuleRunner(vite.environments.ssr)
try {
  const { report } = await runner.import('/test/recognition/report.ts')
  const { markdown, details } = await report({
    isDetailed: process.argv.includes('--held-out-details'),
    stamp: `${new Date().toISOString().slice(0, 10)}, cuadra ${version} (${commit}), Node ${process.versions.node}.`,
    say: (line) => console.error(line),
  })
  console.log(details.join('\n'))
  console.log(`\n${markdown}`)
  writeFileSync(`${root}docs/recognition-accuracy.md`, markdown)
} finally {
  await runner.close()
  await vite.close()
}
