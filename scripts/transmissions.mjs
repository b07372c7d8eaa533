/**
 * Records the activity of the senders, and compares two recordings (see
 * `test/server/service/transmission/recorder.ts`). Compares file by file, prints the first difference of each test, and exits with 1 if there is one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readOptions } from './options.mjs'

const SUITES = ['service/transmission', 'sii-cash-basis', 'service/verifactu/export']
/** Characters shown around the first difference of a line. */
const SHOWN = 160

const usage = () => {
  console.error('transmissions: record FOLDER [files], or compare BEFORE AFTER')
  return 2
}

function record(folder, files) {
  const suites = SUITES.map((suite) => `test/server/${suite}`)
  const config = 'test/server/service/transmission/recording.config.ts'
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', config, ...(files.length > 0 ? files : suites)],
    {
      stdio: 'inherit',
      env: { CUADRA_TEST_SIZE: 'all', ...process.env, CUADRA_RECORD_TRANSMISSIONS: resolve(folder) },
      shell: process.platform === 'win32',
    },
  )
  return status ?? 1
}

/** Returns a line from shortly before its first difference. */
function around(line, other) {
  let at = 0
  while (at < line.length && line[at] === other[at]) at++
  const start = Math.max(0, at - SHOWN / 2)
  return `${start > 0 ? '…' : ''}${line.slice(start, start + SHOWN)}`
}

function difference(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const at = a.findIndex((line, index) => line !== b[index])
  if (at < 0 && a.length === b.length) return undefined
  const line = at < 0 ? a.length : at
  const [old = '(end)', now = '(end)'] = [a[line], b[line]]
  const heading = a.slice(0, line + 1).findLast((one) => one.startsWith('== ')) ?? ''
  return `line ${line + 1}, ${heading.slice(0, SHOWN)}\n  - ${around(old, now)}\n  + ${around(now, old)}`
}

function compare(before, after) {
  const recordings = [before, after].map((folder) =>
    readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.txt')),
  )
  if (recordings.some((files) => files.length === 0)) return usage()
  const files = [...new Set(recordings.flat())].sort()
  let different = 0
  for (const file of files) {
    const [a, b] = [join(before, file), join(after, file)]
    const found = !existsSync(a)
      ? `only in ${after}`
      : !existsSync(b)
        ? `only in ${before}`
        : difference(readFileSync(a, 'utf8'), readFileSync(b, 'utf8'))
    if (found === undefined) continue
    different++
    console.log(`${file}: ${found}`)
  }
  console.log(`${files.length} tests, ${different} different`)
  return different === 0 ? 0 : 1
}

const {
  positionals: [command, ...rest],
} = readOptions({
  about: 'Records the activity of the senders in FOLDER, or compares two recordings.',
  operands: 'record FOLDER [FILE...] | compare BEFORE AFTER',
})
process.exitCode =
  command === 'record' && rest[0]
    ? record(rest[0], rest.slice(1))
    : command === 'compare' && rest.length === 2
      ? compare(...rest)
      : usage()
