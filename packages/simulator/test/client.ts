/** A simulator for tests and a client of it: certificates, chained records, requests over TLS. */
import { readFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:https'
import { createSelfSignedCertificate } from 'cuadra-authority/self-signed.ts'
import {
  type Cabecera,
  type Envio,
  type FiscalRecord,
  linkOf,
  type RegistroAlta,
  type RegistroAnulacion,
  type ResponseSummary,
  readFaultResponse,
  readResponse,
  readVerifactu,
  submissionXml,
} from '#records/verifactu/index.ts'
import { atEnd, temporaryFolder } from '#test/folders.ts'
import { alta, anulacion, type Draft, HEADER, hashed } from '#test/records/verifactu/records.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/index.ts'

export const TAXPAYER = HEADER.ObligadoEmision.NIF
export const VERIFACTU = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'
export const REQUEST = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/RequerimientoSOAP'
export const SII = '/wlpl/SSII-FACT/ws/'

const DAY = 86_400_000
export const PASSWORD = 'prueba'

/** The time of the records in the tests. */
export const NOW = Date.parse('2027-01-15T10:01:00+01:00')

interface Validity {
  readonly from?: Date
  readonly until?: Date
}

const made = new Map<string, Promise<Uint8Array>>()

/** Returns a certificate of a taxpayer. They are cached, since generating keys is slow. */
export function certificate(taxId = TAXPAYER, { from, until }: Validity = {}): Promise<Uint8Array> {
  const key = [taxId, from?.getTime(), until?.getTime()].join(' ')
  const known =
    made.get(key) ??
    createSelfSignedCertificate({
      name: `Certificado de ${taxId}`,
      taxId,
      from: from ?? new Date(Date.now() - DAY),
      until: until ?? new Date(Date.now() + 30 * DAY),
      password: PASSWORD,
    })
  made.set(key, known)
  return known
}

export async function start(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({
    dataDir: options.dataDir ?? temporaryFolder(),
    clock: () => NOW,
    onError: (error) => {
      throw error
    },
    ...options,
  })
  atEnd(() => simulator.close())
  return simulator
}

export interface Got {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/** Every complete response of the service in these tests, to be validated with the official schema. */
export const received: string[] = []

/** Sends a request on a new connection. Rejects with the error of the connection. */
export async function post(
  simulator: Pick<Simulator, 'port' | 'caFile'>,
  path: string,
  body: string | Buffer,
  options: Omit<RequestOptions, 'pfx'> & { readonly pfx?: Uint8Array | null } = {},
): Promise<Got> {
  const { pfx, ...rest } = options
  const own = pfx === undefined ? await certificate() : pfx
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: 'localhost',
        port: simulator.port,
        path,
        method: 'POST',
        agent: false,
        ca: readFileSync(simulator.caFile),
        ...(own === null ? {} : { pfx: Buffer.from(own), passphrase: PASSWORD }),
        ...rest,
        headers: {
          'Content-Type': 'text/xml; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
          SOAPAction: '""',
          ...rest.headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('aborted', () => reject(new Error('the response was cut')))
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Returns the error code of a failed request. */
export const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )

/** Reads a response of the service. */
export function answerOf({ text }: Got): ResponseSummary {
  received.push(text)
  const { document, items } = readVerifactu(text)
  if (items.length > 0) throw new Error(`${items.map(({ message }) => message).join('\n')}\n${text}`)
  if (document?.root === 'Fault') return readFaultResponse(document.value)
  if (document?.root !== 'RespuestaRegFactuSistemaFacturacion') throw new Error(text)
  return readResponse(document.value)
}

export const messageXml = (records: readonly FiscalRecord[], header: Cabecera = HEADER): string =>
  submissionXml({ Cabecera: header, RegistroFactura: records } as Envio)

export async function submit(
  simulator: Simulator,
  records: readonly FiscalRecord[],
  header: Cabecera = HEADER,
  path = VERIFACTU,
): Promise<ResponseSummary> {
  return answerOf(await post(simulator, path, messageXml(records, header)))
}

/** Generates chained records, like the software of a taxpayer. */
export class Till {
  #last: FiscalRecord | null = null

  #chained<R extends FiscalRecord>(record: R): R {
    const body: Draft<RegistroAlta> = Object.values(record)[0]
    body.Encadenamiento = this.#last ? { RegistroAnterior: linkOf(this.#last) } : { PrimerRegistro: 'S' }
    const done = hashed(record)
    this.#last = done
    return done
  }

  issue(number: string, change: (record: Draft<RegistroAlta>) => void = () => {}) {
    return this.#chained(
      alta((record) => {
        record.IDFactura.NumSerieFactura = number
        change(record)
      }, false),
    )
  }

  cancel(number: string, change: (record: Draft<RegistroAnulacion>) => void = () => {}) {
    return this.#chained(
      anulacion((record) => {
        record.IDFactura.NumSerieFacturaAnulada = number
        record.FechaHoraHusoGenRegistro = '2027-01-15T10:00:00+01:00'
        change(record)
      }, false),
    )
  }
}
