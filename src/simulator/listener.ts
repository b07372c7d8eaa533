/**
 * The port of the service: TCP connections are taken here, and handed to a TLS server that shows the right certificate
 * or, while a fault says so, a bad one, or to none at all.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import type { FaultName } from './fault-kinds.ts'
import type { Faults } from './faults.ts'
import type { Identities, Identity } from './pki.ts'

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

interface Wish {
  readonly identities: Identities
  /** Certificates of issuers whose clients are taken; undefined: those of anybody. */
  readonly clientAuthorities: readonly string[] | undefined
  readonly faults: Faults
  readonly handle: Handler
}

/** Milliseconds after which a connection on which nothing moves is closed. */
const STALLED = 300_000

/** Milliseconds in which a client of this machine notices that its connection is gone. */
const NOTICED = 50

/** Faults that show another certificate. */
const SHOWN: Readonly<Partial<Record<FaultName, keyof Identities>>> = {
  expired_certificate: 'expired',
  unknown_authority: 'unknown',
  wrong_host: 'misnamed',
}

export class Listener {
  readonly #faults: Faults
  readonly #servers: Readonly<Record<keyof Identities, SecureServer>>
  readonly #sockets = new Set<Socket>()
  /** Connections with a request that is being answered. */
  readonly #busy = new Set<Socket>()
  #front: Server | null = null
  #host = ''
  #port = 0
  #reopening: NodeJS.Timeout | undefined

  constructor({ identities, clientAuthorities, faults, handle }: Wish) {
    this.#faults = faults
    const secure = ({ key, cert }: Identity): SecureServer => {
      const server = createSecureServer(
        {
          key,
          cert,
          minVersion: 'TLSv1.2',
          requestCert: true,
          // Who may not come in is told so, where there is somebody to tell.
          rejectUnauthorized: false,
          ...(clientAuthorities ? { ca: [...clientAuthorities] } : {}),
        },
        (incoming, outgoing) => {
          this.#busy.add(incoming.socket)
          outgoing.once('close', () => {
            this.#busy.delete(incoming.socket)
            // It was still answering when a fault of the connection was set.
            if (this.#faults.has('connection')) incoming.socket.destroy()
          })
          handle(incoming, outgoing)
        },
      )
      server.prependListener('secureConnection', (socket: TLSSocket) => {
        this.#track(socket)
        // As the authority does: without a certificate there is no conversation.
        if (!socket.getPeerCertificate().raw) socket.destroy()
      })
      server.on('tlsClientError', (_, socket) => socket.destroy())
      return server
    }
    this.#servers = {
      good: secure(identities.good),
      expired: secure(identities.expired),
      misnamed: secure(identities.misnamed),
      unknown: secure(identities.unknown),
    }
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setTimeout(STALLED, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #take(socket: Socket): void {
    this.#track(socket)
    const kind = this.#faults.take('connection')?.kind
    if (kind === 'reset') socket.resetAndDestroy()
    else if (kind === 'tls_closed') socket.once('data', () => socket.destroy())
    else this.#servers[(kind && SHOWN[kind]) ?? 'good'].emit('connection', socket)
  }

  async #open(): Promise<void> {
    const front = createServer((socket) => this.#take(socket))
    front.listen(this.#port, this.#host)
    await once(front, 'listening')
    this.#front = front
    const address = front.address()
    if (typeof address === 'object' && address) this.#port = address.port
  }

  #shut(): void {
    this.#front?.close()
    this.#front = null
    for (const socket of this.#sockets) socket.destroy()
  }

  /** The port that it listens on. */
  async listen(port: number, host: string): Promise<number> {
    this.#port = port
    this.#host = host
    await this.#open()
    return this.#port
  }

  /** Does what the faults of the connection ask for. `clear` takes a fault away that is over by itself. */
  async follow(clear: (id: number) => void): Promise<void> {
    clearTimeout(this.#reopening)
    const down = this.#faults.find('down')
    if (down) {
      const { seconds } = down.fault
      if (seconds !== undefined) this.#reopening = setTimeout(() => clear(down.id), seconds * 1000).unref()
      const hadAny = this.#sockets.size > 0
      this.#shut()
      if (hadAny) await sleep(NOTICED)
      return
    }
    if (this.#front === null) await this.#open()
    if (this.#faults.has('connection')) await this.#closeIdle()
  }

  /** Connections that are kept would not notice what becomes of new ones. What lies below TLS goes with it. */
  async #closeIdle(): Promise<void> {
    const open = [...this.#sockets].filter((socket) => 'encrypted' in socket)
    for (const socket of open) if (!this.#busy.has(socket)) socket.destroy()
    if (open.length > 0) await sleep(NOTICED)
  }

  close(): void {
    clearTimeout(this.#reopening)
    this.#shut()
  }
}
