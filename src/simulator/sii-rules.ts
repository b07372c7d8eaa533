/**
 * What the SII says of a record from the record alone: the codes that its documentation confirms and that need neither
 * census nor stored data (reference, section 8). First match wins; what rejects comes before what is accepted with errors.
 */
import { fromFecha, fromImporte } from '../fiscal/literals.ts'
import { type Block, type Book, blockOf, blocksOf, textOf } from './types.ts'

/** A record read once. Amounts in cents, rates in hundredths of a percent; undefined where absent. */
export interface Facts {
  readonly book: Exclude<Book, ''>
  readonly operation: string
  readonly holder: string
  /** `yyyy-mm-dd`, in Madrid. */
  readonly today: string
  readonly period: { readonly year: number; readonly month: string }
  readonly id: Block
  readonly issuer: Block
  readonly issued: string
  readonly factura: Block
  readonly type: string
  readonly keys: readonly string[]
  readonly counterparty: Block | null
  /** Blocks with what is subject and what is not: of the invoice, of services, of goods. */
  readonly breakdowns: readonly Block[]
  readonly taxed: readonly Taxed[]
  readonly payments: readonly Block[]
}

/** A detail with rate and tax. */
export interface Taxed {
  /** S1, S2 or S3 of an issued invoice; `ISP` or nothing of a received one. */
  readonly kind: string
  readonly rate: number | undefined
  readonly base: number | undefined
  readonly tax: number | undefined
  readonly surchargeRate: number | undefined
  readonly detail: Block
}

const amount = (value: unknown): number | undefined => fromImporte(textOf(value))

function taxedOf(kind: string, detail: Block): Taxed {
  return {
    kind,
    rate: amount(detail.TipoImpositivo),
    base: amount(detail.BaseImponible),
    tax: amount(detail.CuotaRepercutida ?? detail.CuotaSoportada),
    surchargeRate: amount(detail.TipoRecargoEquivalencia),
    detail,
  }
}

function issuedBreakdowns(factura: Block): readonly Block[] {
  const { DesgloseFactura, DesgloseTipoOperacion } = blockOf(factura.TipoDesglose)
  const { PrestacionServicios, Entrega } = blockOf(DesgloseTipoOperacion)
  return [DesgloseFactura, PrestacionServicios, Entrega].flatMap((one) =>
    one === undefined ? [] : [blockOf(one)],
  )
}

const issuedTaxed = (breakdowns: readonly Block[]): Taxed[] =>
  breakdowns.flatMap(({ Sujeta }) => {
    const { TipoNoExenta, DesgloseIVA } = blockOf(blockOf(Sujeta).NoExenta)
    return blocksOf(blockOf(DesgloseIVA).DetalleIVA).map((detail) => taxedOf(textOf(TipoNoExenta), detail))
  })

function receivedTaxed(factura: Block): Taxed[] {
  const { InversionSujetoPasivo, DesgloseIVA } = blockOf(factura.DesgloseFactura)
  return [
    ...blocksOf(blockOf(InversionSujetoPasivo).DetalleIVA).map((detail) => taxedOf('ISP', detail)),
    ...blocksOf(blockOf(DesgloseIVA).DetalleIVA).map((detail) => taxedOf('', detail)),
  ]
}

export function factsOf(
  book: Facts['book'],
  operation: string,
  holder: string,
  record: Block,
  today: string,
): Facts {
  const id = blockOf(record.IDFactura)
  const factura = blockOf(record.FacturaExpedida ?? record.FacturaRecibida)
  const period = blockOf(record.PeriodoLiquidacion)
  const breakdowns = book === 'ISSUED' ? issuedBreakdowns(factura) : []
  return {
    book,
    operation,
    holder,
    today,
    period: { year: Number(textOf(period.Ejercicio)), month: textOf(period.Periodo) },
    id,
    issuer: blockOf(id.IDEmisorFactura),
    issued: fromFecha(textOf(id.FechaExpedicionFacturaEmisor)) ?? '',
    factura,
    type: textOf(factura.TipoFactura),
    keys: ['', 'Adicional1', 'Adicional2']
      .map((suffix) => textOf(factura[`ClaveRegimenEspecialOTrascendencia${suffix}`]))
      .filter(Boolean),
    counterparty: factura.Contraparte === undefined ? null : blockOf(factura.Contraparte),
    breakdowns,
    taxed: book === 'ISSUED' ? issuedTaxed(breakdowns) : receivedTaxed(factura),
    payments: [...blocksOf(blockOf(record.Cobros).Cobro), ...blocksOf(blockOf(record.Pagos).Pago)],
  }
}

