/**
 * SII values as plain objects. Members have the names and the nesting of the elements in the official schemas
 * (interface 1.1). Leaves are texts exactly as in the XML; repeated elements are arrays.
 */
import type {
  FacturaExpedidaType,
  FacturaRecibidaType,
  RegistroSii_PeriodoLiquidacion,
} from '../generated/types.ts'

export type {
  DatosPagoCobroType as CobroPago,
  DetalleExentaType as DetalleExenta,
  DetalleIVAEmitidaType as DetalleIVAEmitida,
  DetalleIVARecibidaType as DetalleIVARecibida,
  IDFacturaExpedidaBCType as IDFacturaExpedida,
  IDFacturaRecibidaNombreBCType as IDFacturaRecibidaNombre,
  IDFacturaRecibidaType as IDFacturaRecibida,
  siiC_LRConsultaEmitidasType as ConsultaEmitidas,
  siiC_LRConsultaRecibidasType as ConsultaRecibidas,
  siiLR_LRBajaExpedidasType as RegistroBajaExpedida,
  siiLR_LRBajaRecibidasType as RegistroBajaRecibida,
  siiLR_LRCobrosEmitidasType as RegistroCobros,
  siiLR_LRFacturasRecibidasType as RegistroRecibida,
  siiLR_LRfacturasEmitidasType as RegistroEmitida,
  siiLR_LRPagosEmitidasType as RegistroPagos,
  TipoConDesgloseType as DesgloseTipoOperacion,
  TipoSinDesgloseType as DesgloseFactura,
} from '../generated/types.ts'
export type FacturaExpedida = FacturaExpedidaType
export type FacturaRecibida = FacturaRecibidaType
export type Periodo = RegistroSii_PeriodoLiquidacion
export type RegimeKey = FacturaExpedidaType['ClaveRegimenEspecialOTrascendencia']

/** Book of a record (API specification, `book_type`). */
export type Book = 'ISSUED' | 'RECEIVED'

/** Operation of a message (API specification, `operation_type`). */
export type SiiOperation = 'A0' | 'A1' | 'A4' | 'A5' | 'A6' | 'BAJA' | 'COBROS' | 'PAGOS'
