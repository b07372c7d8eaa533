/**
 * Rules for the rates and surcharges of IVA that the authority accepts on a date. The authority does not check the
 * rates of other taxes.
 */

import { rows } from '#catalogs/verifactu-rates.json'
import type { Text } from '#core/invoice/index.ts'
import { validations } from '../model/laws.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Fail, offline } from './check-declaration.ts'

const hundredths = (percent: number): number => Math.round(percent * 100)

/** Rates in hundredths of a percent. Each rate has one row without surcharge, and one for each of its surcharges. */
const ROWS = rows.map(({ percent, surcharge, ...row }) => ({
  ...row,
  rate: hundredths(percent),
  surcharge: surcharge === null ? undefined : hundredths(surcharge),
}))
type Row = (typeof ROWS)[number]

const rowOf = (rate: number, surcharge?: number): Row | undefined =>
  ROWS.find((row) => row.rate === rate && row.surcharge === surcharge)

const inForce = ({ valid_from, valid_to }: Row, date: string): boolean =>
  valid_from <= date && (valid_to === null || date <= valid_to)

/** Last day of the rates and surcharges from before September 2012, according to the authority. */
const OLD_UNTIL = '2012-12-31'
const OLD_RATE = 1132
const OLD_SURCHARGE = 1135

const LEASE_OF_PREMISES = '11'
const STANDARD_RATE = 2_100

/** Returns the code of a wrong rate; undefined if the rate is valid or not checked. */
export function rateFault(
  { accrualDate: date }: AltaContext,
  { kind, tax, key, rate }: BreakdownLine,
): number | undefined {
  if (kind !== 'S1' || tax !== '01' || rate === undefined) return undefined
  if (key === LEASE_OF_PREMISES) return rate === STANDARD_RATE ? undefined : 1206
  const row = rowOf(rate)
  if (!row) return 1124
  return date === undefined || inForce(row, date) ? undefined : (row.authority_code ?? undefined)
}

/** Codes for a surcharge that does not match its rate, by rate in hundredths of a percent. */
const OTHER_SURCHARGE: Readonly<Record<number, number>> = {
  2100: 1162,
  1000: 1163,
  750: 1169,
  500: 1160,
  400: 1164,
  200: 1166,
}

/** Returns the code of a wrong surcharge at a rate of 0, which depends on the date. */
function zeroRateFault(date: string | undefined): number {
  if (date === undefined || date < '2023-01-01') return 1277
  return date <= '2024-09-30' ? 1165 : 1170
}

/** Returns the code of a wrong surcharge; undefined if it is valid, not checked, or explained by a wrong rate. */
function surchargeFault(context: AltaContext, line: BreakdownLine): number | undefined {
  const { kind, tax, rate, surchargeRate: surcharge } = line
  if (kind !== 'S1' || tax !== '01' || rate === undefined || surcharge === undefined) return undefined
  const date = context.accrualDate
  const known = ROWS.filter((row) => row.surcharge === surcharge)
  const unlisted = known.length > 0 ? undefined : 1127
  const wrongRate = rateFault(context, line)
  if (wrongRate === OLD_RATE) return unlisted
  const pair = rowOf(rate, surcharge)
  const isOld = known.some((row) => row.authority_code === OLD_SURCHARGE)
  if (isOld && !pair && date !== undefined && date > OLD_UNTIL) return OLD_SURCHARGE
  if (wrongRate !== undefined) return unlisted
  if (pair && (date === undefined || inForce(pair, date))) return undefined
  if (rate === 0) return zeroRateFault(date)
  return pair?.authority_code ?? OTHER_SURCHARGE[rate] ?? unlisted
}

const values = ({ record }: AltaContext, { line }: BreakdownLine) => ({
  rate: line.TipoImpositivo,
  surcharge: line.TipoRecargoEquivalencia,
  date: record.FechaOperacion ?? record.IDFactura.FechaExpedicionFactura,
})

const rates = (code: number) => (context: AltaContext, fail: Fail) => {
  for (const line of context.lines)
    if (rateFault(context, line) === code) fail(`${line.path}/TipoImpositivo`, values(context, line))
}

const surcharge = (code: number) => (context: AltaContext, fail: Fail) => {
  for (const line of context.lines)
    if (surchargeFault(context, line) === code)
      fail(`${line.path}/TipoRecargoEquivalencia`, values(context, line))
}

const LAW_OF_RATES = validations('3.1.3.15.1')
const LAW_OF_SURCHARGES = `${validations('3.1.3.15.3')}; art. 161 Ley 37/1992`

/** Formats a rate in Spanish notation. */
const comma = (percent: string): string => percent.replace('.', ',')

const percentage = (percent: string): Text => ({ en: `${percent} %`, es: `${comma(percent)} %` })

/** Declares the code of a temporary rate. */
const passing = (code: number, percent: string, from: string, to: string, decree: string): AuthorityCode =>
  offline({
    code,
    field: 'TipoImpositivo',
    law: `${LAW_OF_RATES}; ${decree}`,
    en: [
      `The rate of ${percent} % was in force from ${from} to ${to}, not on {date}.`,
      'Send the tax rate in force on the operation date, or the right FechaOperacion.',
    ],
    es: [
      `El tipo del ${comma(percent)} % estuvo en vigor del ${from} al ${to}, no el {date}.`,
      'Envíe el tipo vigente en la fecha de operación o la FechaOperacion correcta.',
    ],
    alta: rates(code),
  })