type Test = (facts: Facts) => boolean

interface Rule {
  readonly code: number
  readonly broken: Test
}

const isCorrective = ({ type }: Facts): boolean => /^R[1-5]$/.test(type)
const hasKey = ({ keys }: Facts, ...wanted: readonly string[]): boolean =>
  keys.some((key) => wanted.includes(key))
/** Margin, travel agencies, and invoices before the holder joined: tax and rate may be left out. */
const mayLackTax = (facts: Facts): boolean =>
  hasKey(facts, '03', '05', '09', '16') || ['F2', 'F4', 'R5'].includes(facts.type)
const isIssued = ({ book, operation }: Facts): boolean => book === 'ISSUED' && /^A\d$/.test(operation)
const isReceived = ({ book, operation }: Facts): boolean => book === 'RECEIVED' && /^A\d$/.test(operation)
const isInvoice = ({ operation }: Facts): boolean => /^A\d$/.test(operation)

/** Documents of customs, in which the holder stands as its own counterparty. */
const isCustoms = ({ type }: Facts): boolean => type === 'F5' || type === 'LC'

const identifiers = (facts: Facts): readonly Block[] => [
  blockOf(facts.issuer.IDOtro),
  blockOf(facts.counterparty?.IDOtro),
]
const otherId = (party: Block | null): Block => blockOf(party?.IDOtro)

/** Prefix of a VAT number against the country, which Greece and Northern Ireland write otherwise. */
const disagrees = (party: Block | null): boolean => {
  const { CodigoPais, IDType, ID } = otherId(party)
  const country = textOf(CodigoPais)
  if (textOf(IDType) !== '02' || country === '') return false
  const prefix = textOf(ID).slice(0, 2).toUpperCase()
  return prefix !== ({ GR: 'EL', GB: 'XI' }[country] ?? country)
}

const differs = (facts: Facts, of: (party: Block) => string): boolean =>
  isReceived(facts) && facts.counterparty !== null && of(facts.issuer) !== of(facts.counterparty)

const SURCHARGES: Readonly<Record<number, readonly number[]>> = {
  2100: [520, 175],
  1000: [140],
  750: [100],
  500: [50, 62],
  400: [50],
  200: [26],
  0: [0],
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0)

/** Month of a settlement that lies in the future, unless the tax is pending. */
const isFuture = ({ period, today }: Facts): boolean => {
  const month = /^\d\d$/.test(period.month) ? period.month : '01'
  return `${period.year}-${month}` > today.slice(0, 7)
}

const dateOf = (payment: Block): string => fromFecha(textOf(payment.Fecha)) ?? ''

