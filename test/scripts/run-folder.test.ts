/** A test run that is stopped leaves no process and no folder. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryFolderOf, processesIn } from '../../scripts/run-folder.mjs'
import { ROOT } from '../docs/markdown.ts'
import { temporaryFolder } from '../folders.ts'
import { itInAll } from '../size.ts'
import { until } from '../until.ts'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts a run that hangs in a test with a server and PostgreSQL. Stops it, and waits until nothing is left of it. */
async function stopRun(stop: (pid: number) => void): Promise<void> {
  const folder = temporaryFolder()
  // PostgreSQL does not run as root, and must reach its folder.
  chmodSync(folder, 0o711)
  const { CUADRA_RUN_FOLDER: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/scripts/hanging/config.ts'],
    { cwd: ROOT, env: { ...env, TMPDIR: folder }, detached: true },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const started = await until(
    () => /started ([\d ]+)\./.exec(output)?.[1] ?? (child.exitCode === null ? undefined : output),
    'the run has started its processes',
    { seconds: 60 },
  )
  const pids = started.trim().split(' ').map(Number)
  const [run = ''] = readdirSync(folder)
  expect(pids.every(isRunning), started).toBe(true)
  expect(processesIn(folder)).toEqual(expect.arrayContaining(pids.slice(0, 1)))
  const inMemory = memoryFolderOf(join(folder, run))
  expect(existsSync(inMemory)).toBe(true)

  stop(child.pid ?? 0)
  await until(() => child.exitCode !== null || child.signalCode !== null, 'the run has ended')
  await until(() => readdirSync(folder).length === 0, `the folder ${basename(run)} of the run is removed`)
  await until(() => processesIn(folder).length === 0, 'no process of the run is left')
  await until(() => !pids.some(isRunning), `server and PostgreSQL (${started}) have ended`)
  expect(existsSync(inMemory)).toBe(false)
}

describe('a test run leaves no process and no folder', () => {
  it('when it receives SIGTERM', () => stopRun((pid) => process.kill(pid, 'SIGTERM')))

  it('when Ctrl-C sends SIGINT to all of its processes', () => stopRun((pid) => process.kill(-pid, 'SIGINT')))

  itInAll('when it receives SIGKILL', () => stopRun((pid) => process.kill(pid, 'SIGKILL')))
})
