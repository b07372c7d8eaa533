/** A program that answers a line for each line. */
import { spawn } from 'node:child_process'

const LIMIT = 180_000

/** Starts `command --pipe` with a module. */
export function pipeOf(command, wasm) {
  const child = spawn(command[0], [...command.slice(1), '--pipe'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, CUADRA_WASM: wasm },
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-1000)
  })
  // A failed write to a program that ended is reported by its exit.
  child.stdin.on('error', () => {})

  let waiting
  let over
  let parts = []
  const end = new Promise((done) => child.once('close', done))
  const fail = (reason) => {
    over = new Error(`${reason} ${complaint.trim()}`.trim())
    waiting?.failed(over)
  }
  child.once('error', (error) => fail(error.message))
  child.once('close', (code, signal) => fail(`it ended (${signal ?? code})`))
  child.stdout.on('data', (bytes) => {
    const at = bytes.indexOf(10)
    if (at < 0) return parts.push(bytes)
    const line = Buffer.concat([...parts, bytes.subarray(0, at)]).toString('utf8')
    parts = at + 1 < bytes.length ? [bytes.subarray(at + 1)] : []
    // Nothing was asked yet, or more was answered than asked.
    if (!waiting || parts.length > 0) return fail(`it printed a line too much: ${line.slice(0, 200)}`)
    const { done } = waiting
    waiting = undefined
    done(line)
  })
  return {
    /** The answer to a request of one line. */
    answer(request) {
      if (over) return Promise.reject(over)
      let timer
      const answered = new Promise((done, failed) => {
        waiting = { done, failed }
        timer = setTimeout(() => failed(new Error(`no answer after ${LIMIT / 1000} s`)), LIMIT)
        child.stdin.write(Buffer.concat([Buffer.from(request), Buffer.from('\n')]))
      })
      return answered.finally(() => clearTimeout(timer))
    },
    /** Ends its input, as a host at its end does. Whether it ended well. */
    async stop() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      const code = await end
      clearTimeout(timer)
      return code === 0
    },
  }
}
