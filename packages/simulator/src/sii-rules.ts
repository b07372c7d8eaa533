/**
 * The rules of the SII for a single record: error codes that the documentation confirms and that depend neither on the
 * census nor on stored data. The first broken rule determines the code. Rules that reject a record come before rules
 * that accept it with errors.
 */
import { fromFecha, fromImporte } from '#records/fiscal/index.ts'
import { facturaOf, keysOf, paymentsOf } from './sii-messages.ts'
import { type Block, type Book, blockOf, blocksOf, textOf } from './simulator-types.ts'

/** The data of a record for the rules. Amounts are in cents, rates in hundredths of a percent; undefined if missing. */
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
  /** Blocks that contain `Sujeta` and `NoSujeta`: those of the invoice, of services, and of goods. */
  readonly breakdowns: readonly Block[]
  readonly taxed: readonly Taxed[]
  readonly payments: readonly Block[]
}

/** A breakdown entry with rate and tax. */
export interface Taxed {
  /** S1, S2 or S3 for issued invoices; `ISP` or empty for received invoices. */
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

export function readFacts(
  book: Facts['book'],
  operation: string,
  holder: string,
  record: Block,
  today: string,
): Facts {
  const id = blockOf(record.IDFactura)
  const factura = facturaOf(record)
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
    keys: keysOf(record),
    counterparty: factura.Contraparte === undefined ? null : blockOf(factura.Contraparte),
    breakdowns,
    taxed: book === 'ISSUED' ? issuedTaxed(breakdowns) : receivedTaxed(factura),
    payments: paymentsOf(record),
  }
}

type Test = (facts: Facts) => boolean

interface Rule {
  readonly code: number
  readonly isBroken: Test
}

const rule = (code: number, isBroken: Test): Rule => ({ code, isBroken })

const isCorrective = ({ type }: Facts): boolean => /^R[1-5]$/.test(type)
const hasKey = ({ keys }: Facts, ...wanted: readonly string[]): boolean =>
  keys.some((key) => wanted.includes(key))
/**
 * Whether rate and tax are optional: in margin schemes, for travel agencies and for invoices before joining the SII (by
 * regime key), and in simplified and summary invoices (by type).
 */
const mayLackTax = (facts: Facts): boolean =>
  hasKey(facts, '03', '05', '09', '16') || ['F2', 'F4', 'R5'].includes(facts.type)
const isIssued = ({ book, operation }: Facts): boolean => book === 'ISSUED' && /^A\d$/.test(operation)
const isReceived = ({ book, operation }: Facts): boolean => book === 'RECEIVED' && /^A\d$/.test(operation)
const isInvoice = ({ operation }: Facts): boolean => /^A\d$/.test(operation)

/** Whether a required rate or tax is missing in an entry of an issued invoice. */
const lacks = (facts: Facts, name: 'rate' | 'tax'): boolean =>
  isIssued(facts) &&
  !mayLackTax(facts) &&
  facts.taxed.some((one) => one.kind !== 'S2' && one[name] === undefined)

/** Whether a received invoice has an agricultural compensation (REAGYP) without its regime key. */
const hasFarming = (facts: Facts, name: string): boolean =>
  isReceived(facts) && !hasKey(facts, '02') && facts.taxed.some(({ detail }) => detail[name] !== undefined)

/** Whether the document is a customs document, in which the holder is also the counterparty. */
const isCustoms = ({ type }: Facts): boolean => type === 'F5' || type === 'LC'

const identifiers = (facts: Facts): readonly Block[] => [
  blockOf(facts.issuer.IDOtro),
  blockOf(facts.counterparty?.IDOtro),
]
const otherId = (party: Block | null): Block => blockOf(party?.IDOtro)

/** Whether the prefix of a VAT number differs from its country. Greece uses the prefix EL, Northern Ireland XI. */
const hasPrefixMismatch = (party: Block | null): boolean => {
  const { CodigoPais, IDType, ID } = otherId(party)
  const country = textOf(CodigoPais)
  if (textOf(IDType) !== '02' || country === '') return false
  const prefix = textOf(ID).slice(0, 2).toUpperCase()
  return prefix !== ({ GR: 'EL', GB: 'XI' }[country] ?? country)
}

