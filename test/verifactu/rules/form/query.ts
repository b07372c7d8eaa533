/** Rows about queries. */
import { asRecipient, both, type Case, counterpart, ofConsulta, PERSON, row, set } from './case.ts'

export const QUERY: readonly Case[] = [
  row(
    1248,
    'a month is 01 to 12',
    '/FiltroConsulta/PeriodoImputacion/Periodo',
    ofConsulta(set('FiltroConsulta/PeriodoImputacion/Periodo', '13')),
    ofConsulta(set('FiltroConsulta/PeriodoImputacion/Periodo', '12')),
  ),
  row(
    1248,
    'a year has four digits',
    '/FiltroConsulta/PeriodoImputacion/Ejercicio',
    ofConsulta(set('FiltroConsulta/PeriodoImputacion/Ejercicio', '27')),
    ofConsulta(set('FiltroConsulta/PeriodoImputacion/Ejercicio', '2026')),
  ),
  row(
    1249,
    'a representative is marked with S',
    '/Cabecera/IndicadorRepresentante',
    ofConsulta(set('Cabecera/IndicadorRepresentante', 'N')),
    ofConsulta(set('Cabecera/IndicadorRepresentante', 'S')),
  ),
  row(
    1250,
    'a range of dates starts before it ends',
    '/FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion/Desde',
    ofConsulta(
      set('FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion', {
        Desde: '02-01-2027',
        Hasta: '31-12-2026',
      }),
    ),
    ofConsulta(
      set('FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion', {
        Desde: '31-12-2026',
        Hasta: '02-01-2027',
      }),
    ),
  ),
  row(
    1261,
    'a recipient has no representative',
    '/Cabecera/IndicadorRepresentante',
    ofConsulta(both(asRecipient, set('Cabecera/IndicadorRepresentante', 'S'))),
    ofConsulta(asRecipient),
  ),
  row(
    1270,
    'the flag to show the issuer’s name is S or N',
    '/DatosAdicionalesRespuesta/MostrarNombreRazonEmisor',
    ofConsulta(set('DatosAdicionalesRespuesta/MostrarNombreRazonEmisor', 'X')),
    ofConsulta(set('DatosAdicionalesRespuesta/MostrarNombreRazonEmisor', 'S')),
  ),
  row(
    1271,
    'the flag to show the system is S or N',
    '/DatosAdicionalesRespuesta/MostrarSistemaInformatico',
    ofConsulta(set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'X')),
    ofConsulta(set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'S')),
  ),
  row(
    1272,
    'a recipient is not shown the system',
    '/DatosAdicionalesRespuesta/MostrarSistemaInformatico',
    ofConsulta(both(asRecipient, set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'S'))),
    ofConsulta(both(asRecipient, set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'N'))),
  ),
  row(
    1283,
    'a natural person as counterparty has a name',
    '/FiltroConsulta/Contraparte/NombreRazon',
    ofConsulta(counterpart({ ...PERSON, NombreRazon: '' })),
    ofConsulta(counterpart({ NIF: 'B77777779', NombreRazon: '' })),
  ),
]
