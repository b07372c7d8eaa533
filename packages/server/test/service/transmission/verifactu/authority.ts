/**
 * A tax authority in memory: it accepts and rejects records by the combinations of marks (reference 7.1 and 7.2),
 * reports duplicates, responds to queries, and follows a script for the next calls.
 */

import type { Outcome, SiiOutcome, VerifactuSender } from 'cuadra-authority/wires.ts'
import { type Envio, readVerifactu } from '#records/verifactu/index.ts'
import { ScriptedAuthority } from '../script.ts'

export * from '../script.ts'

const NAMES =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'
/** Parses a response as the authority's client does; an incomplete one counts as none. */
function asRead(outcome: SiiOutcome): Outcome {
  if (outcome.is !== 'answered') return outcome
  const { document, items } = readVerifactu(outcome.text)
  return { ...outcome, document: items.some(({ code }) => code === 'xml.limit') ? null : document }
}

export interface Kept {
  readonly number: string
  readonly date: string
  state: 'Correcto' | 'AceptadoConErrores' | 'Anulado'
  huella: string
  code?: number
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export class FakeAuthority extends ScriptedAuthority {
  readonly kept = new Map<string, Kept>()
  /** Hashes of stored records, in order of arrival, repeated if stored again. */
  readonly stored: string[] = []
  readonly messages: { readonly at: number; readonly records: number; readonly incident: boolean }[] = []
  /** Error codes of records, by invoice number. */
  readonly codes = new Map<string, number>()
  /** Forced code of the next record of a number; `as` is the status of the duplicate. */
  readonly forced = new Map<string, { readonly code: number; readonly as?: string }>()
  wait = '60'
  nif = ''
  readonly now: () => number
  #csv = 0

  constructor(now: () => number) {
    super()
    this.now = now
  }

  readonly wire: VerifactuSender = async (xml, { operation }) => {
    const isQuery = operation === 'query'
    const deliver = () => (isQuery ? this.#query(xml) : this.#submission(xml))
    return asRead(await this.happen(isQuery, xml, deliver))
  }

  #submission(xml: string): string {
    const { document, items } = readVerifactu(xml)
    if (document?.root !== 'RegFactuSistemaFacturacion' || items.length > 0)
      throw new Error(`no message: ${JSON.stringify(items)}`)
    const { Cabecera, RegistroFactura } = document.value
    this.nif = Cabecera.ObligadoEmision.NIF
    this.messages.push({
      at: this.now(),
      records: RegistroFactura.length,
      incident: Cabecera.RemisionVoluntaria?.Incidencia === 'S',
    })
    const lines = RegistroFactura.map((entry) => this.#take(entry))
    const states = new Set(lines.map(({ state }) => state))
    const whole =
      states.size === 1 && states.has('Correcto')
        ? 'Correcto'
        : states.size === 1 && states.has('Incorrecto')
          ? 'Incorrecto'
          : 'ParcialmenteCorrecto'
    const csv = whole === 'Incorrecto' ? '' : `<r:CSV>A-${String(++this.#csv).padStart(16, '0')}</r:CSV>`
    const at = new Date(this.now()).toISOString()
    return `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><r:RespuestaRegFactuSistemaFacturacion xmlns:r="${NAMES}RespuestaSuministro.xsd" xmlns:sf="${NAMES}SuministroInformacion.xsd">${csv}<r:DatosPresentacion><sf:NIFPresentador>${this.nif}</sf:NIFPresentador><sf:TimestampPresentacion>${at}</sf:TimestampPresentacion></r:DatosPresentacion><r:Cabecera><sf:ObligadoEmision><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>${this.nif}</sf:NIF></sf:ObligadoEmision></r:Cabecera><r:TiempoEsperaEnvio>${this.wait}</r:TiempoEsperaEnvio><r:EstadoEnvio>${whole}</r:EstadoEnvio>${lines.map(({ text }) => text).join('')}</r:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`
  }

  #take({ RegistroAlta, RegistroAnulacion }: Envio['RegistroFactura'][number]) {
    const id = RegistroAlta?.IDFactura
    const gone = RegistroAnulacion?.IDFactura
    const number = id?.NumSerieFactura ?? gone?.NumSerieFacturaAnulada ?? ''
    const date = id?.FechaExpedicionFactura ?? gone?.FechaExpedicionFacturaAnulada ?? ''
    const huella = (RegistroAlta ?? RegistroAnulacion)?.Huella ?? ''
    const name = `${number} ${date}`
    const has = this.kept.get(name)
    const { Subsanacion = 'N' } = RegistroAlta ?? {}
    const { SinRegistroPrevio = 'N' } = RegistroAnulacion ?? {}
    const RechazoPrevio = (RegistroAlta ?? RegistroAnulacion)?.RechazoPrevio ?? 'N'
    const wantsNone = RegistroAlta ? Subsanacion === 'N' || RechazoPrevio === 'X' : SinRegistroPrevio === 'S'
    const forced = this.forced.get(number)
    this.forced.delete(number)
    const code = forced?.code ?? (wantsNone === !has ? this.codes.get(number) : has ? 3000 : 3002)
    const isAccepted = code === undefined || (code >= 2000 && code < 3000)
    const state = code === undefined ? 'Correcto' : isAccepted ? 'AceptadoConErrores' : 'Incorrecto'
    if (isAccepted) {
      this.stored.push(huella)
      const now = RegistroAnulacion ? 'Anulado' : (state as Kept['state'])
      this.kept.set(name, { number, date, state: now, huella, ...(code ? { code } : {}) })
    }
    const duplicate = { Correcto: 'Correcta', AceptadoConErrores: 'AceptadaConErrores', Anulado: 'Anulada' }
    const as = forced ? forced.as : code === 3000 && has ? duplicate[has.state] : undefined
    const marks = RegistroAlta
      ? `<sf:Subsanacion>${Subsanacion}</sf:Subsanacion><sf:RechazoPrevio>${RechazoPrevio}</sf:RechazoPrevio>`
      : `<sf:RechazoPrevio>${RechazoPrevio}</sf:RechazoPrevio><sf:SinRegistroPrevio>${SinRegistroPrevio}</sf:SinRegistroPrevio>`
    const text = `<r:RespuestaLinea><r:IDFactura><sf:IDEmisorFactura>${this.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura></r:IDFactura><r:Operacion><sf:TipoOperacion>${RegistroAlta ? 'Alta' : 'Anulacion'}</sf:TipoOperacion>${marks}</r:Operacion><r:EstadoRegistro>${state}</r:EstadoRegistro>${code === undefined ? '' : `<r:CodigoErrorRegistro>${code}</r:CodigoErrorRegistro><r:DescripcionErrorRegistro>Error ${code}.</r:DescripcionErrorRegistro>`}${as ? `<r:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>1</sf:IdPeticionRegistroDuplicado><sf:EstadoRegistroDuplicado>${as}</sf:EstadoRegistroDuplicado></r:RegistroDuplicado>` : ''}</r:RespuestaLinea>`
    return { state, text }
  }

  #query(xml: string): string {
    const { document } = readVerifactu(xml)
    if (document?.root !== 'ConsultaFactuSistemaFacturacion') throw new Error('no query')
    const { Cabecera, FiltroConsulta } = document.value
    const { PeriodoImputacion: period, NumSerieFactura: one, ClavePaginacion: after } = FiltroConsulta
    const all = [...this.kept.values()].filter(
      ({ number, date }) =>
        date.endsWith(`-${period.Periodo}-${period.Ejercicio}`) && (one === undefined || number === one),
    )
    const start = after ? all.findIndex(({ number }) => number === after.NumSerieFactura) + 1 : 0
    const rows = all.slice(start, start + this.pageSize)
    const more = start + this.pageSize < all.length
    const last = rows.at(-1)
    const id = ({ number, date }: Kept) =>
      `<sf:IDEmisorFactura>${this.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${date}</sf:FechaExpedicionFactura>`
    const row = (kept: Kept) =>
      `<q:RegistroRespuestaConsultaFactuSistemaFacturacion><q:IDFactura>${id(kept)}</q:IDFactura><q:DatosRegistroFacturacion><q:TipoFactura>F1</q:TipoFactura><q:ImporteTotal>121.00</q:ImporteTotal><q:TipoHuella>01</q:TipoHuella><q:Huella>${kept.huella}</q:Huella></q:DatosRegistroFacturacion><q:EstadoRegistro><q:TimestampUltimaModificacion>2026-11-20T10:00:00+01:00</q:TimestampUltimaModificacion><q:EstadoRegistro>${kept.state}</q:EstadoRegistro>${kept.code ? `<q:CodigoErrorRegistro>${kept.code}</q:CodigoErrorRegistro>` : ''}</q:EstadoRegistro></q:RegistroRespuestaConsultaFactuSistemaFacturacion>`
    return `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${NAMES}RespuestaConsultaLR.xsd" xmlns:sf="${NAMES}SuministroInformacion.xsd"><q:Cabecera><sf:IDVersion>1.0</sf:IDVersion><sf:ObligadoEmision><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>${Cabecera.ObligadoEmision?.NIF}</sf:NIF></sf:ObligadoEmision></q:Cabecera><q:PeriodoImputacion><q:Ejercicio>${period.Ejercicio}</q:Ejercicio><q:Periodo>${period.Periodo}</q:Periodo></q:PeriodoImputacion><q:IndicadorPaginacion>${more ? 'S' : 'N'}</q:IndicadorPaginacion><q:ResultadoConsulta>${rows.length > 0 ? 'ConDatos' : 'SinDatos'}</q:ResultadoConsulta>${rows.map(row).join('')}${more && last ? `<q:ClavePaginacion>${id(last)}</q:ClavePaginacion>` : ''}</q:RespuestaConsultaFactuSistemaFacturacion></env:Body></env:Envelope>`
  }
}
