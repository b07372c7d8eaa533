/** Tests of every outcome of a message to the tax authority, against a server that misbehaves in every way. */

import { createServer as createTcp } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readResponse as readSiiResponse } from '#records/sii/index.ts'
import { readFaultResponse, readRecordsResponse, readResponse } from '#records/verifactu/index.ts'
import { portOf } from '#test/narrow.ts'
import type { Pkcs12 } from '../src/pkcs12.ts'
import {
  type AuthorityClientOptions,
  createAuthorityClient,
  type Message,
  type Outcome,
  PROBLEMS,
} from '../src/wire/index.ts'
import {
  type Behaviour,
  certificateOf,
  type FakeAuthority,
  fakeAuthority,
  faultXml,
  responseXml,
  siiXml,
  soap,
  storedXml,
} from './fake-authority.ts'

const SUBMISSION = { service: 'verifactu', operation: 'submission', xml: '<a>Ñ & co</a>' } as const
const QUERY = { service: 'verifactu', operation: 'query', xml: '<a/>' } as const
const SII = { service: 'sii', book: 'issued', operation: 'submission', xml: '<a/>' } as const

let fake: FakeAuthority
let certificate: Pkcs12
const opened: { close: () => void }[] = []

beforeAll(async () => {
  fake = await fakeAuthority()
  certificate = await certificateOf()
})
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(() => fake.close())

function authority(options: Partial<AuthorityClientOptions> = {}) {
  const made = createAuthorityClient({
    environment: 'simulator',
    addresses: { verifactu: fake.origin, sii: fake.origin },
    authorities: [fake.ca],
    ...options,
  })
  opened.push(made)
  return made
}

const kept = new Map<string, ReturnType<typeof authority>>()
afterAll(() => {
  for (const one of kept.values()) one.close()
})

/** Returns a client shared by all tests with the same options. */
function shared(options: Partial<AuthorityClientOptions>) {
  const name = JSON.stringify(options)
  const found = kept.get(name) ?? authority(options)
  opened.splice(opened.indexOf(found) >>> 0, 1)
  kept.set(name, found)
  return found
}

/** Sends a message to a server with this behaviour. */
function send(
  behave: Behaviour,
  message: Message = SUBMISSION,
  options: Partial<AuthorityClientOptions> = {},
) {
  fake.behave = behave
  return shared(options).send(message, certificate)
}

const answering =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (answer) =>
    answer.writeHead(status, { 'Content-Type': 'text/xml; charset=utf-8', ...headers }).end(body)

const codeOf = (outcome: Outcome): string =>
  outcome.kind === 'answered' ? 'answered' : `${outcome.kind} ${outcome.problem.code}`

/** Returns what the engine reads in a response of VeriFactu. */
function responseIn(outcome: Outcome) {
  if (outcome.kind !== 'answered') throw new Error(codeOf(outcome))
  if (outcome.document?.root !== 'RespuestaRegFactuSistemaFacturacion') throw new Error('unexpected response')
  return readResponse(outcome.document.value)
}

describe('a message', () => {
  it('goes to the address of its service in a SOAP envelope, with the certificate of the company', async () => {
    fake.received.length = 0
    await send(answering(responseXml()))
    await send(answering(responseXml()), { ...SUBMISSION, operation: 'requirement' })
    await send(answering(siiXml()), SII)
    expect(fake.received.map(({ path }) => path)).toEqual([
      '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP',
      '/wlpl/TIKE-CONT/ws/SistemaFacturacion/RequerimientoSOAP',
      '/wlpl/SSII-FACT/ws/fe/SiiFactFEV1SOAP',
    ])
    const [first] = fake.received
    expect(first?.client).toBe('Papelería Nube, S.L.')
    expect(first?.headers).toMatchObject({ 'content-type': 'text/xml; charset=utf-8', soapaction: '""' })
    expect(first?.body).toMatch(/<soapenv:Body><a>Ñ & co<\/a><\/soapenv:Body><\/soapenv:Envelope>$/)
  })

  it('that has an envelope is sent unchanged', async () => {
    fake.received.length = 0
    const xml = soap('<a>\n &amp;</a>')
    await send(answering(responseXml()), { ...SUBMISSION, xml })
    expect(fake.received[0]?.body).toBe(xml)
  })

  it('reuses the connection of its own certificate, never that of another', async () => {
    fake.behave = answering(responseXml())
    const one = authority()
    const before = fake.connections()
    await one.send(SUBMISSION, certificate)
    await one.send(SUBMISSION, certificate)
    expect(fake.connections() - before).toBe(1)
    fake.received.length = 0
    await one.send(SUBMISSION, await certificateOf({ name: 'Otra' }))
    expect(fake.connections() - before).toBe(2)
    expect(fake.received[0]?.client).toBe('Otra')
  })
})

