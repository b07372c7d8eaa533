/**
 * Starts processes, reads their addresses, and measures their CPU time and memory. When this process ends, also by
 * SIGINT or SIGTERM, it stops the processes that it started and removes its temporary folders.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const TICKS = 100

const children = new Set()
const folders = new Set()
process.once('exit', () => {
  for (const { pid } of children)
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
// Exits only after the other handlers of the signal have run.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => setImmediate(() => process.exit(code)))

/** Returns a new temporary folder, which is removed when this process ends. */
export function temporaryFolder(parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, 'cuadra-bench-'))
  folders.add(folder)
  return folder
}

/** Starts a command. If it still runs when this process ends, it is killed with all processes that it has started. */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

/**
 * Starts a Node program, waits until its output matches `ready`, which contains the address, and then `rest`
 * milliseconds for further output. Returns `{ url, output, pid, stop }`.
 */
export async function startProcess(program, env, ready, args = [], rest = 100) {
  const child = start(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${output}`)))
    child.stdout.on('data', (piece) => {
      output += piece
      const found = ready.exec(output)
      if (found) setTimeout(() => resolve(found[1]), rest)
    })
  })
  return {
    url,
    pid: child.pid,
    output: () => output,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')

/** Returns the milliseconds of CPU that a process has used. */
export const cpuOf = (pid) => {
  const fields = statOf(pid)
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

const megabytesOf = (pid, name) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** Returns the memory of a process in megabytes. */
export const memoryOf = (pid) => megabytesOf(pid, 'VmRSS')

/** Returns the peak memory of a process in megabytes. */
export const peakOf = (pid) => megabytesOf(pid, 'VmHWM')

const POLL = 20

/**
 * Runs a command. Returns the seconds of CPU of the command and of all processes that it starts, the seconds of wall
 * time, and the peak memory of one process in megabytes. Reads the processes every 20 ms, because the system does not
 * add the CPU time of orphaned processes to another process.
 */
export async function runTree(command, args, options) {
  const began = performance.now()
  const child = start(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const own = new Set([String(child.pid)])
  const spent = new Map()
  let peak = 0
  const look = () => {
    for (const pid of readdirSync('/proc'))
      try {
        if (!/^\d/.test(pid) || (!own.has(pid) && !own.has(statOf(pid)[1]))) continue
        own.add(pid)
        spent.set(pid, cpuOf(pid))
        peak = Math.max(peak, peakOf(pid))
      } catch {
        // The process has ended.
      }
  }
  look()
  const polling = setInterval(look, POLL)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      output = `${output}${piece}`.slice(-4000)
    })
  const [code] = await once(child, 'close')
  clearInterval(polling)
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}: ${output.trim()}`)
  return {
    cpu: [...spent.values()].reduce((sum, one) => sum + one, 0) / 1000,
    wall: (performance.now() - began) / 1000,
    peak,
  }
}
