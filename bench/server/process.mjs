/** Starts processes to measure, reads their addresses, and measures them from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const TICKS = 100

/**
 * Starts a Node program and waits for its output `ready`, which has its address, and for the `rest` of what it prints
 * then. Returns `{ url, output, pid, stop }`.
 */
export async function startProcess(program, env, ready, args = [], rest = 100) {
  const child = spawn(process.execPath, [program, ...args], {
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

/** Returns the milliseconds of CPU that a process has used. */
export const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** Returns the memory of a process in megabytes. */
export const memoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