describe('a response', () => {
  it('to records is returned parsed and as text', async () => {
    const xml = responseXml(['Correcto', 'AceptadoConErrores', 'Incorrecto'], 'ParcialmenteCorrecto')
    const outcome = await send(answering(xml, 200, { Date: 'Thu, 05 Mar 2026 10:00:00 GMT' }))
    const answer = responseIn(outcome)
    expect(answer).toMatchObject({ state: 'partially_accepted', wait_seconds: 90 })
    expect(answer.lines.map(({ num_serie, state }) => [num_serie, state])).toEqual([
      ['Ñ-1', 'accepted'],
      ['Ñ-2', 'accepted_with_errors'],
      ['Ñ-3', 'rejected'],
    ])
    expect(outcome.exchange).toMatchObject({ status: 200, date: Date.UTC(2026, 2, 5, 10) })
    expect(outcome.exchange.received).toContain('A-ABCDEFGH12345678')
  })

  it('to a query states what is stored', async () => {
    const outcome = await send(answering(storedXml('Anulado')), QUERY)
    if (outcome.kind !== 'answered') throw new Error(codeOf(outcome))
    if (outcome.document?.root !== 'RespuestaConsultaFactuSistemaFacturacion') throw new Error('another one')
    const answer = readRecordsResponse(outcome.document.value)
    expect(answer.lines).toMatchObject([{ num_serie: 'Ñ-1', state: 'cancelled', huella: 'F'.repeat(64) }])
    expect(answer).toMatchObject({ month: '2026-03', page_after: null })
  })

  it('of the SII is read by the engine', async () => {
    const outcome = await send(answering(siiXml()), SII)
    if (outcome.kind !== 'answered') throw new Error(codeOf(outcome))
    const response = { global_status: 'accepted', csv: 'CSV1' }
    expect(readSiiResponse(outcome.text)).toMatchObject({ ok: true, response })
  })

  const bom = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(responseXml())])
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const undeclared = responseXml().replace(/^<\?xml[^>]*\?>/, '')
  it.each<[string, Buffer, Record<string, string>]>([
    ['with a byte order mark', bom, {}],
    ['in declared Latin-1', latin(responseXml().replace('UTF-8', 'ISO-8859-1')), {}],
    [
      'in Latin-1 that only HTTP names',
      latin(undeclared),
      { 'Content-Type': 'text/xml; charset=ISO-8859-1' },
    ],
    [
      'in UTF-8 that HTTP calls Latin-1',
      Buffer.from(responseXml()),
      { 'Content-Type': 'text/xml; charset=ISO-8859-1' },
    ],
    ['in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(undeclared, 'utf16le')]), {}],
    ['compressed without a request for it', gzipSync(responseXml()), { 'Content-Encoding': 'gzip' }],
    ['without a type', Buffer.from(responseXml()), { 'Content-Type': '' }],
  ])('%s is read', async (_, body, headers) => {
    const outcome = await send(answering(body, 200, headers))
    expect(responseIn(outcome).lines[0]?.num_serie).toBe('Ñ-1')
  })
})

