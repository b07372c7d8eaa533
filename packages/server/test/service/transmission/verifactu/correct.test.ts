/**
 * `verifactu correct` for all of tables 7.1 and 7.2: a record with every combination of marks, every rejection of it,
 * and the next record, which the authority accepts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FiscalRecord,
  type NextOptions,
  RESPONSE_ROWS,
  type Refusal,
  verifyChain,
} from '#records/verifactu/index.ts'
import { correctRecord } from '../../../../src/service/verifactu/correct.ts'
import { storeCancellation, storeFurtherRegistration } from '../../../../src/service/verifactu/register.ts'
import { openPeriodOf } from '../../../../src/service/verifactu/verifactu-period.ts'
import { documentOf } from '../../../../src/store/invoices.ts'
import { VerifactuFixture } from './fixture.ts'

let fixture: VerifactuFixture
beforeAll(async () => {
  fixture = await VerifactuFixture.open()
})
afterAll(() => fixture?.close())

const OTHER_HASH = 'F'.repeat(64)
const DAY = '20-11-2026'

/** Code of each rejection, and the record that the authority has then. */
const REFUSALS: Readonly<
  Record<
    Refusal,
    {
      readonly code: number
      readonly as?: string
      readonly has: 'nothing' | 'alta' | 'anulada' | 'what it had'
    }
  >
> = {
  other: { code: 1110, has: 'what it had' },
  no_record: { code: 3002, has: 'nothing' },
  registered: { code: 3000, as: 'Correcta', has: 'alta' },
  cancelled: { code: 3000, as: 'Anulada', has: 'anulada' },
  duplicate: { code: 3000, has: 'what it had' },
  form: { code: 3004, has: 'alta' },
}

const optionsOf = ({
  Subsanacion,
  RechazoPrevio,
  SinRegistroPrevio,
}: (typeof RESPONSE_ROWS)[number]['marks']) => ({
  alta: Subsanacion
    ? {
        correction:
          (RechazoPrevio && ({ S: 'rejected', X: 'never_registered' } as const)[RechazoPrevio]) ??
          ('none' as const),
      }
    : {},
  anulacion: {
    ...(RechazoPrevio ? { rejected: true } : {}),
    ...(SinRegistroPrevio ? { never_registered: true } : {}),
  },
})

const marksIn = (record: string): Record<string, string> => {
  const { RegistroAlta, RegistroAnulacion } = JSON.parse(record)
  const { Subsanacion, RechazoPrevio, SinRegistroPrevio } = RegistroAlta ?? RegistroAnulacion
  return JSON.parse(JSON.stringify({ Subsanacion, RechazoPrevio, SinRegistroPrevio }))
}

const recordsOf = async (id: string) =>
  (await fixture.records()).filter(({ invoice_id }) => invoice_id === id)

const set = (number: string, has: 'nothing' | 'alta' | 'anulada'): void => {
  const name = `${number} ${DAY}`
  if (has === 'nothing') fixture.authority.kept.delete(name)
  else
    fixture.authority.kept.set(name, {
      number,
      date: DAY,
      state: has === 'alta' ? 'Correcto' : 'Anulado',
      huella: OTHER_HASH,
    })
}

/** Returns an invoice whose last record has the marks of a row and is not sent yet. */
async function withMarks({ operation, marks, acceptedWith }: (typeof RESPONSE_ROWS)[number]) {
  const [id = ''] = await fixture.issue(1)
  await fixture.drain()
  const [{ num_serie: number = '', record = '' } = {}] = await recordsOf(id)
  const isFirst = operation === 'alta' && !marks.Subsanacion
  if (isFirst) {
    // Issuing makes the first registration, which is not sent.
    const [fresh = ''] = await fixture.issue(1)
    const [record] = await recordsOf(fresh)
    return { id: fresh, number: record?.num_serie ?? '', acceptedWith }
  }
  const { call } = fixture
  await call.store.transaction(async (tx) => {
    const period = await openPeriodOf(tx, fixture.app.clock)
    if (!period) throw new Error('no period')
    const { alta, anulacion } = optionsOf(marks)
    const { canonical } = await documentOf(tx, id)
    const items =
      operation === 'alta'
        ? await storeFurtherRegistration(tx, call, period, id, JSON.parse(canonical ?? ''), alta)
        : await storeCancellation(tx, call, period, id, record, anulacion)
    expect(items).toEqual([])
    if (operation === 'anulacion') await tx.change('invoices', { status: 'cancelled' }, { invoice_id: id })
  })
  set(number, acceptedWith === 'no record' ? 'nothing' : 'alta')
  return { id, number, acceptedWith }
}

