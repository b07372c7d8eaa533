/** A company that reports through the SII, with the simulator's authority in memory: no server, no wire. */
import { join } from 'node:path'
import { openDatabase, type SimulatorDatabase } from 'cuadra-simulator/simulator-database.ts'
import { required } from '#core/errors/index.ts'
import { type Document, received } from '#test/conformance/invoices.ts'
import { updateCompany } from '../../../../src/service/company/company.ts'
import { deleteReceived, saveReceived } from '../../../../src/service/received/received.ts'
import { validateReceived } from '../../../../src/service/received/validate-received.ts'
import { addPayment } from '../../../../src/service/sii/add-payment.ts'
import type { Sending } from '../../../../src/service/sii/sending/sii-sender.ts'
import { resendInvoice, runSiiStep, sendNow } from '../../../../src/service/sii/sending/sii-sender.ts'
import { pendingOf, siiStatusOf } from '../../../../src/service/sii/sii.ts'
import type { SaveResult } from '../../../../src/shapes/schemas.ts'
import type { CompanyStore } from '../../../../src/store/store.ts'
import type { Book, Row } from '../../../../src/store/tables.ts'
import { Fixture, TAX_ID } from '../fixture.ts'
import { recorded, recordedWire } from '../recorder.ts'
import { Authority } from './authority.ts'

export const SII = {
  purpose: 'general',
  step: (sending: Sending, companyId: string, isUrgent: boolean) =>
    runSiiStep(sending, companyId, { isUrgent }),
  records: (store: CompanyStore) => store.select('sii_records').selectAll().orderBy('created_at').execute(),
  stateOf: ({ status }: Row<'sii_records'>) => status,
  submissions: (store: CompanyStore) => {
    return store.select('sii_submissions').selectAll().orderBy('created_at').orderBy('public_id').execute()
  },
  queue: (store: CompanyStore) => store.select('sii_queues').selectAll().executeTakeFirstOrThrow(),
} as const

const ENROLLED = { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] }

type Purchase = Partial<Parameters<typeof received>[0]> & { readonly receiptDate?: string }

interface Options {
  readonly auto?: boolean
  readonly certified?: boolean
  readonly company?: Readonly<Record<string, unknown>>
}

export class SiiFixture extends Fixture<typeof SII> {
  authority!: Authority
  #simulated!: SimulatorDatabase

  static async open({ auto = true, certified = true, company = {} }: Options = {}): Promise<SiiFixture> {
    const fixture = new SiiFixture(SII)
    await fixture.start({ company: { sii: ENROLLED, ...company } })
    fixture.#simulated = await openDatabase(join(fixture.folder, 'simulator'))
    fixture.authority = new Authority(fixture.#simulated, TAX_ID, () => fixture.now)
    if (certified) await fixture.certify()
    const config = { auto_submit: auto ? 1 : 0, updated_at: fixture.app.clock.stamp() }
    await fixture.store.transaction((tx) => tx.insert('sii_config', config))
    return fixture
  }

  override async close(): Promise<void> {
    this.#simulated.close()
    await super.close()
  }

  sending(owner = 'one'): Sending {
    return { app: this.app, wire: recordedWire(this.authority.wire), owner }
  }

  sendNow(invoiceId?: string) {
    return recorded('send now', () => sendNow(this.sending(), this.company.id, invoiceId))
  }

  resendInvoice(invoiceId: string): Promise<void> {
    return recorded('send again', () => resendInvoice(this.app, this.store, invoiceId))
  }

  /** Saves an invoice of a supplier, or replaces the one with an id. */
  save({ receiptDate, ...rest }: Purchase = {}, id?: string): Promise<SaveResult> {
    const sent: Document = received({ taxId: TAX_ID, number: 'R-1', date: '2026-11-18', ...rest })
    if (receiptDate) sent.invoice.issue_data.receipt_date = receiptDate
    return this.store.transaction(async (tx) => {
      const validated = await validateReceived(tx, this.call, sent)
      return saveReceived(tx, this.call, sent, validated, id)
    })
  }

  /** Saves an invoice without errors; returns its id. */
  async buy(purchase?: Purchase, id?: string): Promise<string> {
    const saved = await this.save(purchase, id)
    if (!saved.success) throw new Error(JSON.stringify(saved.errors))
    return saved.id
  }

  /** Changes members of the company, as `company update` does. */
  async update(patch: Readonly<Record<string, unknown>>): Promise<void> {
    this.company = required(
      await this.store.transaction((tx) => updateCompany(tx, patch, this.app.clock.stamp())),
    )
  }

  /** Registers a payment of today; returns its id. */
  async pay(book: Book, invoice_id: string, amount: number): Promise<string> {
    const { clock } = this.app
    const payment = { invoice_id, date: clock.today(), amount, method: '04' }
    return (await this.store.transaction((tx) => addPayment(tx, book, payment, clock))).id
  }

  discard(id: string): Promise<void> {
    return this.store.transaction((tx) => deleteReceived(tx, this.call, id))
  }

  async status(id: string, locale: 'en' | 'es' = 'en') {
    const [one] = await recorded('status', () => siiStatusOf({ ...this.call, locale }, id))
    if (!one) throw new Error(`${id} is in no book`)
    return one
  }

  pending() {
    return recorded('pending', () => pendingOf(this.call, 1000))
  }

  async numberOf(id: string): Promise<string> {
    const rows = this.store.select('invoices').select('number').where('invoice_id', '=', id)
    return (await rows.executeTakeFirstOrThrow()).number ?? ''
  }
}
