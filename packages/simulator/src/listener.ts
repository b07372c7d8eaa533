/**
 * The port of the SOAP service. Accepts TCP connections and passes them to a TLS server with a valid certificate. If a
 * fault requires this, the server has an invalid certificate, or the connection is closed.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import type { FaultName } from './fault-kinds.ts'
import type { Identities, Identity } from './pki.ts'
import type { Faults } from './simulated-faults.ts'

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

interface ListenerSettings {
  readonly identities: Identities
  /** Issuers of accepted client certificates, as PEM. If undefined, all issuers are accepted. */
  readonly clientAuthorities: readonly string[] | undefined
  readonly faults: Faults
  readonly handle: Handler
}

const IDLE_TIMEOUT_MS = 300_000

/** Milliseconds for a client on this machine to notice that its connection was closed. */
const CLOSE_GRACE_MS = 50

/** Faults for which the server presents another certificate. */
const CERTIFICATE_FAULTS: Readonly<Partial<Record<FaultName, keyof Identities>>> = {
  expired_certificate: 'expired',
  unknown_authority: 'unknown',
  wrong_host: 'wrongHost',
}

export class Listener {
  readonly #faults: Faults
  readonly #servers: Readonly<Record<keyof Identities, SecureServer>>
  readonly #sockets = new Set<Socket>()
  /** Connections with a request in progress. */
  readonly #busy = new Set<Socket>()
  #server: Server | null = null
  #host = ''
  #port = 0
  #reopenTimer: NodeJS.Timeout | undefined

  constructor({ identities, clientAuthorities, faults, handle }: ListenerSettings) {
    this.#faults = faults
    const secure = ({ key, cert }: Identity): SecureServer => {
      const server = createSecureServer(
        {
          key,
          cert,
          minVersion: 'TLSv1.2',
          requestCert: true,
          // The TLS layer accepts all clients. The service itself rejects a client, with an HTML page.
          rejectUnauthorized: false,
          joinDuplicateHeaders: true,
          ...(clientAuthorities ? { ca: [...clientAuthorities] } : {}),
        },
        (incoming, outgoing) => {
          this.#busy.add(incoming.socket)
          outgoing.once('close', () => {
            this.#busy.delete(incoming.socket)
            // Closes the connection if a connection fault was injected during the request.
            if (this.#faults.has('connection')) incoming.socket.destroy()
          })
          // A request must have one Host header (RFC 9112, section 3.2). Several are joined with commas.
          if (incoming.headers.host?.includes(',')) outgoing.writeHead(400).end()
          else handle(incoming, outgoing)
        },
      )
      // By default, Node drops headers after the 1,000th. Here only their total size is limited.
      server.maxHeadersCount = 0
      server.prependListener('secureConnection', (socket: TLSSocket) => {
        this.#track(socket)
        // Closes connections without a certificate, as the authority does.
        if (!socket.getPeerCertificate().raw) socket.destroy()
      })
      server.on('tlsClientError', (_, socket) => socket.destroy())
      return server
    }
    this.#servers = {
      good: secure(identities.good),
      expired: secure(identities.expired),
      wrongHost: secure(identities.wrongHost),
      unknown: secure(identities.unknown),
    }
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #take(socket: Socket): void {
    this.#track(socket)
    const kind = this.#faults.take('connection')?.kind
    if (kind === 'reset') socket.resetAndDestroy()
    else if (kind === 'tls_closed') socket.once('data', () => socket.destroy())
    else this.#servers[(kind && CERTIFICATE_FAULTS[kind]) ?? 'good'].emit('connection', socket)
  }

  async #open(): Promise<void> {
    const server = createServer((socket) => this.#take(socket))
    server.listen(this.#port, this.#host)
    await once(server, 'listening')
    this.#server = server
    const address = server.address()
    if (typeof address === 'object' && address) this.#port = address.port
  }

  #shut(): void {
    this.#server?.close()
    this.#server = null
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Starts listening. Returns the port. */
  async listen(port: number, host: string): Promise<number> {
    this.#port = port
    this.#host = host
    await this.#open()
    return this.#port
  }

  /** Applies the active connection faults. Calls `clear` when the time of the fault `down` has passed. */
  async applyConnectionFaults(clear: (id: number) => void): Promise<void> {
    clearTimeout(this.#reopenTimer)
    const down = this.#faults.find('down')
    if (down) {
      const { seconds } = down.fault
      if (seconds !== undefined) this.#reopenTimer = setTimeout(() => clear(down.id), seconds * 1000).unref()
      const hadAny = this.#sockets.size > 0
      this.#shut()
      if (hadAny) await sleep(CLOSE_GRACE_MS)
      return
    }
    if (this.#server === null) await this.#open()
    if (this.#faults.has('connection')) await this.#closeIdle()
  }

  /**
   * Closes idle connections, because a connection fault does not affect connections that are kept open. Closing the TLS
   * connection also closes the TCP connection.
   */
  async #closeIdle(): Promise<void> {
    const open = [...this.#sockets].filter((socket) => 'encrypted' in socket)
    for (const socket of open) if (!this.#busy.has(socket)) socket.destroy()
    if (open.length > 0) await sleep(CLOSE_GRACE_MS)
  }

  close(): void {
    clearTimeout(this.#reopenTimer)
    this.#shut()
  }
}
