/** Requests to a server in this process, over connections in memory. */
import { request, type Server } from 'node:http'
import { Duplex } from 'node:stream'
import { context, type Owner, time } from './virtual.ts'

/** One end of a connection. What is written to it is read at the other end, by its owner. */
class End extends Duplex {
  other!: End
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 40_000
  readonly #owner: Owner | undefined

  constructor(owner: Owner | undefined) {
    super()
    this.#owner = owner
  }

  #arrive(chunk: Buffer | null): void {
    time.activity++
    if (this.destroyed) return
    if (this.#owner) context.run(this.#owner, () => this.push(chunk))
    else context.exit(() => this.push(chunk))
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.other.#arrive(chunk)
    done()
  }

  override _final(done: () => void): void {
    this.other.#arrive(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    time.activity++
    const { other } = this
    if (!other.destroyed)
      queueMicrotask(() => other.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })))
    done(error)
  }

  setTimeout(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** The open connections of a server, to cut them when its process is killed. */
export class Connections {
  readonly #open = new Set<End>()
  readonly #server: Server
  readonly #owner: Owner

  constructor(server: Server, owner: Owner) {
    this.#server = server
    this.#owner = owner
  }

  /** Sends a request. Rejects if the connection ends before the response. */
  send({ method, path, headers, body }: Sent): Promise<Received> {
    const [client, served] = [new End(undefined), new End(this.#owner)]
    client.other = served
    served.other = client
    this.#open.add(served)
    served.once('close', () => this.#open.delete(served))
    for (const end of [client, served]) end.on('error', () => {})
    context.run(this.#owner, () => this.#server.emit('connection', served))
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method,
        path,
        headers: {
          ...headers,
          Connection: 'close',
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        },
        createConnection: () => client,
      })
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        const pieces: Buffer[] = []
        incoming.on('data', (piece: Buffer) => pieces.push(piece))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(pieces),
          }),
        )
      })
      outgoing.end(body)
    })
  }

  cut(): void {
    for (const end of this.#open) end.destroy()
  }
}
