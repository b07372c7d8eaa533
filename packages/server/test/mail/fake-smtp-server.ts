/** A mail server for tests: it keeps the mails that it accepts, and runs a script at each point of a session. */

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { portOf } from '#test/narrow.ts'

/** Points of a session, in order. At `accepted` the message is stored, and its sender has no reply yet. */
export const POINTS = ['connect', 'mail', 'rcpt', 'data', 'middle', 'end', 'accepted'] as const
export type Point = (typeof POINTS)[number]

export interface Arrived {
  readonly raw: Buffer
  readonly mail: ParsedMail
  readonly recipients: readonly string[]
}

/** Rejects with an error, waits, or passes. `about` has the addresses known at this point. */
export type Script = (point: Point, about: readonly string[]) => Promise<void> | void

export interface FakeSmtpServer {
  readonly port: number
  readonly url: string
  readonly arrived: Arrived[]
  /** Destroys every connection. */
  readonly breakOff: () => void
  readonly close: () => Promise<void>
}

export const refusal = (code: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode: code })

const addressesOf = ({ envelope }: SMTPServerSession): string[] =>
  envelope.rcptTo.map(({ address }) => address)

export const toOf = ({ to }: ParsedMail): string[] =>
  [to ?? []].flat().flatMap(({ value }: AddressObject) => value.map(({ address = '' }) => address))

export async function startFakeSmtpServer(
  script: Script = () => {},
  options: SMTPServerOptions = {},
): Promise<FakeSmtpServer> {
  const arrived: Arrived[] = []
  const run = async (point: Point, about: readonly string[], done: (error?: Error | null) => void) =>
    (async () => script(point, about))().then(() => done(), done)
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 10,
    logger: false,
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _, done) => done(null, { user: username }),
    onConnect: (_, done) => void run('connect', [], done),
    onMailFrom: ({ address }, _, done) => void run('mail', [address], done),
    onRcptTo: ({ address }, _, done) => void run('rcpt', [address], done),
    async onData(stream, session, done) {
      const recipients = addressesOf(session)
      const pieces: Buffer[] = []
      try {
        await script('data', recipients)
        for await (const piece of stream) {
          if (pieces.length === 0) await script('middle', recipients)
          pieces.push(piece)
        }
        await script('end', recipients)
        const raw = Buffer.concat(pieces)
        arrived.push({ raw, mail: await simpleParser(raw), recipients })
        await script('accepted', recipients)
        done()
      } catch (error) {
        stream.resume()
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
    ...options,
  })
  server.on('error', () => {})
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const port = portOf(server.server)
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    breakOff: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
