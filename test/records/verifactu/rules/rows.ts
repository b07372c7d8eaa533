/**
 * Tests of the authority's checks of the content of a record. Each row changes a valid record and lists everything that
 * must be reported; its near miss is as close as possible and reports nothing.
 */
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { FiscalRecord } from '#records/verifactu/model/verifactu-record-types.ts'
import { type CheckOptions, checkRecord } from '#records/verifactu/rules/check.ts'
import type { AuthorityCode } from '#records/verifactu/rules/index.ts'
import { alta, anulacion, evento } from '../records.ts'
import { itemLines, matchesTable } from './tables.ts'

/** Values by JSON Pointer; undefined removes the member. */
export type Changes = Readonly<Record<string, unknown>>

function put(record: object, changes: Changes): void {
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.slice(1).split('/')
    const last = required(names.pop())
    let block = record as Record<string, unknown>
    for (const name of names) {
      block[name] ??= {}
      block = block[name] as Record<string, unknown>
    }
    if (value === undefined) delete block[last]
    else block[last] = structuredClone(value)
  }
}

const FIXTURES = {
  alta: (changes: Changes, rehash: boolean): FiscalRecord => alta((record) => put(record, changes), rehash),
  anulacion: (changes: Changes, rehash: boolean): FiscalRecord =>
    anulacion((record) => put(record, changes), rehash),
  evento: (changes: Changes, rehash: boolean): FiscalRecord =>
    evento((record) => put(record, changes), rehash),
}

interface Setting {
  /** Kind of the changed record. Default: a registration. */
  readonly of?: keyof typeof FIXTURES
  readonly options?: CheckOptions
  /** What the wrong and the right record have in common. */
  readonly base?: Changes
  /** False keeps the hash, or sets the one of the row. */
  readonly rehash?: boolean
}

export interface Row extends Setting {
  readonly code: number
  readonly holds: string
  readonly wrong: Changes
  /** `code path` of everything reported, without the root element. */
  readonly items: readonly string[]
  readonly right: Changes
  /** Additional setting of the near miss. */
  readonly rightSetting?: Setting
}

export const row = (
  code: number,
  holds: string,
  wrong: Changes,
  at: string | readonly string[],
  right: Changes,
  setting: Setting = {},
  rightSetting: Setting = {},
): Row => ({
  code,
  holds,
  wrong,
  items: (typeof at === 'string' ? [at] : at).map((item) =>
    item.startsWith('/') ? `${code} ${item}` : item,
  ),
  right,
  ...setting,
  rightSetting: { ...setting, ...rightSetting },
})

/** A row about one member of a record that has a wrong value. */
export const wrongMember = (
  code: number,
  holds: string,
  pointer: string,
  value: unknown,
  right: Changes = {},
  setting: Setting = {},
): Row => row(code, holds, { [pointer]: value }, pointer, right, setting)

/** A row about one member of a record, with its wrong and its right value. */
export const member = (
  code: number,
  holds: string,
  pointer: string,
  wrong: unknown,
  right: unknown,
  setting: Setting = {},
): Row => wrongMember(code, holds, pointer, wrong, { [pointer]: right }, setting)

// ---- Variants: changes that keep a registration valid ----

