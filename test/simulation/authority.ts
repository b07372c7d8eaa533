/**
 * A tax authority as plain data: it reads the text of messages, keeps what it accepts, and writes responses itself. What
 * it received is what the model compares the server with.
 */

import { createHash } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import { Books, isOfBooks } from './books.ts'

/** A record of an invoice, as it arrived. */
export interface AuthorityRecord {
  readonly company: string
  readonly kind: 'Alta' | 'Anulacion'
  readonly number: string
  readonly date: string
  readonly total: string
  readonly hash: string
  /** Hash of the record before it; empty for the first one of a chain. */
  readonly before: string
  /** Whether the hash is that of its content. */
  readonly isRight: boolean
  readonly at: number
  outcome: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code: number | null
  /** Lost by the authority itself. */
  isForgotten: boolean
}

/** A message that answers a request of the authority. */
export interface Requested {
  readonly company: string
  readonly reference: string
  readonly isEnd: boolean
  readonly hashes: readonly string[]
}

interface Kept {
  readonly number: string
  readonly date: string
  /** The date that decides the month under which it is filed: that of the operation, if it has one. */
  readonly filed: string
  state: 'Correcto' | 'AceptadoConErrores' | 'Anulado'
  hash: string
  code: number | null
}

const NAMES =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

/** The text of the first element of a name, without prefixes. */
const textIn = (xml: string, name: string) => {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return unescaped(text).trim()
}
const blocksIn = (xml: string, name: string) =>
  xml.match(new RegExp(`<${name}>[\\s\\S]*?</${name}>`, 'g')) ?? []

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** Reads a record, and computes its hash anew from its content. */
function readRecord(company: string, xml: string, at: number): AuthorityRecord & { readonly marks: Marks } {
  const kind = xml.includes('<RegistroAlta>') ? 'Alta' : 'Anulacion'
  const suffix = kind === 'Alta' ? '' : 'Anulada'
  const issuer = textIn(xml, `IDEmisorFactura${suffix}`)
  const number = textIn(xml, `NumSerieFactura${suffix}`)
  const date = textIn(xml, `FechaExpedicionFactura${suffix}`)
  const [link = ''] = blocksIn(xml, 'RegistroAnterior')
  const before = textIn(link, 'Huella')
  const rest = xml.slice(xml.indexOf('</Encadenamiento>'))
  const hash = textIn(rest, 'Huella')
  const total = textIn(xml, 'ImporteTotal')
  const parts: [string, string][] = [
    [`IDEmisorFactura${suffix}`, issuer],
    [`NumSerieFactura${suffix}`, number],
    [`FechaExpedicionFactura${suffix}`, date],
    ...(kind === 'Alta'
      ? ([
          ['TipoFactura', textIn(xml, 'TipoFactura')],
          ['CuotaTotal', textIn(xml, 'CuotaTotal')],
          ['ImporteTotal', total],
        ] as [string, string][])
      : []),
    ['Huella', before],
    ['FechaHoraHusoGenRegistro', textIn(rest, 'FechaHoraHusoGenRegistro')],
  ]
  const right = sha256(parts.map(([name, value]) => `${name}=${value}`).join('&'))
  return {
    ...{ company, kind, number, date, total, hash, before, at },
    isRight: hash === right && issuer === company,
    outcome: 'Incorrecto',
    code: null,
    isForgotten: false,
    marks: {
      isCorrection: textIn(xml, 'Subsanacion') === 'S',
      hadRejection: textIn(xml, 'RechazoPrevio'),
      hasNoRecord: textIn(xml, 'SinRegistroPrevio') === 'S',
      timestamp: Date.parse(textIn(rest, 'FechaHoraHusoGenRegistro')),
    },
  }
}

interface Marks {
  readonly isCorrection: boolean
  readonly hadRejection: string
  readonly hasNoRecord: boolean
  readonly timestamp: number
}

/** Seconds that a timestamp may differ from the authority's clock. */
const SKEW_MS = 240_000

export class Authority {
  /** Records of all companies in order of arrival, refused ones too. */
  readonly received: AuthorityRecord[] = []
  /** Replies to requests, in order of arrival. */
  readonly requested: Requested[] = []
  /** The books of the SII. */
  readonly books = new Books()
  /** Times of accepted submissions by company. */
  readonly submissions = new Map<string, number[]>()
  readonly #kept = new Map<string, Map<string, Kept>>()
  /** Code for the next record of each kind that would be accepted. */
  readonly codes: number[] = []
  wait = 60
  queries = 0
  #csv = 0
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** What the authority has of a company, by number. */
  of(company: string): Map<string, Kept> {
    const own = this.#kept.get(company) ?? new Map<string, Kept>()
    this.#kept.set(company, own)
    return own
  }

