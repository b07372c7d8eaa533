/**
 * What must be sent to the SII after an act, by the state of the invoice in its book and by what the company is to the
 * SII when the act happens.
 *
 * @slow
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { imported } from '#test/conformance/invoices.ts'
import { ALL, sized } from '#test/size.ts'
import { importInvoice, validateImport } from '../../../../src/service/issued/import.ts'
import { removeImported } from '../../../../src/service/issued/remove-imported.ts'
import { registerAllAccruals } from '../../../../src/service/sii/cash-basis/accruals.ts'
import { listPayments } from '../../../../src/service/sii/cash-basis/list-payments.ts'
import { cancelRecordedPayment } from '../../../../src/service/sii/cash-basis/payment-commands.ts'
import type { Book } from '../../../../src/store/tables.ts'
import { TAX_ID } from '../fixture.ts'
import { SiiFixture } from './fixture.ts'

const DAY = 86_400_000
const PERIOD = { enrollment_status: 'mandatory', start_date: '2026-01-01' }
const ENROLLED = { sii: { enrollment_periods: [PERIOD], tax_authority: 'aeat' } }

/** Changes of the company on the day after the invoice. */
const SITUATIONS = {
  on: {},
  'out of the plan': { fiscal_systems: { sii_in_plan: false } },
  ended: { sii: { enrollment_periods: [{ ...PERIOD, end_date: '2026-11-20' }] } },
  ceased: {
    sii: {
      enrollment_periods: [
        { ...PERIOD, end_date: '2026-11-20' },
        { enrollment_status: 'ceased', start_date: '2026-11-21' },
      ],
    },
  },
  'with another authority': { sii: { tax_authority: 'atc' } },
  'without its periods': { sii: { enrollment_periods: [] } },
  'not begun': { sii: { enrollment_periods: [{ ...PERIOD, start_date: '2027-01-01' }] } },
  'an inactive company without the feature': { is_active: false, features: ['api', 'issue', 'received'] },
} as const
type Situation = keyof typeof SITUATIONS

/** Situations in which nothing is sent until the company is in the SII again. */
const PAUSED: readonly Situation[] = ['out of the plan', 'without its periods', 'not begun']
/** Situations in which a new invoice is in the SII of the State. */
const ENTERED: readonly Situation[] = ['on', 'an inactive company without the feature']

const STATES = ['pending', 'accepted', 'accepted_with_errors', 'rejected'] as const
type State = (typeof STATES)[number]

interface Act {
  readonly book: Book
  /** Whether the invoice has a payment before, which is reported if the invoice is. */
  readonly paid?: boolean
  readonly run: (fixture: SiiFixture, id: string, payment: string) => Promise<unknown>
  /** What is sent of the invoice afterwards, by its state before. */
  readonly sent: Readonly<Partial<Record<State, readonly string[]>>>
}

const key07 = (price: number) => ({
  totals: {
    total_gross_amount_before_taxes: price,
    total_tax_outputs: price * 0.21,
    invoice_total: price * 1.21,
  },
  lines: [
    {
      item_description: 'Material',
      quantity: 1,
      unit_price_without_tax: price,
      tax_output_rate: 21,
      tax_regime_key: '07',
    },
  ],
})
const WRONG = { ...key07(100), totals: { ...key07(100).totals, invoice_total: 999 } }

const registered = (last: readonly string[]) => ({ accepted: last, accepted_with_errors: last })
/** Without a registration, the invoice is registered as it is now. */
const whole = (last: readonly string[], first: readonly string[] = ['A0']) => ({
  pending: first,
  ...registered(last),
  rejected: first,
})

const ACTS: Readonly<Record<string, Act>> = {
  'cancelling an invoice': { book: 'ISSUED', run: (f, id) => f.cancel(id), sent: whole(['A1']) },
  'cancelling a collected invoice': {
    book: 'ISSUED',
    paid: true,
    run: (f, id) => f.cancel(id),
    sent: whole(['A1', 'COBROS']),
  },
  'collecting an invoice': {
    book: 'ISSUED',
    run: (f, id) => f.pay('ISSUED', id, 50),
    // A rejected invoice is registered first, by a person.
    sent: { pending: ['A0', 'COBROS'], ...registered(['COBROS']), rejected: [] },
  },
  'cancelling a collection': {
    book: 'ISSUED',
    paid: true,
    run: (f, _, payment) =>
      f.store.transaction((tx) => cancelRecordedPayment(tx, f.app.clock, 'ISSUED', payment)),
    sent: { pending: ['A0'], ...registered(['COBROS']), rejected: [] },
  },
  'paying an invoice': {
    book: 'RECEIVED',
    run: (f, id) => f.pay('RECEIVED', id, 50),
    sent: { pending: ['A0', 'PAGOS'], ...registered(['PAGOS']), rejected: [] },
  },
  'changing an invoice': {
    book: 'RECEIVED',
    run: (f, id) => f.buy({ invoice: key07(200) }, id),
    sent: whole(['A1']),
  },
  'renumbering an invoice': {
    book: 'RECEIVED',
    run: (f, id) => f.buy({ number: 'R-2', invoice: key07(100) }, id),
    sent: whole(['BAJA', 'A0']),
  },
  'renumbering a paid invoice': {
    book: 'RECEIVED',
    paid: true,
    run: (f, id) => f.buy({ number: 'R-2', invoice: key07(100) }, id),
    sent: whole(['BAJA', 'A0', 'PAGOS'], ['A0', 'PAGOS']),
  },
  'an error in an invoice, and its correction': {
    book: 'RECEIVED',
    run: async (f, id) => {
      expect(await f.save({ invoice: WRONG }, id)).toMatchObject({ success: false })
      await sendAll(f)
      await f.buy({ invoice: key07(100) }, id)
    },
    // One that was never in the book is entered when it is corrected.
    sent: { ...registered(['A1']), rejected: ['A0'] },
  },
}

