/** The records that the authority has for a month: `GET /verifactu/aeat-records`. */
import type { ValidationItem } from '#core/invoice/index.ts'
import { createItem, messageWithoutFix } from '#core/messages/index.ts'
import type { RespuestaConsulta } from '#records/verifactu/index.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { AeatRecords } from '../../../shapes/schemas.ts'
import type { Call } from '../../access/call.ts'
import { type Blocked, blockedMessage } from '../../transmission/blocked.ts'
import { blockedByFailedCall } from '../../transmission/transmission-response.ts'
import { environmentNow } from '../verifactu-period.ts'
import { pageOf } from './query-records.ts'
import { certificateForCalls, FAULTS, wireOf } from './verifactu-response.ts'

const NEVER_ACTIVE = {
  en: 'The company has never activated VeriFactu, so the tax authority has no records of it. Activate it with PUT /verifactu/config.',
  es: 'La empresa nunca ha activado VeriFactu, así que la AEAT no tiene registros suyos. Actívelo con PUT /verifactu/config.',
}

const failed = (item: ValidationItem): ApiError =>
  new ApiError('verifactu_aeat_query_error', { errors: [item] })

const itemOf = (code: string, message: string): ValidationItem =>
  createItem(
    messageWithoutFix({ en: message, es: message }),
    { code, path: '', extra: null, severity: 'error' },
    'en',
  )

/** Returns the error for a query without a response, with the code of the authority if it returned one. */
const failedBy = (blocked: Blocked, { locale }: Call): ApiError =>
  failed(itemOf(blocked.code ? `aeat.${blocked.code}` : blocked.reason, blockedMessage(blocked, locale)))

type Row = NonNullable<RespuestaConsulta['RegistroRespuestaConsultaFactuSistemaFacturacion']>[number]

function recordOf({ IDFactura, DatosRegistroFacturacion: data, EstadoRegistro: state }: Row) {
  const total = Number.parseFloat(data?.ImporteTotal ?? '')
  return {
    num_serie: IDFactura.NumSerieFactura,
    fecha_expedicion: IDFactura.FechaExpedicionFactura,
    estado_registro: state.EstadoRegistro,
    codigo_error: state.CodigoErrorRegistro ?? null,
    descripcion_error: state.DescripcionErrorRegistro ?? null,
    tipo_factura: data?.TipoFactura ?? null,
    importe_total: Number.isNaN(total) ? null : total,
  }
}

/** Returns the first page of the authority's records of a month (`YYYY-MM`). Throws `verifactu_aeat_query_error`. */
export async function aeatRecords(call: Call, month: string): Promise<AeatRecords> {
  const { app, store, company, locale } = call
  const environment = await environmentNow(store, app.clock)
  if (!environment) throw failed(itemOf('no_activado', NEVER_ACTIVE[locale]))
  const identity = await certificateForCalls(app, store, company)
  if ('reason' in identity) throw failedBy(identity, call)
  const caller = { companyId: company.id, environment, ...identity }
  const page = await pageOf(wireOf(app), company.data, caller, month)
  if (page.is !== 'answered') throw failedBy(blockedByFailedCall(FAULTS, page), call)
  const { ResultadoConsulta, IndicadorPaginacion, ClavePaginacion, ...value } = page.value
  const rows = value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []
  return {
    periodo: month,
    resultado_consulta: ResultadoConsulta,
    indicador_paginacion: IndicadorPaginacion,
    clave_paginacion: ClavePaginacion
      ? {
          num_serie: ClavePaginacion.NumSerieFactura,
          fecha_expedicion: ClavePaginacion.FechaExpedicionFactura,
        }
      : null,
    records: rows.map(recordOf),
  }
}