const REJECTING: readonly Rule[] = [
  { code: 1106, broken: (facts) => facts.issued === '' },
  { code: 1112, broken: (facts) => facts.book === 'ISSUED' && textOf(facts.issuer.NIF) !== facts.holder },
  { code: 1125, broken: (facts) => isInvoice(facts) && facts.issued > facts.today },
  {
    code: 1126,
    broken: (facts) =>
      isInvoice(facts) &&
      !hasKey(facts, '14', '15') &&
      facts.period.year < Number(facts.today.slice(0, 4)) - 1 &&
      !isCorrective(facts),
  },
  { code: 1145, broken: (facts) => isInvoice(facts) && !hasKey(facts, '14', '15') && isFuture(facts) },
  { code: 1121, broken: (facts) => differs(facts, (party) => textOf(party.NIF)) },
  { code: 1118, broken: (facts) => differs(facts, (party) => textOf(otherId(party).CodigoPais)) },
  { code: 1119, broken: (facts) => differs(facts, (party) => textOf(otherId(party).IDType)) },
  { code: 1120, broken: (facts) => differs(facts, (party) => textOf(otherId(party).ID)) },
  {
    code: 1144,
    broken: (facts) => isReceived(facts) && isCustoms(facts) && textOf(facts.issuer.NIF) !== facts.holder,
  },
  {
    code: 1124,
    broken: (facts) =>
      identifiers(facts).some(
        ({ IDType, CodigoPais }) =>
          IDType !== undefined && textOf(IDType) !== '02' && textOf(CodigoPais) === '',
      ),
  },
  { code: 1146, broken: (facts) => disagrees(facts.issuer) },
  { code: 1150, broken: (facts) => disagrees(facts.counterparty) },
  {
    code: 1127,
    broken: (facts) => facts.type === 'F4' && facts.id.NumSerieFacturaEmisorResumenFin === undefined,
  },
  {
    code: 1128,
    broken: (facts) =>
      isInvoice(facts) && facts.type !== 'F4' && facts.id.NumSerieFacturaEmisorResumenFin !== undefined,
  },
  { code: 1134, broken: (facts) => isCorrective(facts) && textOf(facts.factura.TipoRectificativa) === '' },
  {
    code: 1135,
    broken: (facts) =>
      isInvoice(facts) && !isCorrective(facts) && textOf(facts.factura.TipoRectificativa) !== '',
  },
  {
    code: 1136,
    broken: (facts) => facts.factura.FacturasAgrupadas !== undefined && !['F3', 'F4'].includes(facts.type),
  },
  {
    code: 1137,
    broken: (facts) => facts.factura.FacturasRectificadas !== undefined && !isCorrective(facts),
  },
  {
    code: 1138,
    broken: (facts) =>
      textOf(facts.factura.TipoRectificativa) === 'S' && facts.factura.ImporteRectificacion === undefined,
  },
  {
    code: 1139,
    broken: (facts) =>
      textOf(facts.factura.TipoRectificativa) !== 'S' && facts.factura.ImporteRectificacion !== undefined,
  },
  {
    code: 1158,
    broken: (facts) =>
      isIssued(facts) && facts.counterparty === null && !['F2', 'F4', 'R5'].includes(facts.type),
  },
  {
    code: 1160,
    broken: (facts) => textOf(facts.factura.Cupon) === 'S' && !['R1', 'R5', 'F4'].includes(facts.type),
  },
  {
    code: 1148,
    broken: ({ factura, breakdowns }) =>
      blockOf(factura.TipoDesglose).DesgloseTipoOperacion !== undefined && breakdowns.length === 0,
  },
  {
    code: 1141,
    broken: ({ breakdowns }) =>
      breakdowns.some(({ Sujeta, NoSujeta }) => Sujeta === undefined && NoSujeta === undefined),
  },
  {
    code: 1140,
    broken: ({ breakdowns }) =>
      breakdowns.some(
        ({ Sujeta }) =>
          Sujeta !== undefined &&
          blockOf(Sujeta).Exenta === undefined &&
          blockOf(Sujeta).NoExenta === undefined,
      ),
  },
  {
    code: 1115,
    broken: ({ breakdowns }) =>
      breakdowns.some(
        ({ NoSujeta }) => NoSujeta !== undefined && Object.keys(blockOf(NoSujeta)).length === 0,
      ),
  },
  {
    code: 1157,
    broken: (facts) => isReceived(facts) && Object.keys(blockOf(facts.factura.DesgloseFactura)).length === 0,
  },
  {
    code: 1155,
    broken: ({ factura }) =>
      blocksOf(blockOf(factura.DatosInmueble).DetalleInmueble).some(
        ({ SituacionInmueble, ReferenciaCatastral }) =>
          textOf(SituacionInmueble) !== '3' && textOf(ReferenciaCatastral) === '',
      ),
  },
  {
    code: 1218,
    broken: (facts) =>
      isIssued(facts) &&
      !mayLackTax(facts) &&
      facts.taxed.some(({ kind, rate }) => kind !== 'S2' && rate === undefined),
  },
  {
    code: 1219,
    broken: (facts) =>
      isIssued(facts) &&
      !mayLackTax(facts) &&
      facts.taxed.some(({ kind, tax }) => kind !== 'S2' && tax === undefined),
  },
  {
    code: 1226,
    broken: (facts) =>
      isInvoice(facts) && facts.taxed.some(({ rate, tax }) => rate === 0 && (tax ?? 0) !== 0),
  },
  {
    code: 1194,
    broken: ({ taxed }) =>
      taxed.some(
        ({ rate, surchargeRate }) =>
          rate !== undefined &&
          surchargeRate !== undefined &&
          surchargeRate !== 0 &&
          !(SURCHARGES[rate] ?? [surchargeRate]).includes(surchargeRate),
      ),
  },
  {
    code: 1212,
    broken: (facts) => isReceived(facts) && hasKey(facts, '13') && amount(facts.factura.CuotaDeducible) !== 0,
  },
  {
    code: 1213,
    broken: (facts) =>
      isReceived(facts) &&
      !hasKey(facts, '02', '13') &&
      (amount(facts.factura.CuotaDeducible) ?? 0) >
        sum(facts.taxed.map(({ tax }) => Math.max(tax ?? 0, 0))) + 100,
  },
  {
    code: 1151,
    broken: ({ payments }) =>
      payments.some((payment) => textOf(payment.Medio) === '03' && !dateOf(payment).endsWith('-12-31')),
  },
  {
    code: 1152,
    broken: ({ payments }) =>
      payments.some((payment) => textOf(payment.Medio) === '03' && textOf(payment.Cuenta_O_Medio) !== ''),
  },
]

