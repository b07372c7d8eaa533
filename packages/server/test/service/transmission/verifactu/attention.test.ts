/** Invoices that need attention: `correct` with the customer's data, and the list of invoices. */
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { nextRef } from '#test/conformance/invoices.ts'
import { itInAll } from '#test/size.ts'
import { createCorrectiveDraft } from '../../../../src/service/issued/corrective.ts'
import { issueInvoice } from '../../../../src/service/issued/issue.ts'
import { invoicesNeedingAttention, shellQuoted } from '../../../../src/service/verifactu/attention.ts'
import { correctRecord, type RecordCorrections } from '../../../../src/service/verifactu/correct.ts'
import { chainReport } from '../../../../src/service/verifactu/sending/chain-report.ts'
import { documentOf } from '../../../../src/store/invoices.ts'
import * as a from './authority.ts'
import { VerifactuFixture } from './fixture.ts'

let fixture: VerifactuFixture
beforeEach(async () => {
  fixture = await VerifactuFixture.open()
})
afterEach(() => fixture.close())

const recordsOf = async (id: string) =>
  (await fixture.records()).filter(({ invoice_id }) => invoice_id === id)
const recipientIn = (record: string | undefined) =>
  JSON.parse(record ?? '').RegistroAlta.Destinatarios.IDDestinatario[0]
const correct = (id: string, fixed: RecordCorrections = {}, locale: 'en' | 'es' = 'en') =>
  fixture.call.store.transaction((tx) => correctRecord(tx, { ...fixture.call, locale }, id, fixed))
const attention = () => invoicesNeedingAttention(fixture.call.store, fixture.app.clock, 'en')
const canonicalOf = (id: string) =>
  fixture.call.store.transaction(async (tx) => (await documentOf(tx, id)).canonical)

/** Issues an invoice to which the authority responds with a code. */
async function answered(code: number, invoice: Readonly<Record<string, unknown>> = {}) {
  const [id = ''] = await fixture.issue(1, 'F', invoice)
  const number = (await recordsOf(id))[0]?.num_serie ?? ''
  fixture.authority.forced.set(number, { code })
  await fixture.drain()
  return { id, number }
}

const PERSON = {
  customer: {
    person_type_code: 'F',
    tax_id: '12345678Z',
    name: 'Ana García Pérez',
    country_code: 'ES',
    person: {
      first_name: 'Ana',
      first_surname: 'García',
      second_surname: 'Pérez',
      address: {
        address: 'Calle Mayor, 1',
        post_code: '28013',
        town: 'Madrid',
        country_code: 'ES',
        country_subdivision: { code: '28' },
      },
    },
  },
}

describe('corrected data of the customer', () => {
  it('replace name and NIF in the record, leave the invoice as issued, and apply to further corrections', async () => {
    const { id, number } = await answered(1110)
    const before = await canonicalOf(id)
    const recipient = { name: 'Cliente de Pruebas Dos, S.L.', id: 'B77777779' }
    await correct(id, { recipient })
    const made = (await recordsOf(id)).at(-1)
    expect(recipientIn(made?.record)).toEqual({ NombreRazon: recipient.name, NIF: recipient.id })
    expect(made?.xml_sent).toContain(recipient.name)
    expect(await canonicalOf(id)).toBe(before)
    fixture.authority.forced.set(number, { code: 2000 })
    await fixture.drain()
    expect((await recordsOf(id)).at(-1)?.estado).toBe('accepted_with_errors')
    await correct(id, { recipient: { name: 'Cliente de Pruebas Tres, S.L.' } })
    expect(recipientIn((await recordsOf(id)).at(-1)?.record)).toEqual({
      NombreRazon: 'Cliente de Pruebas Tres, S.L.',
      NIF: recipient.id,
    })
    await fixture.drain()
    expect((await recordsOf(id)).at(-1)?.estado).toBe('accepted')
  })

  it('are dropped for --recipient-not-in-census, and a plain correction has the NIF again', async () => {
    const { id, number } = await answered(1110, PERSON)
    fixture.authority.forced.set(number, { code: 1110 })
    await correct(id, { recipient_not_in_census: true })
    await fixture.drain()
    expect(recipientIn((await recordsOf(id)).at(-1)?.record).IDOtro.IDType).toBe('07')
    await correct(id)
    expect(recipientIn((await recordsOf(id)).at(-1)?.record).NIF).toBe('12345678Z')
  })

  it('are rejected in the language of the call if the NIF is wrong or the invoice has no recipient', async () => {
    const { id } = await answered(1110)
    await expect(correct(id, { recipient: { id: 'B1' } }, 'es')).rejects.toThrow(
      'No se puede generar el registro.',
    )
    const simplified = await answered(1105, {
      customer: undefined,
      header: { invoice_type_code: '02', invoice_series_code: 'F' },
    })
    await expect(correct(simplified.id, { recipient: { name: 'X' } }, 'es')).rejects.toThrow(
      'no tiene ningún destinatario',
    )
    expect(await recordsOf(id)).toHaveLength(1)
  })
})