describe('a fault', () => {
  const CLIENT = faultXml('Client', 'Codigo[4102].El XML no cumple el esquema.')
  it.each<[string, string, Message, string]>([
    ['is a response', CLIENT, SUBMISSION, 'answered'],
    [
      'of the service is a response, too',
      faultXml('Server', 'Codigo[20009].Error interno'),
      SUBMISSION,
      'answered',
    ],
    ['of the SII is read in the same way', CLIENT, SII, 'answered'],
    [
      'about the owner of the certificate is about the certificate',
      faultXml(
        'Client',
        'Codigo[4112].El titular del certificado debe ser Obligado Emisión, Colaborador Social, Apoderado o Sucesor.',
      ),
      SUBMISSION,
      'refused certificate_not_entitled',
    ],
    [
      'about the owner of the certificate is so in the SII too',
      faultXml('Client', 'Codigo[4114].El titular del certificado'),
      SII,
      'refused certificate_not_entitled',
    ],
  ])('%s', async (_, xml, message, expected) => {
    for (const status of [200, 500])
      expect(codeOf(await send(answering(xml, status), message))).toBe(expected)
  })

  it('returns the full text of the authority', async () => {
    const outcome = await send(answering(CLIENT, 500))
    if (outcome.kind !== 'answered') throw new Error(codeOf(outcome))
    if (outcome.document?.root !== 'Fault') throw new Error('not a fault')
    const { fault } = readFaultResponse(outcome.document.value)
    expect(fault).toMatchObject({ code: 4102, text: 'El XML no cumple el esquema.', resend: false })
    expect(outcome.text).toContain('Codigo[4102].El XML no cumple el esquema.')
  })
})

describe('a certificate', () => {
  it('rejected by the server is refused, whatever page the server returns', async () => {
    for (const status of [401, 403]) {
      const outcome = await send(answering('<html>Error 403</html>', status, { 'Content-Type': 'text/html' }))
      expect(codeOf(outcome)).toBe('refused certificate_refused')
    }
  })

  it('that is not currently valid is not sent to any server', async () => {
    fake.received.length = 0
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    const expired = await certificateOf({ until: days(-1) })
    const early = await certificateOf({ from: days(1) })
    expect(codeOf(await authority().send(SUBMISSION, expired))).toBe('refused certificate_expired')
    const outcome = await authority().send(SUBMISSION, early)
    expect(codeOf(outcome)).toBe('refused certificate_not_yet_valid')
    expect(fake.received).toEqual([])
  })

  it('with the key of another is refused before anything is sent', async () => {
    const other = await certificateOf()
    const mixed = { ...certificate, privateKeyPem: other.privateKeyPem }
    const outcome = await authority().send(SUBMISSION, mixed)
    expect(codeOf(outcome)).toBe('refused certificate_unusable')
  })
})

describe('nothing was sent', () => {
  it('if the installation has no address', async () => {
    const outcome = await authority({ addresses: {} }).send(SII, certificate)
    expect(codeOf(outcome)).toBe('unreachable no_address')
    if (outcome.kind === 'unreachable') expect(outcome.problem.message.es).toContain('CUADRA_AEAT_SII_URL')
  })

  it('if the server is not trusted, even if the environment disables the check', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      fake.received.length = 0
      const outcome = await authority({ authorities: [] }).send(SUBMISSION, certificate)
      expect(codeOf(outcome)).toBe('unreachable server_not_trusted')
      const other = await fakeAuthority('aeat.example')
      const wrong = await authority({ addresses: { verifactu: other.origin }, authorities: [other.ca] }).send(
        SUBMISSION,
        certificate,
      )
      expect(codeOf(wrong)).toBe('unreachable server_not_trusted')
      expect([...fake.received, ...other.received]).toEqual([])
      await other.close()
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  /** Starts a server without TLS with this behaviour for each connection. */
  async function withTcp<T>(
    onConnection: (socket: import('node:net').Socket) => void,
    work: (address: string) => Promise<T>,
  ) {
    const server = createTcp(onConnection)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const port = portOf(server)
    try {
      return await work(`https://127.0.0.1:${port}/`)
    } finally {
      server.close()
    }
  }

  it('if no server listens, the name is unknown, or the server has no TLS', async () => {
    const gone = await withTcp(
      () => {},
      async (address) => address,
    )
    const at = async (verifactu: string) =>
      codeOf(await authority({ addresses: { verifactu } }).send(SUBMISSION, certificate))
    expect(await at(gone)).toBe('unreachable not_reachable')
    expect(await at('https://aeat.invalid/')).toBe('unreachable name_not_found')
    const plain = await withTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), at)
    expect(plain).toBe('unreachable tls_failed')
    expect(await withTcp((socket) => socket.destroy(), at)).toMatch(
      /^unreachable (?:not_reachable|tls_failed)$/,
    )
  })

  it('if the connection takes too long, or the server is being stopped', async () => {
    const sockets: import('node:net').Socket[] = []
    await withTcp(
      (socket) => {
        sockets.push(socket.on('error', () => {}))
      },
      async (verifactu) => {
        const slow = authority({ addresses: { verifactu }, limits: { connectMs: 50 } })
        expect(codeOf(await slow.send(SUBMISSION, certificate))).toBe('unreachable connect_timeout')
        const stopped = authority({ addresses: { verifactu } })
        const signal = AbortSignal.timeout(50)
        expect(codeOf(await stopped.send(SUBMISSION, certificate, { signal }))).toBe(
          'unreachable stopped_before',
        )
      },
    )
    for (const one of sockets) one.destroy()
    fake.received.length = 0
    const outcome = await authority().send(SUBMISSION, certificate, { signal: AbortSignal.abort() })
    expect(codeOf(outcome)).toBe('unreachable stopped_before')
    expect(fake.received).toEqual([])
  })
})

