/** The SII of the tax authority as plain data: books of invoices, with what was collected and paid of each. */

export interface Payment {
  readonly date: string
  readonly cents: number
  readonly means: string
}

/** An invoice in a book. */
export interface Entry {
  readonly company: string
  readonly book: 'ISSUED' | 'RECEIVED'
  readonly issuer: string
  readonly number: string
  readonly date: string
  state: 'Correcta' | 'AceptadaConErrores' | 'Anulada'
  code: number | null
  /** In cents. */
  total: number
  month: string
  /** The stored record, as sent, without prefixes. */
  content: string
  readonly payments: Payment[]
}

const NAMES =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/ssii/fact/ws/'

const textIn = (xml: string, name: string) =>
  (new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '').replaceAll('&amp;', '&').trim()
const blocksIn = (xml: string, name: string) =>
  xml.match(new RegExp(`<${name}>[\\s\\S]*?</${name}>`, 'g')) ?? []
const inner = (xml: string, name: string) => new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(xml)?.[1] ?? ''
const centsOf = (text: string) => Math.round(Number(text) * 100)

/** Puts the prefix of a query's response before the names of the outermost elements, and that of types before others. */
function prefixed(xml: string, outer: string): string {
  let depth = 0
  return xml.replace(/<(\/?)(\w+)>/g, (_, slash: string, name: string) => {
    if (slash) depth--
    const prefix = depth === 0 ? outer : 'sf'
    if (!slash) depth++
    return `<${slash}${prefix}:${name}>`
  })
}

interface Kind {
  readonly book: Entry['book']
  /** Null if the header states it. */
  readonly operation: 'BAJA' | 'COBROS' | 'PAGOS' | null
  readonly record: string
  readonly response: string
}

const KINDS: Readonly<Record<string, Kind>> = {
  SuministroLRFacturasEmitidas: {
    ...{ book: 'ISSUED', operation: null, record: 'RegistroLRFacturasEmitidas' },
    response: 'RespuestaLRFacturasEmitidas',
  },
  BajaLRFacturasEmitidas: {
    ...{ book: 'ISSUED', operation: 'BAJA', record: 'RegistroLRBajaExpedidas' },
    response: 'RespuestaLRBajaFacturasEmitidas',
  },
  SuministroLRFacturasRecibidas: {
    ...{ book: 'RECEIVED', operation: null, record: 'RegistroLRFacturasRecibidas' },
    response: 'RespuestaLRFacturasRecibidas',
  },
  BajaLRFacturasRecibidas: {
    ...{ book: 'RECEIVED', operation: 'BAJA', record: 'RegistroLRBajaRecibidas' },
    response: 'RespuestaLRBajaFacturasRecibidas',
  },
  SuministroLRCobrosEmitidas: {
    ...{ book: 'ISSUED', operation: 'COBROS', record: 'RegistroLRCobros' },
    response: 'RespuestaLRCobrosEmitidas',
  },
  SuministroLRPagosRecibidas: {
    ...{ book: 'RECEIVED', operation: 'PAGOS', record: 'RegistroLRPagos' },
    response: 'RespuestaLRPagosRecibidas',
  },
}

const rootOf = (xml: string) =>
  /<((?:Suministro|Baja|Consulta)LR\w+|ConsultaCobros|ConsultaPagos)>/.exec(xml)?.[1] ?? ''

/** Whether a message without prefixes is one of the SII. */
export const isOfBooks = (xml: string): boolean => rootOf(xml) !== ''