it('the command refuses a name that a record cannot hold, instead of cutting it', async () => {
  const command = (name: string) =>
    administer({ dataDir: fixture.app.config.dataDir, databaseUrl: undefined }, [
      ...['verifactu', 'correct', '--company', fixture.call.company.id],
      ...['--invoice', fixture.call.company.id, '--recipient-name', name],
    ])
  expect(await command('ñ'.repeat(121))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The name has 121 characters, and a record holds 120.'),
  })
  // Not refused for its length: only the invoice is unknown.
  expect((await command('ñ'.repeat(120))).stderr).not.toContain('characters')
})

describe('the list of invoices that need attention', () => {
  it('has the command that fits the code and the kind of customer', async () => {
    const entity = await answered(1110)
    const person = await answered(2001, PERSON)
    const other = await answered(1105)
    const list = await attention()
    const of = (id: string) => list.find(({ invoice_id }) => invoice_id === id)?.instruction ?? ''
    expect(of(entity.id)).toContain("--recipient-name 'Cliente de Pruebas, S.L.' --recipient-id B12345674")
    expect(of(entity.id)).not.toContain('--recipient-not-in-census')
    expect(of(person.id)).toContain('--recipient-id 12345678Z')
    expect(of(person.id)).toContain('--recipient-not-in-census')
    expect(of(other.id)).toContain(
      `\`cuadra-admin verifactu correct --company ${fixture.call.company.id} --invoice ${other.id}\``,
    )
  })

  it.each(['Correcta', 'Anulada'])(
    'advises another number if another system used the number: %s',
    async (as) => {
      const [id = ''] = await fixture.issue(1)
      const [{ num_serie = '' } = {}] = await recordsOf(id)
      fixture.authority.forced.set(num_serie, { code: 3000, as })
      await fixture.drain()
      const [{ instruction = '' } = {}] = await attention()
      expect(instruction).toContain(
        `\`cuadra-admin verifactu compare --company ${fixture.call.company.id} --from 2026-01\``,
      )
      expect(instruction).toContain('issue it again with another number. Only if it is the same invoice')
    },
  )

  it.each([
    ['S.L.', 'S.L.'],
    ['Cliente, S.L.', "'Cliente, S.L.'"],
    ["O'Neil & Sons", `"O'Neil & Sons"`],
    ['O\'Neil "$HOME" `id` \\', `'O'\\''Neil "$HOME" \`id\` \\'`],
  ])('quotes a name so that a shell passes exactly it: %s', (name, command) => {
    expect(shellQuoted(name)).toBe(command)
    expect(execFileSync('sh', ['-c', `printf %s ${command}`], { encoding: 'utf8' })).toBe(name)
  })

  it('states of a cancellation without an invoice at the authority (3002) what to do, and correct does it', async () => {
    const [id = ''] = await fixture.issue(1)
    await fixture.drain()
    await fixture.cancel(id)
    const number = (await recordsOf(id))[0]?.num_serie ?? ''
    fixture.authority.kept.clear()
    await fixture.drain()
    const [one] = await attention()
    expect(one).toMatchObject({ num_serie: number, codigo_error: '3002' })
    expect(one?.instruction).toContain('has no record of this invoice that could be cancelled')
    expect(one?.instruction).not.toContain('Fix the cause')
    await correct(id)
    expect((await recordsOf(id)).at(-1)?.record).toContain('"SinRegistroPrevio":"S"')
    await fixture.drain()
    expect(await attention()).toEqual([])
  })

  it('has an invoice that was rejected three times once, and none that needs nothing', async () => {
    const { id, number } = await answered(1110)
    await answered(2004)
    for (let times = 0; times < 2; times++) {
      fixture.authority.forced.set(number, { code: 1110 })
      await correct(id)
      await fixture.drain()
    }
    expect((await recordsOf(id)).map(({ estado }) => estado)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await attention()).map((one) => one.num_serie)).toEqual([number])
    await correct(id)
    expect(await attention()).toEqual([])
  })

  it('drops a rejected invoice after a corrective by substitution, not after one by differences', async () => {
    const { id, number } = await answered(1110)
    const other = await answered(1110)
    for (const [of, correction_type] of [
      [id, 'S'],
      [other.id, 'D'],
    ] as const) {
      const request = {
        correction_type,
        reason_code: '01',
        series_code: 'R',
        external_ref: nextRef(),
        ...(correction_type === 'D'
          ? {
              lines: [
                { description: 'Abono', quantity: -1, unit_price_without_tax: 10, tax_output_rate: 21 },
              ],
            }
          : {}),
      }
      const saved = await fixture.call.store.transaction((tx) =>
        createCorrectiveDraft(tx, fixture.call, of, request),
      )
      expect(saved.errors ?? []).toEqual([])
      await fixture.call.store.transaction((tx) => issueInvoice(tx, fixture.call, saved.id, undefined))
    }
    await fixture.drain()
    expect((await attention()).map((one) => one.num_serie)).toEqual([other.number])
    expect(number).not.toBe(other.number)
  })
})

