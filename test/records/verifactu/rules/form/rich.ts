/** Valid documents of every kind in which every optional element occurs. */

import { setAll } from '../../../../put.ts'
import { alta, anulacion, EVENT_LINK, envio, evento, PREVIOUS_HASH, SYSTEM } from '../../records.ts'
import {
  asRecipient,
  both,
  corrective,
  counterpart,
  DE,
  generator,
  header,
  type Loose,
  PERSON,
  producer,
  query,
  REFERENCE,
  request,
  set,
  summary,
  third,
} from './case.ts'

/** Every optional block that a mutation can hit. */
export const RICH: readonly (readonly [kind: string, value: object, name: string])[] = [
  [
    'alta',
    alta((r: Loose) => {
      corrective({})(r)
      third({ IDOtro: { CodigoPais: 'FR', IDType: '04', ID: '1' } })(r)
      r.FacturasSustituidas = { IDFacturaSustituida: [{ ...r.FacturasRectificadas.IDFacturaRectificada[0] }] }
      r.ImporteRectificacion = { BaseRectificada: '1.00', CuotaRectificada: '0.21' }
      r.FechaOperacion = '14-01-2027'
      r.Destinatarios.IDDestinatario.push({ NombreRazon: 'Imagined Ltd', IDOtro: { ...DE } })
      Object.assign(r, { RefExterna: '1', Subsanacion: 'N', RechazoPrevio: 'N', Macrodato: 'N', Cupon: 'N' })
      Object.assign(r, { NumRegistroAcuerdoFacturacion: '1', IdAcuerdoSistemaInformatico: '1' })
      Object.assign(r, { FacturaSimplificadaArt7273: 'N', FacturaSinIdentifDestinatarioArt61d: 'N' })
      Object.assign(r.Desglose.DetalleDesglose[0], {
        TipoRecargoEquivalencia: '5.2',
        CuotaRecargoEquivalencia: '5.20',
      })
    }),
    'corrective registration',
  ],
  [
    'anulacion',
    anulacion(generator('D', { IDOtro: { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' } })),
    'cancellation by the recipient',
  ],
  ['evento', evento(summary('1')), 'summary event'],
  [
    'evento',
    evento((r: Loose) => {
      const id = { IDEmisorFactura: 'B12345674', NumSerieFactura: '1', FechaExpedicionFactura: '01-01-2027' }
      r.Evento.DatosPropiosEvento = {
        ExportacionRegFacturacionPeriodo: {
          FechaHoraHusoInicioPeriodoExport: '2027-01-01T00:00:00+01:00',
          FechaHoraHusoFinPeriodoExport: '2027-01-31T00:00:00+01:00',
          RegistroFacturacionInicialPeriodo: { ...id, Huella: PREVIOUS_HASH },
          RegistroFacturacionFinalPeriodo: { ...id, Huella: PREVIOUS_HASH },
          NumeroDeRegistrosFacturacionAltaExportados: '1',
          SumaCuotaTotalAlta: '21.00',
          SumaImporteTotalAlta: '121.00',
          NumeroDeRegistrosFacturacionAnulacionExportados: '0',
          RegistrosFacturacionExportadosDejanDeConservarse: 'N',
        },
      }
      r.Evento.EmitidaPorTerceroODestinatario = 'T'
      r.Evento.TerceroODestinatario = { NombreRazon: 'Inventada', IDOtro: { ...DE } }
    }),
    'export event',
  ],
  [
    'envio',
    envio((m: Loose) => {
      header({
        Representante: { ...PERSON },
        RemisionVoluntaria: { FechaFinVeriFactu: '31-12-2027', Incidencia: 'S' },
      })(m)
      m.RegistroFactura.push(anulacion())
    }),
    'voluntary submission',
  ],
  ['envio', envio(request({ ...REFERENCE })), 'response to a request'],
  [
    'consulta',
    query((q) => {
      counterpart({ IDOtro: { ...DE } })(q)
      Object.assign(q.FiltroConsulta, {
        NumSerieFactura: '1',
        FechaExpedicionFactura: { RangoFechaExpedicion: { Desde: '01-01-2027', Hasta: '31-01-2027' } },
        SistemaInformatico: { ...SYSTEM },
        RefExterna: '1',
        ClavePaginacion: {
          IDEmisorFactura: 'B12345674',
          NumSerieFactura: '1',
          FechaExpedicionFactura: '01-01-2027',
        },
      })
      q.DatosAdicionalesRespuesta = { MostrarNombreRazonEmisor: 'N', MostrarSistemaInformatico: 'N' }
    }),
    'query of an issuer',
  ],
  [
    'alta',
    alta(both(producer({ ...DE }), set('Encadenamiento', { PrimerRegistro: 'S' }))),
    'first registration',
  ],
  [
    'anulacion',
    anulacion(
      both(
        generator('D', { NIF: 'B77777779' }),
        producer({ ...DE }),
        setAll({ SinRegistroPrevio: 'N', RechazoPrevio: 'N', RefExterna: '1' }),
        set('Encadenamiento', { PrimerRegistro: 'S' }),
      ),
    ),
    'first cancellation',
  ],
  [
    'evento',
    evento((r: Loose) => {
      producer({ ...DE })(r.Evento)
      r.Evento.EmitidaPorTerceroODestinatario = 'D'
      r.Evento.TerceroODestinatario = { ...PERSON }
      r.Evento.OtrosDatosDelEvento = 'x'
      r.Evento.Encadenamiento = EVENT_LINK
    }),
    'linked event',
  ],
  [
    'consulta',
    query(
      both(
        asRecipient,
        set('Cabecera/IndicadorRepresentante', 'S'),
        set('FiltroConsulta/FechaExpedicionFactura', { FechaExpedicionFactura: '31-01-2027' }),
        counterpart({ ...PERSON }),
        set('FiltroConsulta/SistemaInformatico', { ...SYSTEM, NIF: undefined, IDOtro: { ...DE } }),
      ),
    ),
    'query of a recipient',
  ],
]
