/** What is told of an invoice: registered, modified, deleted, by what the agency holds. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { officialSchema } from '../../sii/schema.ts'
import { Rig } from './rig.ts'

const because = officialSchema ? '' : ' (the official schema is not here: messages are not held against it)'

describe(`books of invoices${because}`, () => {
  let rig: Rig
  beforeEach(async () => {
    rig = await Rig.open()
  }, 60_000)
  afterEach(() => rig.close())

  it('an issued and a received invoice are registered, each in its book, with one CSV', async () => {
    const [sold = ''] = await rig.issue()
    const bought = await rig.buy()
    await rig.drain()
    expect(rig.authority.messages.map(({ root }) => root).sort()).toEqual([
      'SuministroLRFacturasEmitidas',
      'SuministroLRFacturasRecibidas',
    ])
    for (const id of [sold, bought]) {
      expect(await rig.status(id)).toMatchObject({ status: 'accepted', error_code: null })
      expect((await rig.status(id)).accepted_at).not.toBeNull()
    }
    expect(await rig.submissions()).toMatchObject([
      { global_status: 'accepted', operation_type: 'A0', record_count: 1, csv: expect.stringMatching(/./) },
      { global_status: 'accepted', operation_type: 'A0', record_count: 1, csv: expect.stringMatching(/./) },
    ])
    expect((await rig.pending()).items).toEqual([])
  })
})
