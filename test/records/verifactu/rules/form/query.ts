/** Rows about queries. */
import { asRecipient, both, type Case, CONSULTA, counterpart, PERSON, rowsOf, set, to } from './case.ts'

export const QUERY: readonly Case[] = [
  ...rowsOf(CONSULTA, [
    [1248, 'a month is 01 to 12', 'FiltroConsulta/PeriodoImputacion/Periodo', to('13'), to('12')],
    [1248, 'a year has four digits', 'FiltroConsulta/PeriodoImputacion/Ejercicio', to('27'), to('2026')],
    [1249, 'a representative is marked with S', 'Cabecera/IndicadorRepresentante', to('N'), to('S')],
    [
      1250,
      'a range of dates starts before it ends',
      'FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion/Desde',
      set('FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion', {
        Desde: '02-01-2027',
        Hasta: '31-12-2026',
      }),
      set('FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion', {
        Desde: '31-12-2026',
        Hasta: '02-01-2027',
      }),
    ],
    [
      1261,
      'a recipient has no representative',
      'Cabecera/IndicadorRepresentante',
      both(asRecipient, set('Cabecera/IndicadorRepresentante', 'S')),
      asRecipient,
    ],
    [
      1270,
      'the flag to show the issuer’s name is S or N',
      'DatosAdicionalesRespuesta/MostrarNombreRazonEmisor',
      to('X'),
      to('S'),
    ],
    [
      1271,
      'the flag to show the system is S or N',
      'DatosAdicionalesRespuesta/MostrarSistemaInformatico',
      to('X'),
      to('S'),
    ],
    [
      1272,
      'a recipient is not shown the system',
      'DatosAdicionalesRespuesta/MostrarSistemaInformatico',
      both(asRecipient, set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'S')),
      both(asRecipient, set('DatosAdicionalesRespuesta/MostrarSistemaInformatico', 'N')),
    ],
    [
      1283,
      'a natural person as counterparty has a name',
      'FiltroConsulta/Contraparte/NombreRazon',
      counterpart({ ...PERSON, NombreRazon: '' }),
      counterpart({ NIF: 'B77777779', NombreRazon: '' }),
    ],
  ]),
]