  /** Loses the latest records of a company. Returns how many. */
  forget(company: string, most: number): number {
    const own = this.of(company)
    const names = [...own.keys()].slice(-most)
    for (const name of names) own.delete(name)
    for (const record of this.received)
      if (record.company === company && names.includes(`${record.number} ${record.date}`))
        record.isForgotten = true
    return names.length
  }

  /** Takes a message and returns the response. */
  take(envelope: string): string {
    const xml = envelope.replaceAll(/<(\/?)[\w-]+:/g, '<$1').replaceAll(/<(\w+)\s[^>]*>/g, '<$1>')
    if (isOfBooks(xml)) return this.books.take(xml)
    const [header = ''] = blocksIn(xml, 'ObligadoEmision')
    const company = textIn(header, 'NIF')
    return xml.includes('<ConsultaFactuSistemaFacturacion>')
      ? this.#query(company, xml)
      : xml.includes('<RemisionRequerimiento>')
        ? this.#requested(company, xml)
        : this.#submit(company, xml)
  }

  /** Keeps the records of a message that answers a request. */
  #requested(company: string, xml: string): string {
    const lines = blocksIn(xml, 'RegistroFactura').map((one) => {
      const { marks: _, ...record } = readRecord(company, one, this.#now())
      return record
    })
    this.requested.push({
      company,
      reference: textIn(xml, 'RefRequerimiento'),
      isEnd: textIn(xml, 'FinRequerimiento') === 'S',
      hashes: lines.map(({ hash }) => hash),
    })
    const texts = lines.map(
      ({ kind, number, date }) =>
        `<r:RespuestaLinea><r:IDFactura><sf:IDEmisorFactura>${company}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></r:IDFactura><r:Operacion><sf:TipoOperacion>${kind}</sf:TipoOperacion></r:Operacion><r:EstadoRegistro>Correcto</r:EstadoRegistro></r:RespuestaLinea>`,
    )
    return this.#response(company, 'Correcto', texts)
  }

