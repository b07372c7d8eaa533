/** Runs the steps of a command in sequence or in parallel, each reported by name. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** The steps that failed so far, with their ending and output. Of a live step, the output has only the last errors. */
export const failures = []

/** Maximum number of characters kept of the errors of a live step. */
const KEPT = 4000

/**
 * Runs a command and returns whether it succeeded. Its output is printed at the end, or immediately with `live`.
 * `background` runs it with low priority.
 */
export function run(name, [command, ...args], { live = false, background = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const start = Date.now()
    const child = spawn(command, args, {
      stdio: ['inherit', live ? 'inherit' : 'pipe', live && process.stderr.isTTY ? 'inherit' : 'pipe'],
      env: { ...process.env, ...env },
    })
    if (background) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    if (live) console.log(`\n== ${name}`)
    let output = ''
    child.stdout?.on('data', (piece) => {
      output += piece
    })
    child.stderr?.on('data', (piece) => {
      if (live) process.stderr.write(piece)
      output = live ? (output + piece).slice(-KEPT) : output + piece
    })
    child.once('error', (error) => {
      output += `${error.message}\n`
    })
    child.once('close', (status, signal) => {
      if (!live) process.stdout.write(`\n== ${name}\n${output}`)
      const seconds = Math.round((Date.now() - start) / 1000)
      const ending = signal ? `ended by ${signal}` : `exit ${status}`
      if (status !== 0) failures.push({ name, ending, output, live })
      console.log(`== ${name}: ${status === 0 ? 'passed' : `FAILED (${ending})`} in ${seconds} s`)
      resolve(status === 0)
    })
  })
}

/** Runs all steps in sequence, and returns whether every one succeeded. */
export async function inTurn(steps, options) {
  let passed = true
  for (const [name, command] of steps) passed = (await run(name, command, options)) && passed
  return passed
}