const partiesDiffer = (facts: Facts, of: (party: Block) => string): boolean =>
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

/** Whether the filing period is in the future. */
const isFuture = ({ period, today }: Facts): boolean => {
  const month = /^\d\d$/.test(period.month) ? period.month : '01'
  return `${period.year}-${month}` > today.slice(0, 7)
}

/** Returns the payment entries (`Medio` 03) for amounts that are unpaid at the cash-basis deadline of 31 December. */
const unpaid = ({ payments }: Facts): readonly Block[] =>
  payments.filter((payment) => textOf(payment.Medio) === '03')

const dateOf = (payment: Block): string => fromFecha(textOf(payment.Fecha)) ?? ''

const REJECTING: readonly Rule[] = [
  rule(1106, (facts) => facts.issued === ''),
  rule(1112, (facts) => facts.book === 'ISSUED' && textOf(facts.issuer.NIF) !== facts.holder),
  rule(1125, (facts) => isInvoice(facts) && facts.issued > facts.today),
  rule(
    1126,
    (facts) =>
      isInvoice(facts) &&
      !hasKey(facts, '14', '15') &&
      facts.period.year < Number(facts.today.slice(0, 4)) - 1 &&
      !isCorrective(facts),
  ),
  rule(1145, (facts) => isInvoice(facts) && !hasKey(facts, '14', '15') && isFuture(facts)),
  rule(1121, (facts) => partiesDiffer(facts, (party) => textOf(party.NIF))),
  rule(1118, (facts) => partiesDiffer(facts, (party) => textOf(otherId(party).CodigoPais))),
  rule(1119, (facts) => partiesDiffer(facts, (party) => textOf(otherId(party).IDType))),
  rule(1120, (facts) => partiesDiffer(facts, (party) => textOf(otherId(party).ID))),
  rule(1144, (facts) => isReceived(facts) && isCustoms(facts) && textOf(facts.issuer.NIF) !== facts.holder),
  rule(1124, (facts) =>
    identifiers(facts).some(
      ({ IDType, CodigoPais }) =>
        IDType !== undefined && textOf(IDType) !== '02' && textOf(CodigoPais) === '',
    ),
  ),
  rule(1146, (facts) => hasPrefixMismatch(facts.issuer)),
  rule(1150, (facts) => hasPrefixMismatch(facts.counterparty)),
  rule(1127, (facts) => facts.type === 'F4' && facts.id.NumSerieFacturaEmisorResumenFin === undefined),
  rule(
    1128,
    (facts) =>
      isInvoice(facts) && facts.type !== 'F4' && facts.id.NumSerieFacturaEmisorResumenFin !== undefined,
  ),
  rule(1134, (facts) => isCorrective(facts) && textOf(facts.factura.TipoRectificativa) === ''),
  rule(
    1135,
    (facts) => isInvoice(facts) && !isCorrective(facts) && textOf(facts.factura.TipoRectificativa) !== '',
  ),
  rule(1136, (facts) => facts.factura.FacturasAgrupadas !== undefined && !['F3', 'F4'].includes(facts.type)),
  rule(1137, (facts) => facts.factura.FacturasRectificadas !== undefined && !isCorrective(facts)),
  rule(
    1138,
    (facts) =>
      textOf(facts.factura.TipoRectificativa) === 'S' && facts.factura.ImporteRectificacion === undefined,
  ),
  rule(
    1139,
    (facts) =>
      textOf(facts.factura.TipoRectificativa) !== 'S' && facts.factura.ImporteRectificacion !== undefined,
  ),
  rule(
    1158,
    (facts) => isIssued(facts) && facts.counterparty === null && !['F2', 'F4', 'R5'].includes(facts.type),
  ),
  rule(1160, (facts) => textOf(facts.factura.Cupon) === 'S' && !['R1', 'R5', 'F4'].includes(facts.type)),
  rule(
    1148,
    ({ factura, breakdowns }) =>
      blockOf(factura.TipoDesglose).DesgloseTipoOperacion !== undefined && breakdowns.length === 0,
  ),
  rule(1141, ({ breakdowns }) =>
    breakdowns.some(({ Sujeta, NoSujeta }) => Sujeta === undefined && NoSujeta === undefined),
  ),
  rule(1140, ({ breakdowns }) =>
    breakdowns.some(
      ({ Sujeta }) =>
        Sujeta !== undefined &&
        blockOf(Sujeta).Exenta === undefined &&
        blockOf(Sujeta).NoExenta === undefined,
    ),
  ),
  rule(1115, ({ breakdowns }) =>
    breakdowns.some(({ NoSujeta }) => NoSujeta !== undefined && Object.keys(blockOf(NoSujeta)).length === 0),
  ),
  rule(
    1157,
    (facts) => isReceived(facts) && Object.keys(blockOf(facts.factura.DesgloseFactura)).length === 0,
  ),
  rule(1155, ({ factura }) =>
    blocksOf(blockOf(factura.DatosInmueble).DetalleInmueble).some(
      ({ SituacionInmueble, ReferenciaCatastral }) =>
        textOf(SituacionInmueble) !== '3' && textOf(ReferenciaCatastral) === '',
    ),
  ),
  rule(1218, (facts) => lacks(facts, 'rate')),
  rule(1219, (facts) => lacks(facts, 'tax')),
  rule(
    1226,
    (facts) => isInvoice(facts) && facts.taxed.some(({ rate, tax }) => rate === 0 && (tax ?? 0) !== 0),
  ),
  rule(1194, ({ taxed }) =>
    taxed.some(
      ({ rate, surchargeRate }) =>
        rate !== undefined &&
        surchargeRate !== undefined &&
        surchargeRate !== 0 &&
        !(SURCHARGES[rate] ?? [surchargeRate]).includes(surchargeRate),
    ),
  ),
  rule(
    1212,
    (facts) => isReceived(facts) && hasKey(facts, '13') && amount(facts.factura.CuotaDeducible) !== 0,
  ),
  rule(
    1213,
    (facts) =>
      isReceived(facts) &&
      !hasKey(facts, '02', '13') &&
      (amount(facts.factura.CuotaDeducible) ?? 0) >
        sum(facts.taxed.map(({ tax }) => Math.max(tax ?? 0, 0))) + 100,
  ),
  rule(1151, (facts) => unpaid(facts).some((payment) => !dateOf(payment).endsWith('-12-31'))),
  rule(1152, (facts) => unpaid(facts).some((payment) => textOf(payment.Cuenta_O_Medio) !== '')),
]