const operationsOf = (fixture: SiiFixture): string[] =>
  fixture.authority.messages.map(({ operation }) => operation)

/** Sends what can be sent now. */
async function sendAll(fixture: SiiFixture): Promise<void> {
  for (let steps = 0; steps < 20; steps++) if ((await fixture.step()).is !== 'done') return
  throw new Error('it does not end')
}

let fixture: SiiFixture
beforeEach(async () => {
  fixture = await SiiFixture.open({ company: { cash_basis: [{ start_date: '2026-01-01' }] } })
}, 60_000)
afterEach(() => fixture.close())

/** Makes an invoice with a state in its book. */
async function invoiceIn(book: Book, state: State, paid: boolean) {
  const { faults } = fixture.authority
  if (state === 'rejected') faults.add({ kind: 'reject', code: 1117, times: 1 })
  if (state === 'accepted_with_errors') faults.add({ kind: 'accept_with_errors', code: 2011, times: 1 })
  const [id = ''] =
    book === 'ISSUED' ? await fixture.issue(1, 'F', key07(100)) : [await fixture.buy({ invoice: key07(100) })]
  const payment = paid ? await fixture.pay(book, id, 50) : ''
  if (state !== 'pending') await sendAll(fixture)
  expect((await fixture.status(id)).status).toBe(state)
  return { id, payment }
}

const BACK = { ...ENROLLED, fiscal_systems: { sii_in_plan: true } }
const isOfPayments = (operation: string): boolean => operation === 'COBROS' || operation === 'PAGOS'

/** Those of the usual run differ in what follows. */
const SAMPLE: readonly Situation[] = ['on', 'out of the plan', 'ceased', 'with another authority']
const TRIED = sized(SAMPLE, Object.keys(SITUATIONS) as Situation[])
/** Whether a state is tried in a situation. The usual run tries all of them only in the usual situation. */
const isTried = (situation: Situation, state: State): boolean =>
  ALL || situation === 'on' || state === 'pending' || state === 'accepted'
/** Whether an act is tried in a state: without a registration in the usual situation only, in the usual run. */
const isActTried = (situation: Situation, state: State): boolean =>
  ALL || situation === 'on' || state === 'accepted'

