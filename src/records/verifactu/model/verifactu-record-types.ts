/**
 * Fiscal records as plain objects. Members have the names and the nesting of the elements in the official schemas
 * (record version 1.0). Leaves are texts exactly as in the XML; repeated elements are arrays.
 */
import type {
  CabeceraType,
  ev_RegistroEvento,
  RegistroFacturacionAltaType,
  RegistroFacturacionAnulacionType,
  sfLR_RegFactuSistemaFacturacion,
} from '../generated/types.ts'

export type { CheckCode } from '../generated/codes.ts'
export type {
  con_ConsultaFactuSistemaFacturacionType as Consulta,
  DetalleType as DetalleDesglose,
  EncadenamientoFacturaAnteriorType as RegistroAnterior,
  ev_DatosPropiosEventoType as DatosPropiosEvento,
  ev_EventoType as Evento,
  IDOtroType as IDOtro,
  PersonaFisicaJuridicaType as Persona,
  SistemaInformaticoType as SistemaInformatico,
  sfR_RespuestaExpedidaType as RespuestaLinea,
  sfR_RespuestaRegFactuSistemaFacturacionType as Respuesta,
  tikLRRC_RespuestaConsultaFactuSistemaFacturacionType as RespuestaConsulta,
} from '../generated/types.ts'

export type RegistroAlta = RegistroFacturacionAltaType
export type RegistroAnulacion = RegistroFacturacionAnulacionType
export type RegistroEvento = ev_RegistroEvento
export type Cabecera = CabeceraType
/** A message of 1 to 1,000 records. */
export type Envio = sfLR_RegFactuSistemaFacturacion

/** A record as the only member, with the name of its root element. */
export type FiscalRecord =
  | { readonly RegistroAlta: RegistroAlta }
  | { readonly RegistroAnulacion: RegistroAnulacion }
  | { readonly RegistroEvento: RegistroEvento }

/** Kinds of records, named as in the hash specification. */
export type RecordKind = 'alta' | 'anulacion' | 'evento'