const ACCEPTING: readonly Rule[] = [
  rule(
    2000,
    (facts) => isIssued(facts) && hasKey(facts, '12', '13') && facts.factura.DatosInmueble === undefined,
  ),
  rule(
    2002,
    (facts) => isIssued(facts) && !hasKey(facts, '12', '13') && facts.factura.DatosInmueble !== undefined,
  ),
  rule(
    2001,
    (facts) => isIssued(facts) && !hasKey(facts, '06') && facts.factura.BaseImponibleACoste !== undefined,
  ),
  rule(
    2005,
    (facts) => isReceived(facts) && !hasKey(facts, '06') && facts.factura.BaseImponibleACoste !== undefined,
  ),
  rule(
    2006,
    (facts) =>
      isIssued(facts) &&
      !['F2', 'F4', 'R5'].includes(facts.type) &&
      facts.counterparty !== null &&
      (facts.counterparty.IDOtro !== undefined || textOf(facts.counterparty.NIF).startsWith('N')) &&
      blockOf(facts.factura.TipoDesglose).DesgloseFactura !== undefined,
  ),
  rule(2008, (facts) => hasFarming(facts, 'PorcentCompensacionREAGYP')),
  rule(2009, (facts) => hasFarming(facts, 'ImporteCompensacionREAGYP')),
  rule(
    2041,
    (facts) =>
      isInvoice(facts) && hasKey(facts, '03', '05', '09') && facts.factura.ImporteTotal === undefined,
  ),
]

/** Returns the code of the first rule that a record breaks; undefined if it breaks none. */
export const codeOfFacts = (facts: Facts): number | undefined =>
  [...REJECTING, ...ACCEPTING].find(({ isBroken }) => isBroken(facts))?.code

/** The codes of all rules. */
export const RULE_CODES: readonly number[] = [...REJECTING, ...ACCEPTING].map(({ code }) => code)