const envelope = (root: string, schema: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:r="${NAMES}${schema}.xsd" xmlns:sf="${NAMES}SuministroInformacion.xsd"><env:Body><r:${root}>${content}</r:${root}></env:Body></env:Envelope>`

const header = (company: string, operation: string) =>
  `<sf:IDVersionSii>1.1</sf:IDVersionSii><sf:Titular><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>${company}</sf:NIF></sf:Titular>${/^A\d$/.test(operation) ? `<sf:TipoComunicacion>${operation}</sf:TipoComunicacion>` : ''}`

const errorOf = (code: number | null, prefix: string) =>
  code === null
    ? ''
    : `<${prefix}:CodigoErrorRegistro>${code}</${prefix}:CodigoErrorRegistro><${prefix}:DescripcionErrorRegistro>Error ${code}.</${prefix}:DescripcionErrorRegistro>`

const presented = (tag: string, company: string, csv: string) =>
  `<${tag}><sf:NIFPresentador>${company}</sf:NIFPresentador><sf:TimestampPresentacion>20-11-2026 10:00:00</sf:TimestampPresentacion>${csv}</${tag}>`

export class Books {
  readonly entries = new Map<string, Entry>()
  /** Code for the next record that would be accepted. */
  readonly codes: number[] = []
  /** Messages with records, by company. */
  readonly messages = new Map<string, number>()
  #csv = 0

  of(company: string): readonly Entry[] {
    return [...this.entries.values()].filter((one) => one.company === company)
  }

  /** Takes a message without prefixes, and returns the response. */
  take(xml: string): string {
    const root = rootOf(xml)
    const company = textIn(inner(xml, 'Titular'), 'NIF')
    const kind = KINDS[root]
    if (kind) return this.#submit(company, kind, xml)
    return root === 'ConsultaCobros' || root === 'ConsultaPagos'
      ? this.#payments(company, root, xml)
      : this.#query(company, root, xml)
  }

  #keyOf(company: string, book: Entry['book'], xml: string) {
    const id = inner(xml, 'IDFactura')
    const issuer = textIn(inner(id, 'IDEmisorFactura'), 'NIF')
    const number = textIn(id, 'NumSerieFacturaEmisor')
    const date = textIn(id, 'FechaExpedicionFacturaEmisor')
    return { id, issuer, number, date, key: [company, book, issuer, number, date].join(' ') }
  }

  #submit(company: string, kind: Kind, xml: string): string {
    this.messages.set(company, (this.messages.get(company) ?? 0) + 1)
    const operation = kind.operation ?? textIn(xml, 'TipoComunicacion')
    const lines = blocksIn(xml, kind.record).map((one) => this.#record(company, kind, operation, one))
    const states = new Set(lines.map(({ state }) => state))
    const whole =
      states.size > 1 || states.has('AceptadoConErrores') ? 'ParcialmenteCorrecto' : [...states][0]
    const csv = whole === 'Incorrecto' ? '' : `<r:CSV>S-${String(++this.#csv).padStart(14, '0')}</r:CSV>`
    return envelope(
      kind.response,
      'RespuestaSuministro',
      `${csv}${presented('r:DatosPresentacion', company, '')}<r:Cabecera>${header(company, operation)}</r:Cabecera><r:EstadoEnvio>${whole}</r:EstadoEnvio>${lines.map(({ text }) => text).join('')}`,
    )
  }

  /** The code of what does not fit the book; null if it does. */
  #conflict(entry: Entry | undefined, operation: string, xml: string): number | null {
    const isPayment = operation === 'COBROS' || operation === 'PAGOS'
    if (operation === 'A0') return entry && entry.state !== 'Anulada' ? 3000 : null
    if (!entry) return 3002
    const isIssued = entry.book === 'ISSUED'
    if (entry.state === 'Anulada') return isPayment ? (isIssued ? 3003 : 3006) : 3001
    if (operation === 'BAJA') return null
    const hasCash = (text: string) => /<ClaveRegimen\w+>07</.test(text)
    if (isPayment) return hasCash(entry.content) ? null : isIssued ? 3005 : 3007
    return entry.payments.length > 0 && !hasCash(xml) ? 3011 : null
  }

  #record(company: string, { book }: Kind, operation: string, xml: string) {
    const { id, key, issuer, number, date } = this.#keyOf(company, book, xml)
    const entry = this.entries.get(key)
    const code = this.#conflict(entry, operation, xml) ?? this.codes.shift() ?? null
    const state =
      code === null ? 'Correcto' : code >= 2000 && code < 3000 ? 'AceptadoConErrores' : 'Incorrecto'
    if (state !== 'Incorrecto') {
      const kept = state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores'
      if (operation === 'BAJA') Object.assign(required(entry), { state: 'Anulada', payments: [] })
      else if (operation === 'COBROS' || operation === 'PAGOS')
        for (const one of [...blocksIn(xml, 'Cobro'), ...blocksIn(xml, 'Pago')])
          entry?.payments.push({
            date: textIn(one, 'Fecha'),
            cents: centsOf(textIn(one, 'Importe')),
            means: textIn(one, 'Medio'),
          })
      else {
        const content = inner(xml, book === 'ISSUED' ? 'FacturaExpedida' : 'FacturaRecibida')
        this.entries.set(key, {
          ...{ company, book, issuer, number, date, code, content, state: kept },
          total: centsOf(textIn(content, 'ImporteTotal')),
          month: `${textIn(xml, 'Ejercicio')}-${textIn(xml, 'Periodo')}`,
          payments: entry && entry.state !== 'Anulada' ? entry.payments : [],
        })
      }
    }
    const duplicate =
      code === 3000 && entry
        ? `<r:RegistroDuplicado><sf:EstadoRegistro>${entry.state}</sf:EstadoRegistro>${errorOf(entry.code, 'sf')}</r:RegistroDuplicado>`
        : ''
    const text = `<r:RespuestaLinea><r:IDFactura>${prefixed(id, 'sf')}</r:IDFactura><r:EstadoRegistro>${state}</r:EstadoRegistro>${errorOf(code, 'r')}${duplicate}</r:RespuestaLinea>`
    return { state, text }
  }

  #query(company: string, root: string, xml: string): string {
    const book = root.endsWith('Emitidas') ? 'ISSUED' : 'RECEIVED'
    const name = book === 'ISSUED' ? 'Emitida' : 'Recibida'
    const filter = inner(xml, 'FiltroConsulta')
    const [year, period] = [textIn(filter, 'Ejercicio'), textIn(filter, 'Periodo')]
    const number = textIn(inner(filter, 'IDFactura'), 'NumSerieFacturaEmisor')
    const found = this.of(company).filter(
      (one) =>
        one.book === book && one.month === `${year}-${period}` && (number === '' || one.number === number),
    )
    const entry = (one: Entry) =>
      `<r:RegistroRespuestaConsultaLRFacturas${name}s><r:IDFactura><sf:IDEmisorFactura><sf:NIF>${one.issuer}</sf:NIF></sf:IDEmisorFactura><sf:NumSerieFacturaEmisor>${one.number}</sf:NumSerieFacturaEmisor><sf:FechaExpedicionFacturaEmisor>${one.date}</sf:FechaExpedicionFacturaEmisor></r:IDFactura><r:DatosFactura${name}>${prefixed(one.content, 'r')}<r:${book === 'ISSUED' ? 'Cobros' : 'Pagos'}>${one.payments.length > 0 ? 'S' : 'N'}</r:${book === 'ISSUED' ? 'Cobros' : 'Pagos'}></r:DatosFactura${name}>${presented('r:DatosPresentacion', company, '<sf:CSV>S-00000000000001</sf:CSV>')}<r:EstadoFactura><r:EstadoCuadre>1</r:EstadoCuadre><r:TimestampUltimaModificacion>20-11-2026 10:00:00</r:TimestampUltimaModificacion><r:EstadoRegistro>${one.state}</r:EstadoRegistro>${errorOf(one.code, 'r')}</r:EstadoFactura></r:RegistroRespuestaConsultaLRFacturas${name}s>`
    return envelope(
      `Respuesta${root}`,
      'RespuestaConsultaLR',
      `<sf:Cabecera>${header(company, '')}</sf:Cabecera><r:PeriodoLiquidacion><r:Ejercicio>${year}</r:Ejercicio><r:Periodo>${period}</r:Periodo></r:PeriodoLiquidacion><r:IndicadorPaginacion>N</r:IndicadorPaginacion><r:ResultadoConsulta>${found.length > 0 ? 'ConDatos' : 'SinDatos'}</r:ResultadoConsulta>${found.map(entry).join('')}`,
    )
  }

  #payments(company: string, root: string, xml: string): string {
    const isIssued = root === 'ConsultaCobros'
    const name = isIssued ? 'Cobro' : 'Pago'
    const { id, key } = this.#keyOf(company, isIssued ? 'ISSUED' : 'RECEIVED', xml)
    const all = this.entries.get(key)?.payments ?? []
    const one = ({ date, cents, means }: Payment) =>
      `<r:RegistroRespuestaConsulta${name}s><r:Datos${name}><sf:Fecha>${date}</sf:Fecha><sf:Importe>${(cents / 100).toFixed(2)}</sf:Importe><sf:Medio>${means}</sf:Medio></r:Datos${name}>${presented('r:DatosPresentacion', company, '<sf:CSV>S-00000000000001</sf:CSV>')}</r:RegistroRespuestaConsulta${name}s>`
    return envelope(
      `Respuesta${root}`,
      'RespuestaConsultaLR',
      `<sf:Cabecera>${header(company, '')}</sf:Cabecera><r:IDFactura>${prefixed(id, 'sf')}</r:IDFactura><r:IndicadorPaginacion>N</r:IndicadorPaginacion><r:ResultadoConsulta>${all.length > 0 ? 'ConDatos' : 'SinDatos'}</r:ResultadoConsulta>${all.map(one).join('')}`,
    )
  }
}

import { required } from '#core/errors/index.ts'
