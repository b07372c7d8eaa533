/** Rules for queries: the querying party, the month, and the requested data. */
import { fromFecha } from '../../fiscal/literals.ts'
import { ERROR_LIST, service } from '../model/laws.ts'
import { type AuthorityCode, isText, offline } from './check-declaration.ts'
import { isBlank, isNameRequired } from './identity-checks.ts'

export const QUERY_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1248,
    field: 'Periodo',
    law: service('6.4.1'),
    en: [
      '"{received}" is not a valid year or month.',
      'Send the year in Ejercicio with four digits and the month in Periodo with two, 01 to 12.',
    ],
    es: [
      '«{received}» no es un año o un mes válido.',
      'Envíe el año en Ejercicio con cuatro cifras y el mes en Periodo con dos, de 01 a 12.',
    ],
    structure: (violation) => violation.parent === 'PeriodoImputacion' && isText(violation),
  }),
  offline({
    code: 1249,
    field: 'IndicadorRepresentante',
    law: service('6.5.1, L1C'),
    en: [
      'IndicadorRepresentante is "{received}".',
      'Send S to query as the representative of the taxpayer, or omit it.',
    ],
    es: [
      'IndicadorRepresentante es «{received}».',
      'Envíe S para consultar como representante del obligado, u omítalo.',
    ],
    structure: (violation) => violation.field === 'IndicadorRepresentante' && isText(violation),
  }),
  offline({
    code: 1250,
    field: 'RangoFechaExpedicion',
    law: service('6.4.1'),
    en: ['The range of dates ends ({until}) before it starts ({received}).', 'Swap Desde and Hasta.'],
    es: ['El rango de fechas termina ({until}) antes de empezar ({received}).', 'Intercambie Desde y Hasta.'],
    consulta({ record }, fail) {
      const range = record.FiltroConsulta.FechaExpedicionFactura?.RangoFechaExpedicion
      const from = fromFecha(range?.Desde)
      const until = fromFecha(range?.Hasta)
      if (from !== undefined && until !== undefined && from > until)
        fail('/FiltroConsulta/FechaExpedicionFactura/RangoFechaExpedicion/Desde', {
          received: range?.Desde,
          until: range?.Hasta,
        })
    },
  }),
  offline({
    code: 1261,
    field: 'IndicadorRepresentante',
    law: service('6.4.1'),
    en: [
      'The query is made as a recipient, but a representative can only query on behalf of the issuer.',
      'Omit IndicadorRepresentante, or query with ObligadoEmision instead of Destinatario.',
    ],
    es: [
      'La consulta es de un destinatario, pero solo se puede consultar como representante del emisor.',
      'Omita IndicadorRepresentante, o consulte con ObligadoEmision en lugar de Destinatario.',
    ],
    consulta({ record: { Cabecera: header } }, fail) {
      if (header.IndicadorRepresentante === 'S' && header.Destinatario && !header.ObligadoEmision)
        fail('/Cabecera/IndicadorRepresentante', { received: header.IndicadorRepresentante })
    },
  }),
  offline({
    code: 1270,
    field: 'MostrarNombreRazonEmisor',
    law: service('6.4.1'),
    en: ['MostrarNombreRazonEmisor is "{received}".', 'Send S or N, or omit it; S slows the query down.'],
    es: [
      'MostrarNombreRazonEmisor es «{received}».',
      'Envíe S o N, u omítalo; S hace más lenta la consulta.',
    ],
    structure: (violation) => violation.field === 'MostrarNombreRazonEmisor' && isText(violation),
  }),
  offline({
    code: 1271,
    field: 'MostrarSistemaInformatico',
    law: service('6.4.1'),
    en: ['MostrarSistemaInformatico is "{received}".', 'Send S or N, or omit it; S slows the query down.'],
    es: [
      'MostrarSistemaInformatico es «{received}».',
      'Envíe S o N, u omítalo; S hace más lenta la consulta.',
    ],
    structure: (violation) => violation.field === 'MostrarSistemaInformatico' && isText(violation),
  }),
  offline({
    code: 1272,
    field: 'MostrarSistemaInformatico',
    law: service('6.4.1'),
    en: [
      'A recipient requests the system of the issuer, which is not shown to recipients.',
      'Send N in MostrarSistemaInformatico, or omit it.',
    ],
    es: [
      'Un destinatario pide el sistema informático del emisor, que no se muestra a los destinatarios.',
      'Envíe N en MostrarSistemaInformatico, u omítalo.',
    ],
    consulta({ record }, fail) {
      const { Destinatario, ObligadoEmision } = record.Cabecera
      if (
        record.DatosAdicionalesRespuesta?.MostrarSistemaInformatico === 'S' &&
        Destinatario &&
        !ObligadoEmision
      )
        fail('/DatosAdicionalesRespuesta/MostrarSistemaInformatico', { received: 'S' })
    },
  }),
  offline({
    code: 1283,
    field: 'Contraparte/NombreRazon',
    law: ERROR_LIST,
    en: [
      'The counterparty {received} is a natural person without a name.',
      'Add the name as it is in the census (surnames first).',
    ],
    es: [
      'La contraparte {received} es una persona física sin nombre.',
      'Añada el nombre tal como figura en el censo (apellidos primero).',
    ],
    consulta({ record }, fail) {
      const { NombreRazon: name, NIF: nif } = record.FiltroConsulta.Contraparte ?? {}
      if (isBlank(name) && isNameRequired(nif))
        fail('/FiltroConsulta/Contraparte/NombreRazon', { received: nif })
    },
  }),
]