  #submit(company: string, xml: string): string {
    const times = this.submissions.get(company) ?? []
    this.submissions.set(company, [...times, this.#now()])
    const isDelayed = textIn(xml, 'Incidencia') === 'S'
    const lines = blocksIn(xml, 'RegistroFactura').map((one) => this.#record(company, one, isDelayed))
    const states = new Set(lines.map(({ outcome }) => outcome))
    const whole =
      states.size === 1 && !states.has('AceptadoConErrores')
        ? [...states][0]
        : ('ParcialmenteCorrecto' as const)
    return this.#response(
      company,
      required(whole),
      lines.map(({ text }) => text),
    )
  }

  #response(company: string, whole: string, lines: readonly string[]): string {
    const csv = whole === 'Incorrecto' ? '' : `<r:CSV>A-${String(++this.#csv).padStart(16, '0')}</r:CSV>`
    const at = new Date(this.#now()).toISOString()
    return `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><r:RespuestaRegFactuSistemaFacturacion xmlns:r="${NAMES}RespuestaSuministro.xsd" xmlns:sf="${NAMES}SuministroInformacion.xsd">${csv}<r:DatosPresentacion><sf:NIFPresentador>${company}</sf:NIFPresentador><sf:TimestampPresentacion>${at}</sf:TimestampPresentacion></r:DatosPresentacion><r:Cabecera><sf:ObligadoEmision><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>${company}</sf:NIF></sf:ObligadoEmision></r:Cabecera><r:TiempoEsperaEnvio>${this.wait}</r:TiempoEsperaEnvio><r:EstadoEnvio>${whole}</r:EstadoEnvio>${lines.join('')}</r:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`
  }

  #record(company: string, xml: string, isDelayed: boolean) {
    const { marks, ...record } = readRecord(company, xml, this.#now())
    const { kind, number, date, hash } = record
    const own = this.of(company)
    const name = `${number} ${date}`
    const has = own.get(name)
    const wantsNone = kind === 'Alta' ? !marks.isCorrection || marks.hadRejection === 'X' : marks.hasNoRecord
    const isSkewed = !isDelayed && Math.abs(marks.timestamp - this.#now()) > SKEW_MS
    const code =
      wantsNone === Boolean(has) ? (has ? 3000 : 3002) : (this.codes.shift() ?? (isSkewed ? 2004 : null))
    const filed = has?.filed ?? (textIn(xml, 'FechaOperacion') || date)
    const isAccepted = code === null || (code >= 2000 && code < 3000)
    const outcome = code === null ? 'Correcto' : isAccepted ? 'AceptadoConErrores' : 'Incorrecto'
    this.received.push(Object.assign(record, { outcome, code } as const))
    if (isAccepted)
      own.set(name, {
        number,
        date,
        filed,
        state: kind === 'Anulacion' ? 'Anulado' : (outcome as Kept['state']),
        hash,
        code,
      })
    const duplicate = { Correcto: 'Correcta', AceptadoConErrores: 'AceptadaConErrores', Anulado: 'Anulada' }
    const error =
      code === null
        ? ''
        : `<r:CodigoErrorRegistro>${code}</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Error ${code}.</r:DescripcionErrorRegistro>`
    const other =
      code === 3000 && has
        ? `<r:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>1</sf:IdPeticionRegistroDuplicado><sf:EstadoRegistroDuplicado>${duplicate[has.state]}</sf:EstadoRegistroDuplicado></r:RegistroDuplicado>`
        : ''
    const yes = (is: boolean) => (is ? 'S' : 'N')
    const shown =
      kind === 'Alta'
        ? `<sf:Subsanacion>${yes(marks.isCorrection)}</sf:Subsanacion><sf:RechazoPrevio>${marks.hadRejection || 'N'}</sf:RechazoPrevio>`
        : `<sf:RechazoPrevio>${marks.hadRejection || 'N'}</sf:RechazoPrevio><sf:SinRegistroPrevio>${yes(marks.hasNoRecord)}</sf:SinRegistroPrevio>`
    const text = `<r:RespuestaLinea><r:IDFactura><sf:IDEmisorFactura>${company}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></r:IDFactura><r:Operacion><sf:TipoOperacion>${kind}</sf:TipoOperacion>${shown}</r:Operacion><r:EstadoRegistro>${outcome}</r:EstadoRegistro>${error}${other}</r:RespuestaLinea>`
    return { outcome, text }
  }

  #query(company: string, xml: string): string {
    this.queries++
    const [filter = ''] = blocksIn(xml, 'FiltroConsulta')
    const [year, month] = [textIn(filter, 'Ejercicio'), textIn(filter, 'Periodo')]
    const one = textIn(filter.replace(/<ClavePaginacion>[\s\S]*<\/ClavePaginacion>/, ''), 'NumSerieFactura')
    const rows = [...this.of(company).values()].filter(
      ({ number, filed }) => filed.endsWith(`-${month}-${year}`) && (one === '' || number === one),
    )
    const row = ({ number, date, hash, state, code }: Kept) =>
      `<q:RegistroRespuestaConsultaFactuSistemaFacturacion><q:IDFactura><sf:IDEmisorFactura>${company}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></q:IDFactura><q:DatosRegistroFacturacion><q:TipoFactura>F1</q:TipoFactura><q:ImporteTotal>121.00</q:ImporteTotal><q:TipoHuella>01</q:TipoHuella><q:Huella>${hash}</q:Huella></q:DatosRegistroFacturacion><q:EstadoRegistro><q:TimestampUltimaModificacion>2026-11-20T10:00:00+01:00</q:TimestampUltimaModificacion><q:EstadoRegistro>${state}</q:EstadoRegistro>${code ? `<q:CodigoErrorRegistro>${code}</q:CodigoErrorRegistro>` : ''}</q:EstadoRegistro></q:RegistroRespuestaConsultaFactuSistemaFacturacion>`
    return `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${NAMES}RespuestaConsultaLR.xsd" xmlns:sf="${NAMES}SuministroInformacion.xsd"><q:Cabecera><sf:IDVersion>1.0</sf:IDVersion><sf:ObligadoEmision><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>${company}</sf:NIF></sf:ObligadoEmision></q:Cabecera><q:PeriodoImputacion><q:Ejercicio>${year}</q:Ejercicio><q:Periodo>${month}</q:Periodo></q:PeriodoImputacion><q:IndicadorPaginacion>N</q:IndicadorPaginacion><q:ResultadoConsulta>${rows.length > 0 ? 'ConDatos' : 'SinDatos'}</q:ResultadoConsulta>${rows.map(row).join('')}</q:RespuestaConsultaFactuSistemaFacturacion></env:Body></env:Envelope>`
  }
}