describe('the current state of the chain', () => {
  const report = (locale: 'en' | 'es' = 'en') => chainReport({ ...fixture.call, locale }, 12)

  itInAll('has the end of the records beyond 500 invoices in several series', async () => {
    await fixture.issue(502, 'Z')
    const [id = ''] = await fixture.issue(1, 'A')
    const [last] = await recordsOf(id)
    const { records, last_hash, latest, waiting } = await report()
    expect([records, last_hash]).toEqual([503, last?.huella])
    expect(latest).toHaveLength(12)
    expect(latest[0]).toMatchObject({ sequence: 503, num_serie: last?.num_serie, huella: last?.huella })
    expect(waiting).toMatchObject({ records: 503, next_attempt_at: null, reason_code: 'due' })
  })

  it('has the number of pending records, since when, the next attempt, and the reason', async () => {
    fixture.authority.wait = '3600'
    await fixture.issue(1)
    await fixture.drain()
    fixture.now += 1000
    await fixture.issue(2)
    const [, second] = await fixture.records()
    expect((await report()).waiting).toEqual({
      records: 2,
      since: second?.created_at,
      next_attempt_at: new Date(Number((await fixture.queue()).flow_ms)).toISOString().replace('Z', '000'),
      reason_code: 'waiting_time',
      reason: 'The tax authority requires 3600 s between two messages.',
    })
    expect((await report('es')).waiting.reason).toBe('La AEAT exige 3600 s entre dos envíos.')
    fixture.now += 3_600_000
    fixture.authority.script.push(a.down)
    const next = await fixture.step()
    const { waiting } = await report()
    expect(waiting).toMatchObject({ records: 2, reason_code: 'unreachable' })
    expect(next.is === 'later' && new Date(next.at).toISOString().replace('Z', '000')).toBe(
      waiting.next_attempt_at,
    )
  })
})
