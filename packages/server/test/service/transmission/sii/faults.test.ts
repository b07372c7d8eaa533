/** Faults in transmission to the SII: nothing is lost or registered twice, and the final statuses are right. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LEASE_MS } from '../../../../src/service/transmission/queue.ts'
import { MORNING } from '../fixture.ts'
import {
  afterwards,
  answerLost,
  changed,
  cutInTheMiddle,
  down,
  fault,
  type Happening,
  htmlPage,
  lostOnTheWay,
  turnedAway,
} from '../script.ts'
import { SiiFixture } from './fixture.ts'

/** What happens to successive messages, and to queries; later ones succeed. */
interface Fault {
  readonly messages: readonly Happening[]
  readonly queries?: readonly Happening[]
  /** Statuses of submissions, oldest first. */
  readonly submissions: readonly string[]
  /** Number of queries needed. */
  readonly asked: number
  /** Reason while the fault lasts. */
  readonly errorCode?: string
}

const page = htmlPage('503')
const pageAfterStoring = afterwards(page)
const withoutLastLine = changed((text) =>
  text.replace(/<(\w+:)?RespuestaLinea>(?:(?!RespuestaLinea>).)*<\/(\w+:)?RespuestaLinea>(?=<\/)/s, ''),
)
const wrongBook = changed((text) =>
  text.replaceAll('RespuestaLRFacturasEmitidas', 'RespuestaLRFacturasRecibidas'),
)
const unknownState = changed((text) => text.replace(/(EstadoRegistro>)Correcto</, '$1EnEstudio<'))

const FAULTS: Readonly<Record<string, Fault>> = {
  'the authority is down for hours': {
    messages: [down, down, down, down],
    submissions: ['accepted'],
    asked: 0,
    errorCode: 'unreachable',
  },
  'the certificate is rejected': {
    messages: [turnedAway],
    submissions: ['accepted'],
    asked: 0,
    errorCode: 'refused',
  },
  'the response is lost after storing': {
    messages: [answerLost],
    submissions: ['accepted'],
    asked: 2,
    errorCode: 'unknown',
  },
  'the message is lost': {
    messages: [lostOnTheWay],
    submissions: ['error', 'accepted'],
    asked: 2,
  },
  'the response is cut off': { messages: [cutInTheMiddle], submissions: ['accepted'], asked: 2 },
  'the response is an HTML page, and nothing was stored': {
    messages: [page],
    submissions: ['error', 'accepted'],
    asked: 2,
  },
  'the response is an HTML page, after storing': {
    messages: [pageAfterStoring],
    submissions: ['accepted'],
    asked: 2,
  },
  'the response is lost, and the query fails twice': {
    messages: [answerLost],
    queries: [down, page],
    submissions: ['accepted'],
    asked: 4,
  },
  'the response is lost, and the query is rejected': {
    messages: [answerLost],
    queries: [fault(4102), fault(null, 'Server')],
    submissions: ['accepted'],
    asked: 4,
  },
  'messages and a response are lost repeatedly': {
    messages: [lostOnTheWay, lostOnTheWay, answerLost],
    submissions: ['error', 'error', 'accepted'],
    asked: 6,
  },
  'the service fails': {
    messages: [fault(null, 'Server'), fault(4113), fault(3500)],
    submissions: ['accepted'],
    asked: 0,
    errorCode: 'fault_service',
  },
  'the holder is not registered for the SII yet': {
    messages: [fault(4118)],
    submissions: ['accepted'],
    asked: 0,
    errorCode: '4118',
  },
  'every message is rejected as malformed for an hour': {
    messages: [fault(4102), fault(4102), fault(4102)],
    submissions: ['error', 'error', 'accepted'],
    asked: 0,
  },
  'the response lacks a record': { messages: [withoutLastLine], submissions: ['accepted'], asked: 1 },
  'the response is for another book': { messages: [wrongBook], submissions: ['accepted'], asked: 2 },
  'the response has an unknown status': {
    messages: [unknownState],
    submissions: ['accepted'],
    asked: 1,
  },
}

