/** A company that sends to VERI*FACTU, with an authority in memory: no server, no wire. */

import type { Sending } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import { runVerifactuStep } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import { activateVerifactu } from '../../../../src/service/verifactu/verifactu-config.ts'
import type { CompanyStore } from '../../../../src/store/store.ts'
import type { Mode, Row } from '../../../../src/store/tables.ts'
import { Fixture, type StartOptions } from '../fixture.ts'
import { recordedWire } from '../recorder.ts'
import { FakeAuthority } from './authority.ts'

export const VERIFACTU = {
  purpose: 'verifactu',
  step: (sending: Sending, companyId: string, urgent: boolean) =>
    runVerifactuStep(sending, companyId, 'test', { urgent }),
  records: (store: CompanyStore) =>
    store.select('verifactu_records').selectAll().orderBy('sequence').execute(),
  stateOf: ({ estado }: Row<'verifactu_records'>) => estado,
  submissions: (store: CompanyStore) => {
    const all = store.select('verifactu_submissions').selectAll()
    return all.orderBy('created_at').orderBy('submission_id').execute()
  },
  queue: (store: CompanyStore) => store.select('verifactu_queues').selectAll().executeTakeFirstOrThrow(),
} as const

export class VerifactuFixture extends Fixture<typeof VERIFACTU> {
  readonly authority = new FakeAuthority(() => this.now)

  /** A company with a certificate and an open period. */
  static async open({
    databaseUrl,
    mode = 'verifactu',
    settings = {},
  }: Pick<StartOptions, 'databaseUrl' | 'settings'> & {
    readonly mode?: Mode
  } = {}): Promise<VerifactuFixture> {
    const fixture = new VerifactuFixture(VERIFACTU)
    await fixture.start({ databaseUrl, settings })
    await fixture.certify()
    await fixture.store.transaction((tx) => activateVerifactu(tx, fixture.call, { mode, sandbox: true }))
    return fixture
  }

  sending(owner = 'one'): Sending {
    return { app: this.app, wire: recordedWire(this.authority.wire), owner }
  }
}