/** Declares the code of the surcharges allowed with a rate. */
const pairs = (
  code: number,
  percent: string,
  allowed: Text,
  when: Text = { en: '', es: '' },
): AuthorityCode =>
  offline({
    code,
    field: 'TipoRecargoEquivalencia',
    law: LAW_OF_SURCHARGES,
    en: [
      `With the rate of ${percent} % the equivalence surcharge is ${allowed.en}${when.en}, not {surcharge} %; the operation is dated {date}.`,
      'Correct the equivalence surcharge and its amount, or omit both if it does not apply to the customer.',
    ],
    es: [
      `Con el tipo del ${comma(percent)} % el recargo es del ${allowed.es}${when.es}, no del {surcharge} %; la operación es del {date}.`,
      'Corrija el recargo y su cuota, u omita los dos si el cliente no lo soporta.',
    ],
    alta: surcharge(code),
  })

const between = (from: string, to: string) => ({ en: ` from ${from} to ${to}`, es: ` del ${from} al ${to}` })

export const RATE_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1124,
    field: 'TipoImpositivo',
    law: `${LAW_OF_RATES}; arts. 90 y 91 Ley 37/1992`,
    en: [
      '{rate} % is not a rate of IVA.',
      'Send 21, 10, 4 or 0. If the rate is of another tax, send the Impuesto of that tax. Never send a rate of another country with S1.',
    ],
    es: [
      'El {rate} % no es un tipo de IVA.',
      'Envíe 21, 10, 4 o 0. Si el tipo es de otro impuesto, envíe el Impuesto que corresponda. No envíe nunca con S1 un tipo de otro país.',
    ],
    alta: rates(1124),
  }),
  offline({
    code: 1132,
    field: 'TipoImpositivo',
    law: `${LAW_OF_RATES}; arts. 90 y 91 Ley 37/1992`,
    en: [
      'The rate of {rate} % ended in 2012; the operation is dated {date}.',
      'Send the tax rate in force on that date, or the right FechaOperacion.',
    ],
    es: [
      'El tipo del {rate} % dejó de aplicarse en 2012; la operación es del {date}.',
      'Envíe el tipo vigente en esa fecha o la FechaOperacion correcta.',
    ],
    alta: rates(1132),
  }),
  passing(1194, '5', '01-07-2022', '30-09-2024', 'RDL 11/2022; RDL 4/2024'),
  passing(1235, '2', '01-10-2024', '31-12-2024', 'RDL 4/2024'),
  passing(1236, '7.5', '01-10-2024', '31-12-2024', 'RDL 4/2024'),
  offline({
    code: 1206,
    field: 'TipoImpositivo',
    law: validations('3.1.3.15.6.8'),
    en: [
      'The rental of business premises (regime key 11) is taxed at 21 %, not at {rate} %.',
      'Send 21, or the regime key that applies.',
    ],
    es: [
      'El alquiler de local de negocio (clave de régimen 11) tributa al 21 %, no al {rate} %.',
      'Envíe 21 o la clave de régimen que corresponda.',
    ],
    alta: rates(1206),
  }),
  offline({
    code: 1127,
    field: 'TipoRecargoEquivalencia',
    law: LAW_OF_SURCHARGES,
    en: [
      '{surcharge} % is not an equivalence surcharge rate.',
      'Send 5.2 (tobacco 1.75) with 21 %, 1.4 with 10 %, 0.5 with 4 %.',
    ],
    es: [
      'El {surcharge} % no es un recargo de equivalencia.',
      'Envíe 5.2 (tabaco 1.75) con el 21 %, 1.4 con el 10 %, 0.5 con el 4 %.',
    ],
    alta: surcharge(1127),
  }),
  offline({
    code: 1135,
    field: 'TipoRecargoEquivalencia',
    law: LAW_OF_SURCHARGES,
    en: [
      'The equivalence surcharge of {surcharge} % ended in 2012; the operation is dated {date}.',
      'Send 5.2 (tobacco 1.75) with 21 %, 1.4 with 10 %, 0.5 with 4 %, or the right FechaOperacion.',
    ],
    es: [
      'El recargo del {surcharge} % dejó de aplicarse en 2012; la operación es del {date}.',
      'Envíe 5.2 (tabaco 1.75) con el 21 %, 1.4 con el 10 %, 0.5 con el 4 %, o la FechaOperacion correcta.',
    ],
    alta: surcharge(1135),
  }),
  pairs(1162, '21', { en: '5.2 % (tobacco 1.75 %)', es: '5,2 % (tabaco, 1,75 %)' }),
  pairs(1163, '10', percentage('1.4')),
  pairs(1164, '4', percentage('0.5')),
  pairs(1160, '5', { en: '0.5 % or 0.62 %', es: '0,5 % o 0,62 %' }),
  pairs(1167, '5', percentage('0.5'), between('01-07-2022', '31-12-2022')),
  pairs(1168, '5', percentage('0.62'), between('01-01-2023', '30-09-2024')),
  pairs(1169, '7.5', percentage('1')),
  pairs(1166, '2', percentage('0.26')),
  pairs(1165, '0', percentage('0'), between('01-01-2023', '30-09-2024')),
  pairs(1170, '0', percentage('0.26'), { en: ' from 01-10-2024 on', es: ' desde el 01-10-2024' }),
  offline({
    code: 1277,
    field: 'TipoRecargoEquivalencia',
    law: LAW_OF_SURCHARGES,
    en: [
      'With the rate of 0 % there was no equivalence surcharge before 2023; the line has {surcharge} % on {date}.',
      'Omit the equivalence surcharge and its amount, or send the right FechaOperacion.',
    ],
    es: [
      'Con el tipo del 0 % no había recargo antes de 2023; la línea lleva el {surcharge} % el {date}.',
      'Omita el recargo y su cuota o envíe la FechaOperacion correcta.',
    ],
    alta: surcharge(1277),
  }),
]