const correct = (id: string) => fixture.call.store.transaction((tx) => correctRecord(tx, fixture.call, id))

describe.each(RESPONSE_ROWS.map((row) => ({ ...row, name: row.when.en })))('$name', (row) => {
  it.each(Object.keys(REFUSALS) as Refusal[])('rejected: %s', async (refusal) => {
    const { id, number } = await withMarks(row)
    expect(marksIn((await recordsOf(id)).at(-1)?.record ?? '')).toEqual(row.marks)
    const { has, ...forced } = REFUSALS[refusal]
    if (has !== 'what it had') set(number, has)
    fixture.authority.forced.set(number, forced)
    await fixture.drain()
    const refused = (await recordsOf(id)).at(-1)
    expect(refused?.estado).toBe('rejected')
    const { next, options } = row.after[refusal]
    if (next === 'done' || next === 'use_form' || next === 'query') {
      await expect(correct(id)).rejects.toThrow(number)
      return
    }
    const wanted: NextOptions = options ?? { correction: 'none' }
    expect((await correct(id)).options).toEqual(wanted)
    expect((await recordsOf(id)).at(-1)).toMatchObject({ estado: 'pending', tipo: row.operation })
    await fixture.drain()
    // The marks are those that the authority accepts in its state.
    expect((await recordsOf(id)).at(-1)?.estado).toBe('accepted')
    expect((await recordsOf(id)).at(-2)).toMatchObject({ huella: refused?.huella, estado: 'rejected' })
    await expect(correct(id)).rejects.toThrow('was accepted')
  })
})

describe('a record that was not rejected', () => {
  it('has no response while it is pending', async () => {
    const [id = ''] = await fixture.issue(1)
    await expect(correct(id)).rejects.toThrow('is waiting to be sent')
    await fixture.drain()
  })

  it('accepted with errors gets a further record, unless it needs none', async () => {
    for (const [code, marks] of [
      [2000, { Subsanacion: 'S' }],
      [2004, null],
    ] as const) {
      const [id = ''] = await fixture.issue(1)
      const [record] = await recordsOf(id)
      fixture.authority.forced.set(record?.num_serie ?? '', { code })
      await fixture.drain()
      expect((await recordsOf(id))[0]?.estado).toBe('accepted_with_errors')
      if (marks === null) await expect(correct(id)).rejects.toThrow('requires no correction')
      else {
        await correct(id)
        expect(marksIn((await recordsOf(id))[1]?.record ?? '')).toEqual(marks)
        await fixture.drain()
        expect((await recordsOf(id))[1]?.estado).toBe('accepted')
      }
    }
  })

  it('of a cancelled invoice that the authority never had declares so', async () => {
    const [id = ''] = await fixture.issue(1)
    const [record] = await recordsOf(id)
    fixture.authority.forced.set(record?.num_serie ?? '', { code: 1110 })
    await fixture.drain()
    await fixture.cancel(id)
    expect(marksIn((await recordsOf(id))[1]?.record ?? '')).toEqual({ SinRegistroPrevio: 'S' })
    await fixture.drain()
    expect((await recordsOf(id)).map(({ estado }) => estado)).toEqual(['rejected', 'accepted'])
  })

  it('all records form one chain', async () => {
    const records = await fixture.records()
    expect(records.length).toBeGreaterThan(100)
    expect(verifyChain(records.map(({ record }): FiscalRecord => JSON.parse(record))).valid).toBe(true)
  })
})
