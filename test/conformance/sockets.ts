/** HTTP as raw bytes, for requests that `fetch` cannot express or would correct. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The code of a refusal. */
  readonly code: string | undefined
}

export interface RawResponses {
  readonly answers: readonly RawAnswer[]
  readonly closed: boolean
  readonly error: string | undefined
}

/** Parses the responses on one connection, each of which has a length. */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const status = Number(first.split(' ')[1])
    const length = status === 100 ? 0 : Number(headers['content-length'] ?? 0)
    if (rest.length < end + 4 + length) return answers
    const text = rest.subarray(end + 4, end + 4 + length).toString()
    rest = rest.subarray(end + 4 + length)
    if (status === 100) continue
    let code: string | undefined
    try {
      const { detail } = JSON.parse(text)
      if (detail.request_id === headers['x-request-id'] && detail.message !== '') code = detail.code
    } catch {
      code = undefined
    }
    answers.push({ status, headers, text, code })
  }
}

export interface RawOptions {
  /** The number of responses to wait for; the end of the connection also ends the wait. */
  readonly answers?: number
  /** Closes its side after the last byte. */
  readonly half?: boolean
  readonly patience?: number
  /** Waits until the server closes the connection. */
  readonly untilClosed?: boolean
}

/** Sends bytes as they are; a text is Latin-1. A function goes on writing until the connection closes. */
export function raw(
  url: string,
  bytes: string | Buffer | ((write: (chunk: string | Buffer) => void) => () => void),
  { answers = 1, half = false, patience = 5000, untilClosed = false }: RawOptions = {},
): Promise<RawResponses> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = Buffer.alloc(0)
    let error: string | undefined
    let stop = () => {}
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      stop()
      socket.destroy()
      resolve({ answers: answersIn(received), closed, error })
    }
    const timer = setTimeout(() => finish(false), patience)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (!untilClosed && answersIn(received).length >= answers) finish(false)
    })
    socket.on('error', (problem: NodeJS.ErrnoException) => {
      error = problem.code
    })
    socket.on('close', () => finish(true))
    if (typeof bytes === 'function') stop = bytes((chunk) => void socket.write(chunk))
    else {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
      if (half) socket.end()
    }
  })
}

/** Writes a whole body before reading, as many clients do. */
export function writeThenRead(
  url: string,
  head: string,
  chunk: Buffer,
  times: number,
): Promise<RawResponses> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = Buffer.alloc(0)
    let error: string | undefined
    let left = times
    const finish = (closed: boolean) => {
      socket.destroy()
      resolve({ answers: answersIn(received), closed, error })
    }
    socket.on('error', (problem: NodeJS.ErrnoException) => {
      error = problem.code
    })
    socket.on('close', () => finish(true))
    socket.pause()
    socket.write(head)
    const go = () => {
      while (left-- > 0)
        if (!socket.write(chunk)) {
          socket.once('drain', go)
          return
        }
      socket.on('data', (read) => {
        received = Buffer.concat([received, read])
        if (answersIn(received).length > 0) finish(false)
      })
      socket.resume()
    }
    go()
  })
}
