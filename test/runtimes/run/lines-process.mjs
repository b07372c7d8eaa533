/** A child process that answers lists of requests, a JSON line each (`inside/lines.mjs`). */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ROOT } from './missing.mjs'

const PROGRAM = fileURLToPath(new URL('../inside/lines.mjs', import.meta.url))

/** Starts `program args inside/lines.mjs engine`. */
export async function linesProcess(program, args, engine, env = {}) {
  const child = spawn(program, [...args, PROGRAM, engine], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const end = new Promise((done) => child.once('close', done))
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  // A failed write to a program that ended is reported by its exit.
  child.stdin.on('error', () => {})

  /** Those who wait for a line, in order. */
  const waiting = []
  let open = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (open + text).split('\n')
    open = lines.pop()
    for (const line of lines) waiting.shift()?.done(line)
  })
  let over
  const fail = (reason) => {
    over = new Error(`${reason} ${complaint.trim()}`.trim())
    for (const { failed } of waiting.splice(0)) failed(over)
  }
  child.once('error', (error) => fail(error.message))
  child.once('close', (code, signal) => fail(`it ended (${signal ?? code})`))
  const line = () =>
    new Promise((done, failed) => {
      if (over) failed(over)
      else waiting.push({ done, failed })
    })

  const version = JSON.parse(await line())
  return {
    version,
    async answers(requests) {
      child.stdin.write(`${JSON.stringify(requests)}\n`)
      return JSON.parse(await line())
    },
    async stop() {
      child.kill('SIGKILL')
      await end
    },
  }
}