describe('in transmission to the SII', () => {
  let fixture: SiiFixture
  beforeAll(async () => {
    fixture = await SiiFixture.open()
  }, 60_000)
  afterAll(() => fixture?.close())
  afterEach(() => {
    fixture.now = MORNING
    fixture.authority.script.length = 0
  })

  for (const [name, { messages, queries = [], submissions, asked, errorCode }] of Object.entries(FAULTS))
    it(name, async () => {
      const before = (await fixture.submissions()).length
      const { queries: queriesBefore } = fixture.authority
      const ids = await fixture.issue(2)
      fixture.authority.script.push(...messages)
      fixture.authority.queryScript.push(...queries)
      if (errorCode) {
        await fixture.step()
        const [last] = (await fixture.submissions()).slice(-1)
        expect(last?.error_code).toBe(errorCode)
        expect((await fixture.pending()).total).toBe(2)
      }
      await fixture.drain()
      for (const id of ids) {
        expect(await fixture.status(id)).toMatchObject({ status: 'accepted', error_code: null })
        expect(fixture.authority.registered().get(await fixture.numberOf(id))).toBe(1)
      }
      const made = (await fixture.submissions()).slice(before)
      expect(made.map(({ global_status }) => global_status).sort()).toEqual([...submissions].sort())
      expect(made.filter(({ csv }) => csv !== null)).toHaveLength(1)
      expect(fixture.authority.queries - queriesBefore).toBe(asked)
      expect(await fixture.queue()).toMatchObject({ submission_id: null, isolation: null, owner: null })
      expect((await fixture.records()).filter(({ sending_id }) => sending_id !== null)).toEqual([])
    })

  it('a fault of the server with an unknown code is retried within half a minute', async () => {
    const [id = ''] = await fixture.issue(1)
    fixture.authority.script.push(fault(20009, 'Server'))
    const next = await fixture.step()
    expect(next).toMatchObject({ is: 'later', blocked: { reason: 'fault_service', code: 20009 } })
    expect(next.is === 'later' && next.at - fixture.now).toBeLessThanOrEqual(30_000)
    await fixture.drain()
    expect((await fixture.status(id)).status).toBe('accepted')
  })

  it('the simulator does not drop the only line of a response', async () => {
    await fixture.issue(1)
    fixture.authority.faults.add({ kind: 'missing_line', times: 1 })
    await fixture.drain()
    expect(fixture.authority.faults.list()).toHaveLength(1)
    const ids = await fixture.issue(2)
    const before = fixture.authority.queries
    await fixture.drain()
    expect(fixture.authority.faults.list()).toEqual([])
    expect(fixture.authority.queries).toBe(before + 1)
    for (const id of ids) expect((await fixture.status(id)).status).toBe('accepted')
  })

  it('an invoice registered by another system is shown, and replaced only by a command', async () => {
    const [id = ''] = await fixture.issue(1)
    const number = await fixture.numberOf(id)
    let message = ''
    fixture.authority.script.push((_, xml) => {
      message = xml
      return { is: 'unreachable', reason: { en: 'x.', es: 'x.' } }
    })
    await fixture.step()
    await fixture.authority.wire(message.replaceAll('Servicios de prueba', 'Otra operación'), {
      companyId: fixture.call.company.id,
      environment: 'test',
      address: 'issued',
      operation: 'submission',
      certificateId: 1,
    })
    await fixture.drain()
    const before = fixture.authority.stored('ISSUED', '11').get(number)?.record
    const status = await fixture.status(id, 'es')
    expect(status).toMatchObject({ status: 'rejected', error_code: '3000' })
    expect(status.error_description).toContain('no procede de este servidor')
    expect(fixture.authority.stored('ISSUED', '11').get(number)?.record).toEqual(before)
    await fixture.sendNow(id)
    expect((await fixture.status(id)).status).toBe('rejected')
    await fixture.resendInvoice(id)
    await fixture.sendNow(id)
    expect((await fixture.status(id)).status).toBe('accepted')
    expect(fixture.authority.came().at(-1)).toBe(`A1 ${number}`)
  })

  it('lines in another order are matched to their records', async () => {
    const ids = await fixture.issue(3)
    fixture.authority.faults.add({ kind: 'wrong_order', times: 1 })
    const number = await fixture.numberOf(ids[0] ?? '')
    fixture.authority.faults.add({ kind: 'reject', code: 1117, number, times: 1 })
    await fixture.drain()
    const states = await Promise.all(ids.map(async (id) => (await fixture.status(id)).status))
    expect(states).toEqual(['rejected', 'accepted', 'accepted'])
  })

  it('a record that makes every message fail is found, and the others are sent', async () => {
    const ids = await fixture.issue(5)
    const numbers = await Promise.all(ids.map((id) => fixture.numberOf(id)))
    fixture.authority.broken.add(numbers[3] ?? '')
    await fixture.drain()
    fixture.authority.broken.clear()
    const states = await Promise.all(ids.map(async (id) => (await fixture.status(id)).status))
    expect(states.map((state, index) => (index === 3 ? null : state))).toEqual([
      'accepted',
      'accepted',
      'accepted',
      null,
      'accepted',
    ])
    expect(await fixture.status(ids[3] ?? '')).toMatchObject({ status: 'rejected', error_code: '4102' })
    for (const number of numbers)
      expect(fixture.authority.registered().get(number)).toBe(number === numbers[3] ? undefined : 1)
    await fixture.resendInvoice(ids[3] ?? '')
    await fixture.drain()
    expect(await fixture.status(ids[3] ?? '')).toMatchObject({ status: 'accepted' })
  })

  it.each([
    ['an hour later', 3_600_000],
    ['when the clock is set back by an hour', -3_600_000],
  ])('a technical failure of a record causes a retry of the same record: %s', async (_, by) => {
    const ids = await fixture.issue(2)
    const number = await fixture.numberOf(ids[0] ?? '')
    fixture.authority.script.push(
      changed((text) =>
        text.replace(
          new RegExp(`(>${number}</.*?EstadoRegistro>)Correcto</(\\w+:)EstadoRegistro>`, 's'),
          '$1Incorrecto</$2EstadoRegistro><$2CodigoErrorRegistro>3501</$2CodigoErrorRegistro>',
        ),
      ),
    )
    await fixture.drain()
    expect((await fixture.status(ids[1] ?? '')).status).toBe('accepted')
    expect(await fixture.status(ids[0] ?? '')).toMatchObject({ status: 'pending', error_code: '3501' })
    fixture.now += by
    await fixture.drain()
    expect(await fixture.status(ids[0] ?? '')).toMatchObject({ status: 'accepted', error_code: null })
    expect(fixture.authority.registered().get(number)).toBe(1)
  })

  it('if the process ends before the response is stored, the next one queries, and sends nothing again', async () => {
    const ids = await fixture.issue(2)
    fixture.authority.script.push((deliver) => {
      deliver()
      throw new Error('killed')
    })
    await expect(fixture.step('killed')).rejects.toThrow('killed')
    const came = fixture.authority.messages.length
    await fixture.drain('two')
    for (const id of ids) expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    expect(fixture.authority.messages).toHaveLength(came)
  })

  it('a process that lost the queue while waiting for a response writes nothing', async () => {
    const [id = ''] = await fixture.issue()
    fixture.authority.script.push(async (deliver) => {
      const text = deliver()
      fixture.now += LEASE_MS + 1
      await fixture.drain('two')
      return { is: 'answered', text }
    })
    expect(await fixture.step('one')).toEqual({ is: 'busy' })
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    expect(fixture.authority.registered().get(await fixture.numberOf(id))).toBe(1)
    expect((await fixture.submissions()).at(-1)).toMatchObject({ error_code: 'settled_with_csv' })
  })

  it('three processes at once send each invoice once', async () => {
    const ids = await fixture.issue(12)
    const work = async (owner: string) => {
      for (let attempts = 0; attempts < 30; attempts++) {
        const { is } = await fixture.step(owner)
        if (is === 'idle') return
      }
    }
    fixture.authority.script.push(answerLost, lostOnTheWay)
    for (let round = 0; round < 6; round++) {
      await Promise.all(['one', 'two', 'three'].map(work))
      fixture.now += 3_600_000
    }
    await fixture.drain()
    for (const id of ids) {
      expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
      expect(fixture.authority.registered().get(await fixture.numberOf(id))).toBe(1)
    }
  })

  it('an invoice that changes in flight is sent as a modification afterwards', async () => {
    const id = await fixture.buy({ number: 'W-1' })
    fixture.authority.script.push(async (deliver) => {
      const text = deliver()
      await fixture.buy({
        number: 'W-1',
        invoice: { issue_data: { issue_date: '2026-11-18', invoice_description: 'Otra' } },
      })
      return { is: 'answered', text }
    })
    await fixture.step()
    expect(await fixture.status(id)).toMatchObject({ status: 'pending_modification' })
    await fixture.drain()
    expect(fixture.authority.came().slice(-2)).toEqual(['A0 W-1', 'A1 W-1'])
    expect(
      fixture.authority.stored('RECEIVED', '2026-11').get('W-1')?.record.FacturaRecibida.DescripcionOperacion,
    ).toBe('Otra')
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
  })

  it('the same holds if the response is lost, or the invoice is cancelled meanwhile', async () => {
    const [id = ''] = await fixture.issue()
    fixture.authority.script.push(async (deliver) => {
      deliver()
      await fixture.cancel(id)
      return { is: 'unknown', reason: { en: '-', es: '-' } }
    })
    await fixture.drain()
    const number = await fixture.numberOf(id)
    expect(fixture.authority.came().slice(-2)).toEqual([`A0 ${number}`, `A1 ${number}`])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
    const { record } = fixture.authority.stored('ISSUED', '2026-11').get(number) ?? {}
    expect(record.FacturaExpedida.ImporteTotal).toBe('0.00')
  })

  it('a received invoice deleted in flight is removed from the book again', async () => {
    const id = await fixture.buy({ number: 'D-1' })
    fixture.authority.script.push(async (deliver) => {
      const text = deliver()
      await fixture.discard(id)
      return { is: 'answered', text }
    })
    await fixture.drain()
    expect(fixture.authority.came().slice(-2)).toEqual(['A0 D-1', 'BAJA D-1'])
    expect(fixture.authority.stored('RECEIVED', '2026-11').get('D-1')?.state).toBe('Anulada')
    expect((await fixture.records()).some(({ invoice_id }) => invoice_id === id)).toBe(false)
  })

  it('an invoice deleted in flight that never arrives leaves no trace', async () => {
    const id = await fixture.buy({ number: 'D-2' })
    fixture.authority.script.push(async () => {
      await fixture.discard(id)
      return { is: 'unknown', reason: { en: '-', es: '-' } }
    })
    await fixture.drain()
    expect(fixture.authority.came().at(-1)).toBe('A0 D-2')
    expect((await fixture.records()).some(({ invoice_id }) => invoice_id === id)).toBe(false)
  })

  it('a lost modification is sent again, and never as a registration', async () => {
    const id = await fixture.buy({ number: 'M-1' })
    await fixture.drain()
    await fixture.buy({
      number: 'M-1',
      invoice: { issue_data: { issue_date: '2026-11-18', invoice_description: 'Otra' } },
    })
    fixture.authority.script.push(lostOnTheWay, answerLost)
    await fixture.drain()
    expect(fixture.authority.came().slice(-3)).toEqual(['A0 M-1', 'A1 M-1', 'A1 M-1'])
    expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
  })

  it('a lost deletion is queried, and sent again only if it did not arrive', async () => {
    const id = await fixture.buy({ number: 'B-1' })
    await fixture.drain()
    await fixture.buy({ number: 'B-2' }, id)
    fixture.authority.script.push(lostOnTheWay, answerLost)
    await fixture.drain()
    expect(fixture.authority.came().slice(-4)).toEqual(['A0 B-1', 'BAJA B-1', 'BAJA B-1', 'A0 B-2'])
    const book = fixture.authority.stored('RECEIVED', '2026-11')
    expect([book.get('B-1')?.state, book.get('B-2')?.state]).toEqual(['Anulada', 'Correcta'])
  })

  it('many records are queried by month, page by page', async () => {
    const ids = await fixture.issue(12)
    fixture.authority.pageSize = 5
    fixture.authority.script.push(answerLost)
    await fixture.drain()
    fixture.authority.pageSize = 10_000
    for (const id of ids) expect(await fixture.status(id)).toMatchObject({ status: 'accepted' })
  })
})

it('without a certificate nothing is sent, invoices are issued, and the submission has the reason', async () => {
  const fixture = await SiiFixture.open({ certified: false })
  try {
    const [id = ''] = await fixture.issue()
    expect(await fixture.step()).toMatchObject({ is: 'later', blocked: { reason: 'no_certificate' } })
    await fixture.issue()
    fixture.now += 120_000
    expect(await fixture.step()).toMatchObject({ blocked: { reason: 'no_certificate' } })
    expect(await fixture.submissions()).toMatchObject([
      { global_status: 'error', error_code: 'no_certificate', record_count: 2, attempts: 2, xml: null },
    ])
    expect(await fixture.status(id)).toMatchObject({ status: 'pending' })
    await fixture.certify()
    await fixture.drain()
    expect(await fixture.states()).toEqual(['accepted', 'accepted'])
    expect(await fixture.submissions()).toMatchObject([
      { global_status: 'accepted', error_code: null, attempts: 3 },
    ])
  } finally {
    await fixture.close()
  }
})
