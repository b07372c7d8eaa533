/**
 * Fixture: a server that replaces the tax authority and responds as a test defines, with the certificates of both
 * sides.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { portOf } from '#test/narrow.ts'
import { type Pkcs12, readPkcs12 } from '../src/pkcs12.ts'
import { createSelfSignedCertificate, type SelfSignedOptions } from '../src/self-signed.ts'

const YEAR = 365 * 86_400_000

/** Opened as the server opens the certificates of its companies. */
export async function certificateOf(wish: Partial<SelfSignedOptions> = {}): Promise<Pkcs12> {
  const password = 'contraseña de prueba'
  const made = await createSelfSignedCertificate({
    name: 'Papelería Nube, S.L.',
    taxId: 'B23456783',
    from: new Date(Date.now() - YEAR),
    until: new Date(Date.now() + YEAR),
    password,
    ...wish,
  })
  return readPkcs12(made, wish.password ?? password)
}

export const pemOf = ({ certificate }: Pkcs12): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate.der).toString('base64')}\n-----END CERTIFICATE-----\n`

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Common name of the client's certificate. */
  readonly client: string | undefined
  /** Number of certificates that the client presented. */
  readonly socket: TLSSocket
}

export type Behaviour = (answer: ServerResponse, received: Received) => void

export interface FakeAuthority {
  readonly origin: string
  /** PEM of its certificate authority. */
  readonly ca: string
  readonly received: Received[]
  behave: Behaviour
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export async function fakeAuthority(name = 'localhost'): Promise<FakeAuthority> {
  const own = await certificateOf({ name })
  let connections = 0
  const received: Received[] = []
  const server = createServer(
    { key: own.privateKeyPem(), cert: pemOf(own), requestCert: true, rejectUnauthorized: false },
    (request, answer) => {
      const pieces: Buffer[] = []
      request.on('error', () => {})
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        const socket = request.socket as TLSSocket
        const client = socket.getPeerCertificate()?.subject?.CN
        const one: Received = {
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(pieces).toString('utf8'),
          client: Array.isArray(client) ? client[0] : client,
          socket,
        }
        received.push(one)
        fake.behave(answer, one)
      })
    },
  )
  server.on('secureConnection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  const fake: FakeAuthority = {
    origin: `https://localhost:${port}`,
    ca: pemOf(own),
    received,
    behave: (answer) => answer.end(),
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'

export const soap = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>${body}</env:Body></env:Envelope>`

export const faultXml = (code: string, text: string): string =>
  soap(`<env:Fault><faultcode>env:${code}</faultcode><faultstring>${text}</faultstring></env:Fault>`)

const lineXml = (number: string, state: string): string =>
  `<r:RespuestaLinea><r:IDFactura><i:IDEmisorFactura>B23456783</i:IDEmisorFactura><i:NumSerieFactura>${number}</i:NumSerieFactura><i:FechaExpedicionFactura>05-03-2026</i:FechaExpedicionFactura></r:IDFactura><r:Operacion><i:TipoOperacion>Alta</i:TipoOperacion></r:Operacion><r:EstadoRegistro>${state}</r:EstadoRegistro></r:RespuestaLinea>`

/** Returns a response to records: a state for each, and one for the message. */
export function responseXml(states: readonly string[] = ['Correcto'], whole = 'Correcto'): string {
  const lines = states.map((state, i) => lineXml(`Ñ-${i + 1}`, state)).join('')
  return soap(
    `<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${BASE}RespuestaSuministro.xsd" xmlns:i="${BASE}SuministroInformacion.xsd"><r:CSV>A-ABCDEFGH12345678</r:CSV><r:Cabecera><i:ObligadoEmision><i:NombreRazon>Papelería Nube, S.L.</i:NombreRazon><i:NIF>B23456783</i:NIF></i:ObligadoEmision></r:Cabecera><r:TiempoEsperaEnvio>90</r:TiempoEsperaEnvio><r:EstadoEnvio>${whole}</r:EstadoEnvio>${lines}</r:RespuestaRegFactuSistemaFacturacion>`,
  )
}

const HASH = 'F'.repeat(64)

/** Returns a response to a query, with one invoice. */
export const storedXml = (state = 'Correcto'): string =>
  soap(
    `<q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${BASE}RespuestaConsultaLR.xsd" xmlns:i="${BASE}SuministroInformacion.xsd"><q:Cabecera><i:IDVersion>1.0</i:IDVersion><i:ObligadoEmision><i:NombreRazon>Papelería Nube, S.L.</i:NombreRazon><i:NIF>B23456783</i:NIF></i:ObligadoEmision></q:Cabecera><q:PeriodoImputacion><q:Ejercicio>2026</q:Ejercicio><q:Periodo>03</q:Periodo></q:PeriodoImputacion><q:IndicadorPaginacion>N</q:IndicadorPaginacion><q:ResultadoConsulta>ConDatos</q:ResultadoConsulta><q:RegistroRespuestaConsultaFactuSistemaFacturacion><q:IDFactura><i:IDEmisorFactura>B23456783</i:IDEmisorFactura><i:NumSerieFactura>Ñ-1</i:NumSerieFactura><i:FechaExpedicionFactura>05-03-2026</i:FechaExpedicionFactura></q:IDFactura><q:DatosRegistroFacturacion><q:TipoHuella>01</q:TipoHuella><q:Huella>${HASH}</q:Huella></q:DatosRegistroFacturacion><q:EstadoRegistro><q:TimestampUltimaModificacion>2026-03-05T10:00:00+01:00</q:TimestampUltimaModificacion><q:EstadoRegistro>${state}</q:EstadoRegistro></q:EstadoRegistro></q:RegistroRespuestaConsultaFactuSistemaFacturacion></q:RespuestaConsultaFactuSistemaFacturacion>`,
  )

const SII =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/ssii/fact/ws/'

/** Returns a response of the issued book. */
export const siiXml = (state = 'Correcto', whole = 'Correcto'): string =>
  soap(
    `<r:RespuestaLRFacturasEmitidas xmlns:r="${SII}RespuestaSuministro.xsd" xmlns:i="${SII}SuministroInformacion.xsd"><r:CSV>CSV1</r:CSV><r:Cabecera><i:IDVersionSii>1.1</i:IDVersionSii><i:Titular><i:NombreRazon>Papelería Nube, S.L.</i:NombreRazon><i:NIF>B23456783</i:NIF></i:Titular><i:TipoComunicacion>A0</i:TipoComunicacion></r:Cabecera><r:EstadoEnvio>${whole}</r:EstadoEnvio><r:RespuestaLinea><r:IDFactura><i:IDEmisorFactura><i:NIF>B23456783</i:NIF></i:IDEmisorFactura><i:NumSerieFacturaEmisor>Ñ-1</i:NumSerieFacturaEmisor><i:FechaExpedicionFacturaEmisor>05-03-2026</i:FechaExpedicionFacturaEmisor></r:IDFactura><r:EstadoRegistro>${state}</r:EstadoRegistro></r:RespuestaLinea></r:RespuestaLRFacturasEmitidas>`,
  )
