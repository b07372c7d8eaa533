/** A session with a mail server, line by line: its start, its end, and the meaning of replies. */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { portOf } from '#test/narrow.ts'
import type { Failure, MailError } from '../../src/mail/failure.ts'
import { smtpDelivery } from '../../src/mail/smtp.ts'
import { mailNotSentError } from '../../src/service/mail/failures.ts'

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250 there',
  MAIL: '250 sender',
  RCPT: '250 recipient',
  DATA: '354 go on',
  '.': '250 kept',
  QUIT: '221 bye',
}

/** Runs a session with a server that overrides some replies. Returns the commands it received, and the result. */
async function session(replies: Readonly<Record<string, string>> = {}, name?: string) {
  const commands: string[] = []
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const server = createServer((socket: Socket) => {
    let [isData, rest] = [false, '']
    socket.on('error', () => {})
    socket.once('close', ended)
    socket.on('data', (piece) => {
      const lines = (rest + piece.toString()).split('\r\n')
      rest = required(lines.pop())
      for (const line of lines) {
        if (isData && line !== '.') continue
        const command = line.slice(0, line === '.' ? 1 : 4)
        commands.push(line)
        const reply = replies[command] ?? REPLIES[command] ?? '502 unknown'
        isData = command === 'DATA' && reply.startsWith('354')
        socket.write(`${reply}\r\n`)
        if (command === 'QUIT') socket.end()
      }
    })
    socket.write('220 hello\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const deliver = smtpDelivery(`smtp://127.0.0.1:${port}`, 10, name)
  const message = {
    mailId: 'one',
    from: 'a@empresa.example',
    to: ['b@cliente.example'],
    content: Buffer.from('Subject: x\r\n\r\nx\r\n'),
  }
  const result = await deliver(message, async () => {}).then(
    (sent) => sent,
    ({ failure }: MailError) => failure,
  )
  await end
  server.close()
  return { commands, result }
}

it('the client greets with the configured name and ends with QUIT', async () => {
  const { commands, result } = await session({}, 'facturas.empresa.example')
  expect(result).toEqual({ accepted: ['b@cliente.example'], refused: [] })
  expect(commands[0]).toBe('EHLO facturas.empresa.example')
  expect(commands.slice(-2)).toEqual(['.', 'QUIT'])
})

it.each([
  ['MAIL', '550 no', { reason: 'sender_refused', permanent: true, uncertain: false, smtp_code: 550 }],
  ['RCPT', '450 no', { reason: 'recipients_refused', permanent: false, uncertain: false, smtp_code: 450 }],
  ['DATA', '554 no', { reason: 'message_refused', permanent: true, uncertain: false, smtp_code: 554 }],
  ['.', '552 no', { reason: 'message_too_large', permanent: true, uncertain: false, smtp_code: 552 }],
  ['RCPT', '552 full', { reason: 'recipients_refused', permanent: true, uncertain: false, smtp_code: 552 }],
  [
    '.',
    '552 5.2.2 full',
    { reason: 'recipients_refused', permanent: true, uncertain: false, smtp_code: 552 },
  ],
  ['.', 'no', { reason: 'server_refused', permanent: false, uncertain: true, smtp_response: 'no' }],
  ['RCPT', 'no', { reason: 'server_refused', permanent: false, uncertain: false, smtp_response: 'no' }],
] as const)(
  'after %s, the reply "%s" gives the expected failure, and the session ends with QUIT',
  async (at, reply, failure) => {
    const { commands, result } = await session({ [at]: reply })
    expect(result).toMatchObject(failure)
    expect(commands.at(-1)).toBe('QUIT')
  },
)

it('a reply that cannot be read is not called a lost connection', async () => {
  const { result } = await session({ '.': 'no' })
  expect(mailNotSentError(result as Failure).extra.hint).toMatchObject({
    en: expect.stringContaining(
      'its reply cannot be read (see smtp_response): the customer may have the e-mail',
    ),
  })
})