describe('the outcome of a message is unknown', () => {
  const half = responseXml().slice(0, 400)
  const page = '<!DOCTYPE html>\n<html><head><title>Mantenimiento</title></head></html>'
  const html = { 'Content-Type': 'text/html; charset=utf-8' }
  const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'a'.repeat(50)}"><!ENTITY b "&a;&a;&a;">]>${responseXml()
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace('A-ABC', '&b;')}`
  const cut: Behaviour = (answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/xml', 'Content-Length': '5000' }).write(half)
    setTimeout(() => answer.destroy(), 20)
  }
  const endless: Behaviour = (answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/xml' })
    const piece = Buffer.alloc(65_536, 0x20)
    const more = (): void => {
      while (!answer.destroyed && answer.write(piece));
    }
    answer.on('drain', more)
    more()
  }
  const raw =
    (text: string): Behaviour =>
    (_, { socket }) =>
      socket.end(text)

  it.each<[string, Behaviour, string]>([
    ['if the connection is cut', (_, { socket }) => socket.destroy(), 'connection_lost'],
    ['if the response is cut', cut, 'response_cut_off'],
    ['if half a response ends normally', answering(half), 'response_unreadable'],
    ['if no response arrives', () => {}, 'response_timeout'],
    ['if the response never ends', endless, 'response_too_large'],
    [
      'if the response arrives too slowly',
      (answer) => void answer.writeHead(200).write('<'),
      'response_timeout',
    ],
    ['if the response is not HTTP', raw('220 smtp.example ESMTP\r\n'), 'connection_lost'],
    ['if the response is a web page', answering(page, 200, html), 'response_not_xml'],
    [
      'if the response is a well-formed web page',
      answering('<html xmlns="http://www.w3.org/1999/xhtml"/>', 200, html),
      'response_not_xml',
    ],
    ['if the response is an error page', answering(page, 502, html), 'http_status'],
    ['if the service is not available', answering(page, 503, html), 'service_unavailable'],
    ['if a response has an error status', answering(responseXml(), 500), 'http_status'],
    ['if the address is unknown', answering('', 404), 'http_status'],
    ['if the server redirects', answering('', 302, { Location: 'https://example.invalid/' }), 'redirected'],
    ['if the response is empty', answering(''), 'response_not_xml'],
    [
      'if the response is JSON',
      answering('{"ok":true}', 200, { 'Content-Type': 'application/json' }),
      'response_not_xml',
    ],
    ['if the response is unrelated XML', answering('<a/>'), 'response_unexpected'],
    ['if the response belongs to another message', answering(storedXml()), 'response_unexpected'],
    ['if the response is one of the SII', answering(siiXml()), 'response_unreadable'],
    ['if the state is unknown', answering(responseXml(['Correcto'], 'Recibido')), 'response_undecided'],
    [
      'if the state of a record is unknown',
      answering(responseXml(['Correcto', 'Pendiente'])),
      'response_undecided',
    ],
    [
      'if a line has no invoice',
      answering(responseXml().replace(/<r:IDFactura>.*<\/r:IDFactura>/, '<r:IDFactura/>')),
      'response_undecided',
    ],
    [
      'if a line is empty',
      answering(responseXml().replace(/<r:RespuestaLinea>.*<\/r:RespuestaLinea>/, '<r:RespuestaLinea/>')),
      'response_undecided',
    ],
    ['if entities would expand', answering(bomb), 'response_unreadable'],
    [
      'if elements are nested too deeply',
      answering(soap(`${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`)),
      'response_unreadable',
    ],
    ['if the bytes are not a text', answering(Buffer.from([0x3c, 0xff, 0xfe, 0x3e])), 'response_not_xml'],
    [
      'if the compression is false',
      answering('<a/>', 200, { 'Content-Encoding': 'gzip' }),
      'response_cut_off',
    ],
    [
      'if the compression is unknown',
      answering('<a/>', 200, { 'Content-Encoding': 'zstd' }),
      'response_not_xml',
    ],
    [
      'if the decompressed response is too large',
      answering(gzipSync(Buffer.alloc(20_000_000)), 200, { 'Content-Encoding': 'gzip' }),
      'response_too_large',
    ],
  ])('%s', async (_, behave, expected) => {
    const outcome = await send(behave, SUBMISSION, { limits: { responseMs: 300, maxBytes: 1_000_000 } })
    expect(codeOf(outcome)).toBe(`unknown ${expected}`)
    // A query changes nothing and can be repeated. What does not answer a submission may answer a query.
    if (expected === 'response_unexpected' || expected === 'response_undecided') return
    const asked = await send(behave, QUERY, { limits: { responseMs: 300, maxBytes: 1_000_000 } })
    expect(codeOf(asked)).toBe(`unknown ${expected}`)
  })

  it('and only the beginning of ten megabytes of nonsense is kept', async () => {
    const outcome = await send(answering(`<a>${'b'.repeat(10_000_000)}`), SUBMISSION)
    expect(codeOf(outcome)).toBe('unknown response_unexpected')
    expect(outcome.exchange.received).toHaveLength(2000)
  })

  it('if the server is stopped while it waits', async () => {
    const stop = new AbortController()
    fake.behave = () => stop.abort()
    const outcome = await authority().send(SUBMISSION, certificate, { signal: stop.signal })
    expect(codeOf(outcome)).toBe('unknown stopped_after')
  })

  it('and the time to wait is returned', async () => {
    const outcome = await send(answering(page, 503, { 'Retry-After': '120' }))
    expect(outcome.exchange.retry_after).toBe(120)
  })

  it('if the SII does not state what it has stored', async () => {
    for (const xml of [siiXml('Pendiente'), siiXml('Correcto', ''), soap('<RespuestaLRFacturasEmitidas/>')])
      expect(codeOf(await send(answering(xml), SII))).toMatch(/^unknown response_(?:undecided|unreadable)$/)
  })
})

describe('messages', () => {
  it('of every problem are in both languages, filled, and without secrets', async () => {
    const outcomes = [
      await send(answering('<html/>', 403)),
      await send(answering(faultXml('Client', 'Codigo[4112].No'))),
      await send((_, { socket }) => socket.destroy()),
      await authority({ authorities: [] }).send(SUBMISSION, certificate),
    ]
    for (const outcome of outcomes) {
      const text = JSON.stringify(outcome)
      expect(text).not.toMatch(/PRIVATE KEY|contraseña de prueba/)
      if (outcome.kind === 'answered') throw new Error('it was answered')
      for (const text of Object.values(outcome.problem.message)) expect(text).not.toMatch(/[{}—\0]|undefined/)
    }
    expect(JSON.stringify(certificate)).not.toContain('PRIVATE')
    for (const { en, es } of Object.values(PROBLEMS)) {
      expect(en).toMatch(/^[A-Z{].*\.$|\{reason\}/)
      expect(es).toMatch(/^[A-ZÁÉÍÓÚ{].*\.$|\{reason\}/)
      expect([...en.matchAll(/\{\w+\}/g)].map(String).sort()).toEqual(
        [...es.matchAll(/\{\w+\}/g)].map(String).sort(),
      )
    }
  })
})