const ACCEPTING: readonly Rule[] = [
  {
    code: 2000,
    broken: (facts) =>
      isIssued(facts) && hasKey(facts, '12', '13') && facts.factura.DatosInmueble === undefined,
  },
  {
    code: 2002,
    broken: (facts) =>
      isIssued(facts) && !hasKey(facts, '12', '13') && facts.factura.DatosInmueble !== undefined,
  },
  {
    code: 2001,
    broken: (facts) =>
      isIssued(facts) && !hasKey(facts, '06') && facts.factura.BaseImponibleACoste !== undefined,
  },
  {
    code: 2005,
    broken: (facts) =>
      isReceived(facts) && !hasKey(facts, '06') && facts.factura.BaseImponibleACoste !== undefined,
  },
  {
    code: 2006,
    broken: (facts) =>
      isIssued(facts) &&
      !['F2', 'F4', 'R5'].includes(facts.type) &&
      facts.counterparty !== null &&
      (facts.counterparty.IDOtro !== undefined || textOf(facts.counterparty.NIF).startsWith('N')) &&
      blockOf(facts.factura.TipoDesglose).DesgloseFactura !== undefined,
  },
  {
    code: 2008,
    broken: (facts) =>
      isReceived(facts) &&
      !hasKey(facts, '02') &&
      facts.taxed.some(({ detail }) => detail.PorcentCompensacionREAGYP !== undefined),
  },
  {
    code: 2009,
    broken: (facts) =>
      isReceived(facts) &&
      !hasKey(facts, '02') &&
      facts.taxed.some(({ detail }) => detail.ImporteCompensacionREAGYP !== undefined),
  },
  {
    code: 2041,
    broken: (facts) =>
      isInvoice(facts) && hasKey(facts, '03', '05', '09') && facts.factura.ImporteTotal === undefined,
  },
]

/** The code that a record earns by itself; undefined for one that is right. */
export const codeOfFacts = (facts: Facts): number | undefined =>
  [...REJECTING, ...ACCEPTING].find(({ broken }) => broken(facts))?.code

/** Every code that is decided from the record alone. */
export const DECIDED: readonly number[] = [...REJECTING, ...ACCEPTING].map(({ code }) => code)