describe.each(TRIED)('in the SII: %s;', (situation) => {
  const isPaused = PAUSED.includes(situation)

  describe.each(Object.entries(ACTS))('%s', (_, { book, paid = false, run, sent }) => {
    const rows = STATES.flatMap((state) =>
      sent[state] && isActTried(situation, state) ? [[state, sent[state]] as const] : [],
    )
    it.each(rows)('that is %s is followed by %j', async (state, expected) => {
      const { id, payment } = await invoiceIn(book, state, paid)
      const before = operationsOf(fixture).length
      fixture.now += DAY
      await fixture.update(SITUATIONS[situation])
      await run(fixture, id, payment)
      const isThere = state === 'accepted' || state === 'accepted_with_errors'
      if (!expected.every(isOfPayments))
        expect((await fixture.status(id)).status).toBe(isThere ? 'pending_modification' : 'pending')
      await sendAll(fixture)
      if (isPaused) {
        expect(operationsOf(fixture).slice(before)).toEqual([])
        await fixture.update(BACK)
        await sendAll(fixture)
      }
      expect(operationsOf(fixture).slice(before)).toEqual(expected)
      expect((await fixture.pending()).items).toEqual([])
    })
  })

  it.each([
    ['ISSUED', 'COBROS'],
    ['RECEIVED', 'PAGOS'],
  ] as const)(
    'what is left of an invoice under cash basis in the book %s accrues on 31 December, and is sent',
    async (book, operation) => {
      const { id } = await invoiceIn(book, 'accepted', true)
      await fixture.update(SITUATIONS[situation])
      fixture.now = Date.parse('2028-01-10T09:00:00Z')
      await registerAllAccruals(fixture.app)
      await sendAll(fixture)
      if (situation === 'out of the plan' || situation === 'without its periods') {
        await fixture.update(BACK)
        await sendAll(fixture)
      }
      expect(operationsOf(fixture)).toEqual(['A0', operation, operation])
      expect(
        await listPayments(fixture.store, book, fixture.app.clock.today(), { invoice_id: id }),
      ).toMatchObject([
        { kind: 'paid', sii: { status: 'accepted' } },
        { kind: 'accrual', date: '2027-12-31', amount: 71, sii: { status: 'accepted' } },
      ])
    },
  )

  it.each(STATES.filter((state) => isTried(situation, state)))(
    'deleting a received invoice that is %s is refused if the authority has it',
    async (state) => {
      const { id } = await invoiceIn('RECEIVED', state, false)
      await fixture.update(SITUATIONS[situation])
      if (state === 'accepted' || state === 'accepted_with_errors')
        await expect(fixture.discard(id)).rejects.toMatchObject({ extra: { reasons: ['accepted_by_sii'] } })
      else await fixture.discard(id)
      expect((await fixture.pending()).items).toEqual([])
    },
  )

  it('a new invoice is pending only if its book is kept in the SII on its day', async () => {
    fixture.now += DAY
    await fixture.update(SITUATIONS[situation])
    const [sold = ''] = await fixture.issue(1, 'F', key07(100))
    const bought = await fixture.buy()
    const isElsewhere = situation === 'with another authority'
    const expected = ENTERED.includes(situation) || isElsewhere ? [sold, bought].sort() : []
    const { items } = await fixture.pending()
    expect(items.map(({ invoice_public_id }) => invoice_public_id).sort()).toEqual(expected)
    if (isElsewhere)
      expect(items).toMatchObject([{ error_code: 'other_authority' }, { error_code: 'other_authority' }])
    await sendAll(fixture)
    expect(operationsOf(fixture)).toEqual(ENTERED.includes(situation) ? ['A0', 'A0'] : [])
  })
})

describe('deleting a cancelled import', () => {
  it.each(['pending', 'accepted', 'rejected'])(
    'that is %s is refused if the authority has it',
    async (state) => {
      const { call, store } = fixture
      const sent = imported({ taxId: TAX_ID, number: 'OLD-1', date: '2026-11-18', invoice: key07(100) })
      const validated = await validateImport(store, call, sent)
      const { id } = await store.transaction((tx) => importInvoice(tx, call, sent, validated))
      const invoiceId = required(id)
      await fixture.cancel(invoiceId)
      if (state === 'rejected') fixture.authority.faults.add({ kind: 'reject', code: 1117, times: 1 })
      if (state !== 'pending') await sendAll(fixture)
      expect((await fixture.status(invoiceId)).status).toBe(state)
      await fixture.update(SITUATIONS['out of the plan'])
      const remove = () => store.transaction((tx) => removeImported(tx, fixture.call, invoiceId))
      if (state === 'accepted')
        await expect(remove()).rejects.toMatchObject({ extra: { reasons: ['accepted_by_sii'] } })
      else {
        await remove()
        expect(await fixture.records()).toEqual([])
      }
    },
  )
})

describe('an update of a paid invoice', () => {
  it('to a total below the payments, or to another key than 07, is saved with a warning', async () => {
    const id = await fixture.buy({ invoice: key07(100) })
    await fixture.pay('RECEIVED', id, 100)
    const codesOf = async (invoice: Readonly<Record<string, unknown>>) => {
      const { success, errors } = await fixture.save({ invoice }, id)
      expect(success).toBe(true)
      return errors.map(({ code, severity }) => `${severity} ${code}`)
    }
    expect(await codesOf(key07(200))).toEqual([])
    expect(await codesOf(key07(50))).toEqual(['warning payments_exceed_total'])
    expect(await codesOf(key07(100))).toEqual([])
    // Payments that the authority does not have yet are withdrawn.
    expect(await codesOf({})).toEqual([])
    expect(await codesOf(key07(100))).toEqual([])
    await sendAll(fixture)
    expect(operationsOf(fixture)).toEqual(['A0', 'PAGOS'])
    expect(await codesOf({})).toEqual(['warning payments_need_key'])
    await sendAll(fixture)
    const { status, error_code, error_description } = await fixture.status(id)
    expect([status, error_code]).toEqual(['rejected', '3011'])
    expect(error_description).toContain('The book keeps the earlier version of the invoice.')
    expect(await codesOf(key07(100))).toEqual([])
    await sendAll(fixture)
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
  })
})
