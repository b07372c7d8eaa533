/**
 * Every invoice issued in a period has its registration record, and every cancelled invoice its cancellation record, or
 * a reason: acts on an invoice in every situation, the lists that show what is missing, and `verifactu correct`, which
 * makes it.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { imported } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { companyFindings } from '../../../admin/doctor/doctor-company.ts'
import { verifyCompany } from '../../../admin/verify/verify-run.ts'
import { createGauges } from '../../../src/app/gauges.ts'
import { ApiError } from '../../../src/errors/api-error.ts'
import { eventsOf } from '../../../src/service/invoice/events.ts'
import { singleSummary } from '../../../src/service/invoice/invoice-summary.ts'
import { cancelInvoice } from '../../../src/service/issued/cancel.ts'
import { importInvoice, validateImport } from '../../../src/service/issued/import.ts'
import { invoicesNeedingAttention } from '../../../src/service/verifactu/attention.ts'
import { correctRecord, type RecordCorrections } from '../../../src/service/verifactu/correct.ts'
import { incidentsOf } from '../../../src/service/verifactu/queries.ts'
import { changePeriod, closePeriod, openPeriod } from '../../../src/service/verifactu/verifactu-periods.ts'
import { findInvoice, type InvoiceRow, updateInvoice } from '../../../src/store/invoices.ts'
import { missingRegistrations } from '../../../src/store/missing-records.ts'
import type { Mode } from '../../../src/store/tables.ts'
import { TAX_ID } from '../transmission/fixture.ts'
import { VerifactuFixture } from '../transmission/verifactu/fixture.ts'

function gapsSuite(store: 'sqlite' | 'postgres'): void {
  let fixture: VerifactuFixture
  beforeEach(async () => {
    fixture = await VerifactuFixture.open({
      databaseUrl: store === 'postgres' ? await postgresDatabase() : undefined,
    })
  })
  afterEach(() => fixture?.close())

  const inTx = <T>(work: Parameters<typeof fixture.store.transaction<T>>[0]) =>
    fixture.call.store.transaction(work)
  const close = () => inTx((tx) => closePeriod(tx, fixture.call))
  const open = (mode: Mode = 'verifactu', sandbox = true) =>
    inTx((tx) => openPeriod(tx, fixture.call, { mode, sandbox }))
  const change = async (mode: Mode, sandbox = true) => {
    await close()
    // Periods are ordered by the time at which they were opened.
    fixture.now += 1000
    return open(mode, sandbox)
  }
  const correct = (id: string, corrections: RecordCorrections = {}) =>
    inTx((tx) => correctRecord(tx, fixture.call, id, corrections))
  const set = (id: string, values: Partial<InvoiceRow>) =>
    inTx(async (tx) => updateInvoice(tx, await invoice(id), values))
  const invoice = async (id: string) => required(await findInvoice(fixture.call.store, id))
  const fiscalOf = async (id: string) =>
    (await singleSummary(fixture.call.store, await invoice(id))).fiscal?.status
  const recordsOf = async (id: string) =>
    (await fixture.records()).filter(({ invoice_id }) => invoice_id === id)
  const typesOf = async (id: string) => (await recordsOf(id)).map(({ tipo, estado }) => `${tipo} ${estado}`)
  const marksOf = async (id: string) => {
    const { record = '{}' } = (await recordsOf(id)).at(-1) ?? {}
    const { RechazoPrevio, SinRegistroPrevio } = JSON.parse(record).RegistroAnulacion
    return JSON.parse(JSON.stringify({ RechazoPrevio, SinRegistroPrevio }))
  }
  const atAuthority = async (id: string) => {
    const { number } = await invoice(id)
    return [...fixture.authority.kept.values()].find((one) => one.number === number)?.state
  }
  const lastEvent = async (id: string) => (await eventsOf(fixture.call.store, id)).at(-1)

  /** Returns which lists show the invoice as one that lacks its cancellation record. */
  const shownIn = async () => {
    const { call } = fixture
    const attention = await invoicesNeedingAttention(call.store, fixture.app.clock, 'en')
    const incidents = (await incidentsOf(call, 50)).items
    const doctor = await companyFindings(fixture.app, call.company, 'en')
    const { failures } = await verifyCompany(fixture.app, call.company, 'en')
    const { companies } = await createGauges(fixture.app.config, fixture.app.store)()
    const counted = companies.filter(({ gauge }) => gauge === 'cuadra_verifactu_cancellations_missing')
    return {
      attention: attention.map(({ estado }) => estado),
      incidents: incidents.filter(({ estado_registro }) => estado_registro === 'missing').length,
      doctor: doctor.filter(({ check }) => check === 'cancellation_missing').length,
      verify: failures.map(({ code }) => code),
      metrics: counted.reduce((sum, { value }) => sum + value, 0),
    }
  }
  const SHOWN = {
    attention: ['missing'],
    incidents: 1,
    doctor: 1,
    verify: ['cancellation_missing'],
    metrics: 1,
  }
  const NOT_SHOWN = { attention: [], incidents: 0, doctor: 0, verify: [], metrics: 0 }

  /** Issues an invoice; the authority accepts its record, or responds with a code. */
  async function answered(code?: number, as?: string): Promise<string> {
    const [id = ''] = await fixture.issue(1)
    const { number } = await invoice(id)
    if (code !== undefined)
      fixture.authority.forced.set(number ?? '', { code, ...(as === undefined ? {} : { as }) })
    await fixture.drain()
    return id
  }

  /** Corrects a cancelled invoice; the authority accepts the record at the first attempt. */
  async function madeGood(id: string, marks: object) {
    expect((await correct(id)).tipo).toBe('anulacion')
    expect(await marksOf(id)).toEqual(marks)
    expect(await shownIn()).toEqual(NOT_SHOWN)
    await fixture.drain()
    expect(await fiscalOf(id)).toBe('verifactu_cancellation_accepted')
    expect(await atAuthority(id)).toBe('Anulado')
    expect(await shownIn()).toEqual(NOT_SHOWN)
    await expect(correct(id)).rejects.toThrow('nothing to correct')
  }

  describe('cancelled while no period is open', () => {
    it.each([
      ['accepted', undefined, {}],
      ['accepted with errors', 2000, {}],
      ['rejected', 1110, { SinRegistroPrevio: 'S' }],
    ] as const)(
      'an invoice whose record was %s is reported until its cancellation is made',
      async (_, code, marks) => {
        const id = await answered(code)
        await close()
        await fixture.cancel(id)
        expect(await invoice(id)).toMatchObject({ status: 'cancelled', cancellation_gap: 'no_period' })
        expect(await fiscalOf(id)).toBe('cancellation_missing')
        expect((await lastEvent(id))?.details).toMatchObject({
          cancellation_record: false,
          reason: 'no_period',
        })
        expect(await shownIn()).toEqual(SHOWN)
        await expect(correct(id)).rejects.toThrow('no open VeriFactu period')
        await open()
        expect(await shownIn()).toEqual(SHOWN)
        await madeGood(id, marks)
      },
    )

    it('an invoice whose registration is pending is cancelled without waiting for the response', async () => {
      const [id = ''] = await fixture.issue(1)
      await close()
      await fixture.cancel(id)
      await open()
      await madeGood(id, {})
    })

    it('cancelling again is refused, and the refusal states what is missing', async () => {
      const id = await answered()
      await close()
      await fixture.cancel(id)
      const again = async () => {
        const refusal = await inTx((tx) => cancelInvoice(tx, fixture.call, id)).catch((error) => error)
        expect(refusal).toBeInstanceOf(ApiError)
        return refusal.body('test', 'en').detail
      }
      const detail = await again()
      expect(detail.code).toBe('invalid_status_transition')
      expect(detail.message).toContain('so the cancellation has no record')
      expect(detail.message).toContain(`cuadra-admin verifactu correct --company ${fixture.company.id}`)
      await open()
      await correct(id)
      expect((await again()).message).toContain('nothing left to do')
    })

    it('of two corrections at once one makes the record', async () => {
      const id = await answered()
      await close()
      await fixture.cancel(id)
      await open()
      const outcomes = await Promise.allSettled([correct(id), correct(id), correct(id)])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(await typesOf(id)).toEqual(['alta accepted', 'anulacion pending'])
    })
  })

  describe('cancelled after it was sent by mail', () => {
    it.each([
      ['accepted', undefined, {}],
      ['accepted with errors', 2000, {}],
      ['rejected', 1110, { SinRegistroPrevio: 'S' }],
    ] as const)(
      'an invoice whose record was %s needs nothing, and correct cancels it on request',
      async (_, code, marks) => {
        const id = await answered(code)
        await set(id, { status: 'sent' })
        await fixture.cancel(id)
        expect(await invoice(id)).toMatchObject({ cancellation_gap: 'sent' })
        expect((await lastEvent(id))?.details).toMatchObject({ cancellation_record: false, reason: 'sent' })
        expect(await shownIn()).toEqual(NOT_SHOWN)
        expect(await closedIn()).toMatchObject({ sent: 1, imported: 0, never_registered: 0 })
        await madeGood(id, marks)
      },
    )
  })

  const closedIn = async () =>
    (await verifyCompany(fixture.app, fixture.company, 'en')).notes.find(
      ({ code }) => code === 'cancellations_without_record',
    )

  it('imported and never registered invoices need no cancellation record', async () => {
    await close()
    const [early = ''] = await fixture.issue(1)
    await open()
    const { call } = fixture
    const sent = imported({ taxId: TAX_ID, number: 'OLD-1' })
    const validated = await validateImport(call.store, call, sent)
    const { id: foreign = '' } = await inTx((tx) => importInvoice(tx, call, sent, validated))
    for (const [id, gap] of [
      [early, 'never_registered'],
      [foreign, 'imported'],
    ] as const) {
      await fixture.cancel(id)
      expect(await invoice(id)).toMatchObject({ cancellation_gap: gap })
      expect(await fiscalOf(id)).toBe('not_registered')
      await expect(correct(id)).rejects.toThrow('has no VeriFactu record')
    }
    expect(await shownIn()).toEqual(NOT_SHOWN)
    expect(await closedIn()).toMatchObject({ sent: 0, imported: 1, never_registered: 1 })
  })

  describe('without VERI*FACTU', () => {
    it('a cancellation without a certificate is reported until a certificate signs its record', async () => {
      await change('no_verifactu')
      const [id = ''] = await fixture.issue(1)
      await inTx((tx) => tx.delete('certificates').execute())
      await fixture.cancel(id)
      expect(await invoice(id)).toMatchObject({ cancellation_gap: 'no_certificate' })
      expect(await fiscalOf(id)).toBe('cancellation_missing')
      expect(await shownIn()).toMatchObject(SHOWN)
      await expect(correct(id)).rejects.toThrow(
        `cuadra-admin certificate add --company ${fixture.company.id}`,
      )
      await fixture.certify()
      await correct(id)
      expect(await typesOf(id)).toEqual(['alta registered', 'anulacion registered'])
      expect(await marksOf(id)).toEqual({})
      expect(await shownIn()).toEqual(NOT_SHOWN)
      await expect(correct(id)).rejects.toThrow('nothing is left to do')
    })

    it('what the authority has as valid is reported when records are sent again, and cancelled at the first attempt', async () => {
      const id = await answered()
      await change('no_verifactu')
      await fixture.cancel(id)
      expect(await fiscalOf(id)).toBe('verifactu_cancellation_registered')
      expect(await shownIn()).toEqual(NOT_SHOWN)
      await expect(correct(id)).rejects.toThrow('still has the invoice as valid')
      expect(await companyFindings(fixture.app, fixture.company, 'en')).toContainEqual(
        expect.objectContaining({
          check: 'cancellations',
          what: expect.objectContaining({ en: expect.stringContaining('does not use VERI*FACTU: 1.') }),
        }),
      )
      await change('verifactu')
      expect(await shownIn()).toEqual(SHOWN)
      expect(await fiscalOf(id)).toBe('verifactu_cancellation_registered')
      await madeGood(id, {})
    })

    it('an invoice that was never sent is not reported, and its cancellation declares that it is unknown', async () => {
      await change('no_verifactu')
      const [id = ''] = await fixture.issue(1)
      await fixture.cancel(id)
      await change('verifactu')
      expect(await shownIn()).toEqual(NOT_SHOWN)
      await madeGood(id, { SinRegistroPrevio: 'S' })
    })
  })

  it('an invoice registered in the other environment is reported when that environment is in use again', async () => {
    const id = await answered()
    await change('no_verifactu', false)
    await fixture.cancel(id)
    expect(await invoice(id)).toMatchObject({ cancellation_gap: 'other_environment' })
    expect(await shownIn()).toEqual(NOT_SHOWN)
    await expect(correct(id)).rejects.toThrow('has no VeriFactu record')
    await change('verifactu')
    expect(await shownIn()).toEqual(SHOWN)
    await madeGood(id, {})
  })

  it.each(['cancel', 'close', 'resend'] as const)(
    'the record of another system with the same number is never cancelled: %s',
    async (way) => {
      const id = await answered(way === 'resend' ? 1110 : 3000, way === 'resend' ? undefined : 'Correcta')
      const { number } = await invoice(id)
      fixture.authority.kept.set(`${number} 20-11-2026`, {
        number: number ?? '',
        date: '20-11-2026',
        state: 'Correcto',
        huella: 'F'.repeat(64),
      })
      if (way === 'close') await close()
      await fixture.cancel(id)
      if (way === 'close') await open()
      if (way === 'resend') {
        fixture.authority.forced.set(number ?? '', { code: 3000, as: 'Correcta' })
        await fixture.drain()
      } else {
        expect(await invoice(id)).toMatchObject({ cancellation_gap: 'never_registered' })
        expect(await shownIn()).toEqual(NOT_SHOWN)
      }
      await expect(correct(id)).rejects.toThrow('would cancel the invoice of the other system')
      await fixture.drain()
      expect(await atAuthority(id)).toBe('Correcto')
    },
  )

  it('an invoice that is cancelled at the authority already leaves nothing to do', async () => {
    const id = await answered(3000, 'Anulada')
    await set(id, { status: 'sent' })
    await fixture.cancel(id)
    expect(await shownIn()).toEqual(NOT_SHOWN)
    await expect(correct(id)).rejects.toThrow('no action is needed')
    expect(await typesOf(id)).toEqual(['alta rejected'])
  })

  it('a rejected cancellation is reported as such, and correct repeats it', async () => {
    const id = await answered()
    await fixture.cancel(id)
    const { number } = await invoice(id)
    fixture.authority.forced.set(number ?? '', { code: 1110 })
    await fixture.drain()
    expect(
      (await invoicesNeedingAttention(fixture.call.store, fixture.app.clock, 'en')).map(
        ({ estado }) => estado,
      ),
    ).toEqual(['rejected'])
    await madeGood(id, { RechazoPrevio: 'S' })
  })

  it('a record that cannot be generated is reported, and the history has the code', async () => {
    const id = await answered()
    const [{ record = '' } = {}] = await recordsOf(id)
    const stored = (text: string) =>
      inTx((tx) => tx.change('verifactu_records', { record: text }, { invoice_id: id }))
    await stored(JSON.stringify({ RegistroAlta: { IDFactura: {} } }))
    await fixture.cancel(id)
    expect(await invoice(id)).toMatchObject({ cancellation_gap: 'not_generated' })
    expect((await lastEvent(id))?.details).toMatchObject({
      codes: expect.arrayContaining(['record.required']),
    })
    await stored(record)
    expect(await shownIn()).toEqual(SHOWN)
    await madeGood(id, {})
  })

  describe('after VERI*FACTU has ended', () => {
    const attention = () => invoicesNeedingAttention(fixture.store, fixture.app.clock, 'en')
    const findings = async () =>
      (await companyFindings(fixture.app, fixture.company, 'en')).map(({ check, what, why, fix }) => ({
        check,
        text: [what, why, fix].map((one) => one?.en).join(' '),
      }))
    const findingOf = async (check: string) => (await findings()).find((one) => one.check === check)?.text

    it('a registration that was rejected is still reported, and its correction is signed and not sent', async () => {
      const id = await answered(1110)
      await close()
      expect((await attention())[0]?.instruction).toContain('No period is open')
      await open('no_verifactu')
      expect((await attention())[0]?.instruction).toContain('is signed and kept, and is not sent')
      expect(await findingOf('rejected')).toContain('verifactu correct')
      expect(await correct(id)).toMatchObject({ tipo: 'alta', estado: 'registered' })
      expect(await typesOf(id)).toEqual(['alta rejected', 'alta registered'])
      expect(await attention()).toEqual([])
      await expect(correct(id)).rejects.toThrow('made without VERI*FACTU')
      expect((await verifyCompany(fixture.app, fixture.company, 'en')).failures).toEqual([])
    })

    it('a cancellation that was rejected is still reported, and correct states what the authority has', async () => {
      const id = await answered()
      await fixture.cancel(id)
      const { number } = await invoice(id)
      fixture.authority.forced.set(number ?? '', { code: 1110 })
      await fixture.drain()
      expect(await findingOf('rejected')).toContain('remains valid there until a cancellation is accepted')
      expect(await findingOf('rejected')).not.toContain('corrective')
      await change('no_verifactu')
      expect((await attention())[0]?.instruction).toContain('If the company uses VERI*FACTU again')
      await expect(correct(id)).rejects.toThrow('still has the invoice as valid')
      await change('verifactu')
      await correct(id)
      await fixture.drain()
      expect(await atAuthority(id)).toBe('Anulado')
      expect(await attention()).toEqual([])
    })

    it('doctor reports the invoices issued while no period is open', async () => {
      await close()
      expect(await findingOf('no_period')).toBeUndefined()
      await fixture.issue(2)
      expect(await findingOf('no_period')).toContain('2 invoices')
      await open()
      expect(await findingOf('no_period')).toBeUndefined()
    })
  })

  it('options for the recipient are refused for a cancelled invoice', async () => {
    const id = await answered()
    await close()
    await fixture.cancel(id)
    await open()
    await expect(correct(id, { recipient: { name: 'Otra, S.L.' } })).rejects.toThrow('has no recipient')
    expect(await typesOf(id)).toEqual(['alta accepted'])
  })

  describe('after a backup was restored', () => {
    it('a cancellation that the authority already has leaves nothing to do', async () => {
      const id = await answered()
      const { number } = await invoice(id)
      for (const kept of fixture.authority.kept.values()) kept.state = 'Anulado'
      await fixture.cancel(id)
      fixture.authority.forced.set(number ?? '', { code: 3001 })
      await fixture.drain()
      expect(await shownIn()).toEqual(NOT_SHOWN)
      await expect(correct(id)).rejects.toThrow('was already cancelled')
    })

    it('a reason that it brings back is removed by the cancellation that is made again', async () => {
      const id = await answered()
      await close()
      await fixture.cancel(id)
      await open()
      const { number } = await invoice(id)
      for (const kept of fixture.authority.kept.values()) kept.state = 'Anulado'
      expect(await shownIn()).toEqual(SHOWN)
      await correct(id)
      fixture.authority.forced.set(number ?? '', { code: 3001 })
      await fixture.drain()
      expect(await shownIn()).toEqual(NOT_SHOWN)
    })
  })

  it('verify finds an invoice without a record on the day of a begin, a change or an end, and none outside of periods', async () => {
    const later = () => {
      fixture.now += 60_000
    }
    const issued: string[] = []
    const issueOne = async () => {
      later()
      issued.push(...(await fixture.issue(1)))
      later()
    }
    await issueOne()
    await inTx((tx) => changePeriod(tx, fixture.call, { mode: 'no_verifactu' }))
    issued.push(...(await fixture.issue(1)))
    await inTx((tx) => changePeriod(tx, fixture.call, { mode: 'verifactu' }))
    await issueOne()
    await close()
    await issueOne()
    const between = issued.at(-1)
    await open()
    await issueOne()
    const missing = async () =>
      (await missingRegistrations(fixture.store)).map(({ invoice_id }) => invoice_id)
    expect(await missing()).toEqual([])
    await inTx((tx) => tx.delete('verifactu_records').execute())
    expect(await missing()).toEqual(issued.filter((id) => id !== between))
    const { failures } = await verifyCompany(fixture.app, fixture.company, 'en')
    expect(failures.find(({ code }) => code === 'record_missing')).toMatchObject({ count: 4 })
  })

  it('verify finds a reason that the records and the history contradict', async () => {
    const id = await answered()
    await close()
    await fixture.cancel(id)
    for (const gap of [null, 'sent', 'imported', 'never_registered', 'not_sent'] as const) {
      await set(id, { cancellation_gap: gap })
      const { failures } = await verifyCompany(fixture.app, fixture.company, 'en')
      expect(failures.map(({ code }) => code)).toContain(
        gap === null ? 'cancellation_unexplained' : 'cancellation_gap_differs',
      )
    }
    await set(id, { cancellation_gap: 'no_period' })
    await open()
    await correct(id)
    await set(id, { status: 'issued' })
    const { failures } = await verifyCompany(fixture.app, fixture.company, 'en')
    expect(failures.map(({ code }) => code)).toContain('cancellation_unexpected')
  })
}

describe('SQLite', () => gapsSuite('sqlite'))
describe.runIf(hasPostgres())('PostgreSQL', () => gapsSuite('postgres'))