export const LINE = '/Desglose/DetalleDesglose/0'
export const RATE = `${LINE}/TipoImpositivo`
export const TAX = `${LINE}/CuotaRepercutida`
export const SURCHARGE = `${LINE}/TipoRecargoEquivalencia`
export const SURCHARGE_TAX = `${LINE}/CuotaRecargoEquivalencia`
export const QUALIFICATION = `${LINE}/CalificacionOperacion`
export const EXEMPTION = `${LINE}/OperacionExenta`
export const COST = `${LINE}/BaseImponibleACoste`
export const line = (members: Changes): Changes =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${LINE}/${name}`, value]))

export const totals = (tax: string, total: string): Changes => ({
  '/CuotaTotal': tax,
  '/ImporteTotal': total,
})

const untaxed = (members: Changes): Changes => ({
  ...line({ TipoImpositivo: undefined, CuotaRepercutida: undefined, ...members }),
  ...totals('0.00', '100.00'),
})
export const N = (kind: string, members: Changes = {}) => untaxed({ CalificacionOperacion: kind, ...members })
export const E = (exemption: string, members: Changes = {}) =>
  untaxed({ CalificacionOperacion: undefined, OperacionExenta: exemption, ...members })
export const S2 = (members: Changes = {}): Changes => ({
  ...line({ CalificacionOperacion: 'S2', TipoImpositivo: '0', CuotaRepercutida: '0', ...members }),
  ...totals('0.00', '100.00'),
})

/** A taxed line of 100.00 at a rate, with an optional surcharge and date. */
export function rated(rate: number, date?: string, surcharge?: number, members: Changes = {}): Changes {
  const tax = rate + (surcharge ?? 0)
  return {
    ...(date === undefined ? {} : { '/FechaOperacion': date }),
    ...line({
      TipoImpositivo: String(rate),
      CuotaRepercutida: rate.toFixed(2),
      ...(surcharge === undefined
        ? {}
        : { TipoRecargoEquivalencia: String(surcharge), CuotaRecargoEquivalencia: surcharge.toFixed(2) }),
      ...members,
    }),
    ...totals(tax.toFixed(2), (100 + tax).toFixed(2)),
  }
}

export const F2: Changes = { '/TipoFactura': 'F2', '/Destinatarios': undefined }
export const R5: Changes = { ...F2, '/TipoFactura': 'R5', '/TipoRectificativa': 'I' }
export const R1: Changes = { '/TipoFactura': 'R1', '/TipoRectificativa': 'I' }
export const AMOUNTS = { BaseRectificada: '100.00', CuotaRectificada: '21.00' }
export const R1S: Changes = { ...R1, '/TipoRectificativa': 'S', '/ImporteRectificacion': AMOUNTS }

export const INVOICE = {
  IDEmisorFactura: 'B12345674',
  NumSerieFactura: 'A-0',
  FechaExpedicionFactura: '01-12-2026',
}

export const RECIPIENT = '/Destinatarios/IDDestinatario/0'
export const foreign = (IDType: string): Changes => ({
  [`${RECIPIENT}/NIF`]: undefined,
  [`${RECIPIENT}/IDOtro`]:
    IDType === '02'
      ? { IDType, ID: 'FR40303265045' }
      : IDType === '07'
        ? { CodigoPais: 'ES', IDType, ID: '12345678Z' }
        : { CodigoPais: 'FR', IDType, ID: 'X12345' },
})

/** Certified works for a town. */
export const WORKS: Changes = {
  ...line({ ClaveRegimen: '14' }),
  '/FechaOperacion': '15-02-2027',
  [`${RECIPIENT}/NIF`]: 'P1234567D',
}

export const ISSUE = '/IDFactura/FechaExpedicionFactura'
export const TIMESTAMP = '/FechaHoraHusoGenRegistro'
export const HASH_A = 'A'.repeat(64)
export const IPSI = { Impuesto: '02' }
export const key = (ClaveRegimen: string): Changes => ({ ClaveRegimen })
/** Keeps the hash. */
export const KEEP: Setting = { rehash: false }

const ROOTS = { alta: '/RegistroAlta', anulacion: '/RegistroAnulacion', evento: '/RegistroEvento' }

export const record = ({ of = 'alta', rehash = true, base }: Setting, changes: Changes): FiscalRecord =>
  FIXTURES[of]({ ...base, ...changes }, rehash)

const reported = (setting: Setting, changes: Changes): string[] => {
  const root = ROOTS[setting.of ?? 'alta']
  return checkRecord(record(setting, changes), setting.options).map(({ code, path, extra }) => {
    expect(code).toBe(`aeat.${extra?.authority_code}`)
    expect(path.startsWith(root)).toBe(true)
    return `${extra?.authority_code} ${path.slice(root.length)}`
  })
}

/** Tests the rows of a file of rules, and that every code has a row. `name` is that of the table of the items. */
export function holdsTo(name: string, codes: readonly AuthorityCode[], rows: readonly Row[]): void {
  it.each(rows.map((one) => [one.code, one.holds, one] as const))('%i: %s', (_code, _holds, one) => {
    expect(reported(one, one.wrong).toSorted()).toEqual([...one.items].toSorted())
    expect(reported(one.rightSetting ?? {}, one.right)).toEqual([])
  })

  it('has a row for every code that is decided offline', () => {
    const declared = codes.filter(({ offline }) => offline).map(({ code }) => code)
    expect([...new Set(rows.map(({ code }) => code))].toSorted()).toEqual(declared.toSorted())
  })

  it('reports every value that explains a problem', async () => {
    const lines = rows.flatMap((one) => [
      `${one.code}: ${one.holds}`,
      ...itemLines(checkRecord(record(one, one.wrong), one.options)),
    ])
    await matchesTable(`items-of-${name}`, lines)
  })

  it('has messages in both languages, with every value filled in', () => {
    for (const one of rows)
      for (const locale of ['en', 'es'] as const)
        for (const { message } of checkRecord(record(one, one.wrong), { ...one.options, locale })) {
          expect(message, one.holds).not.toMatch(/—|\{|\}|undefined|null|«»|""|\[object/)
          expect(message, one.holds).toMatch(/^\S.*\(AEAT \d{4}; .+\)$/)
        }
  })
}
