/** Opens a VeriFactu period as an administrator does, without the certificate that the HTTP interface requires. */
import { randomUUID } from 'node:crypto'
import type { TestServer } from './harness.ts'

export const activateVerifactu = (
  { past }: TestServer,
  company_id: string,
  mode: 'verifactu' | 'no_verifactu' = 'verifactu',
): Promise<unknown> =>
  past((db) =>
    db
      .insertInto('verifactu_periods')
      .values({
        company_id,
        period_id: randomUUID(),
        mode,
        sandbox: 1,
        certificate_id: null,
        start_date: '2026-01-01',
        end_date: null,
        created_at: '2026-01-01T00:00:00.000000',
        updated_at: '2026-01-01T00:00:00.000000',
      })
      .execute(),
  )
