/** Tests of the deadlines for sending records. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows as national } from '#catalogs/holidays.json'
import { required } from '#core/errors/index.ts'
import {
  DEADLINE_RULES,
  deadlineOf,
  deadlineOfInvoice,
  SII_CAP_DAY,
  type SiiEvent,
} from '#records/sii/index.ts'
import { setTo } from '../../put.ts'
import { itInAll } from '../../size.ts'
import { issued, type Loose, line, received } from './invoices.ts'
import { deadlineExamples } from './schema.ts'

const STRICT_CAP_DAY = 15

/** Returns a worked example of the reference as an event. */
const eventOf = (example: Loose): SiiEvent => {
  const { book, count_from: from, cap_reference_date: reference, days } = example
  if (book === 'COLLECTION') return { book: 'COLLECTIONS', date: from }
  if (book === 'PAYMENT') return { book: 'PAYMENTS', date: from }
  if (book === 'RECEIVED') return { book: 'RECEIVED', receipt_date: from, period_date: reference }
  return { book: 'ISSUED', issue_date: from, operation_date: reference, issued_by_other: days === 8 }
}

describe.skipIf(deadlineExamples === null)('worked examples of the reference', () => {
  it.each(deadlineExamples ?? [])('$id $book $count_from: $note', (example) => {
    const event = eventOf(example)
    const product = deadlineOf(event)
    const strict = deadlineOf(event, { capDay: STRICT_CAP_DAY })
    expect(product.counted_deadline).toBe(example.counted_deadline)
    expect(product.cap).toBe(example.cap_16 ?? null)
    expect(strict.cap).toBe(example.cap_15 ?? null)
    expect(product.deadline).toBe(example.deadline_product_rule)
    expect(strict.deadline).toBe(example.deadline_strict_law)
    expect(product.holidays_unknown).toBe(false)
  })

  it('are complete', () => {
    expect(deadlineExamples).toHaveLength(17)
  })
})

describe('rules', () => {
  const issue_date = '2026-02-14'

  it('the cap is the 16th of the month after the operation, and does not move on a weekend', () => {
    expect(SII_CAP_DAY).toBe(16)
    const late = { book: 'ISSUED', issue_date: '2026-05-15', operation_date: '2026-04-20' } as const
    // 16 May 2026 is a Saturday.
    expect(deadlineOf(late)).toMatchObject({
      deadline: '2026-05-16',
      cap: '2026-05-16',
      counted_deadline: '2026-05-21',
    })
    expect(deadlineOf({ book: 'ISSUED', issue_date: '2026-12-01' }).cap).toBe('2027-01-16')
  })

  it('an invoice of December for an operation of December is capped in January', () => {
    const event = { book: 'ISSUED', issue_date: '2027-01-14', operation_date: '2026-12-31' } as const
    expect(deadlineOf(event).deadline).toBe('2027-01-16')
  })

  it('correctives and collections have no cap', () => {
    const corrective = { book: 'ISSUED', issue_date, operation_date: '2025-01-30', corrective: true } as const
    expect(deadlineOf(corrective)).toMatchObject({ deadline: '2026-02-19', cap: null, rule: 'corrective' })
    expect(deadlineOf({ book: 'COLLECTIONS', date: issue_date }).cap).toBeNull()
  })

  it('a received invoice of an earlier settlement period is capped by that period', () => {
    const event = { book: 'RECEIVED', receipt_date: '2026-03-13', period_date: '2026-02-27' } as const
    expect(deadlineOf(event)).toMatchObject({
      deadline: '2026-03-16',
      counted_deadline: '2026-03-19',
      rule: 'received',
    })
  })

  it('an error that became known has only the cap of the next month', () => {
    expect(deadlineOf({ book: 'ISSUED', known_date: '2026-03-31' })).toMatchObject({
      deadline: '2026-04-16',
      counted_deadline: null,
      rule: 'modification',
    })
  })

  it('give a complete result for every event', () => {
    const plain = { cap: null, days_remaining: null, overdue: null, holidays_unknown: false }
    const counted = (rule: string, day: string) => ({ ...plain, rule, deadline: day, counted_deadline: day })
    const known = {
      ...plain,
      rule: 'modification',
      deadline: '2026-04-16',
      counted_deadline: null,
      cap: '2026-04-16',
    }
    const events: [SiiEvent, object][] = [
      [
        { book: 'ISSUED', issue_date: '2026-03-10' },
        { ...counted('issued', '2026-03-16'), cap: '2026-04-16' },
      ],
      [
        { book: 'ISSUED', issue_date: '2026-03-10', issued_by_other: true },
        { ...counted('issued_by_other', '2026-03-20'), cap: '2026-04-16' },
      ],
      [{ book: 'ISSUED', issue_date: '2026-03-10', corrective: true }, counted('corrective', '2026-03-16')],
      [
        { book: 'RECEIVED', receipt_date: '2026-03-10' },
        { ...counted('received', '2026-03-16'), cap: '2026-04-16' },
      ],
      [{ book: 'COLLECTIONS', date: '2026-03-10' }, counted('collection', '2026-03-16')],
      [{ book: 'PAYMENTS', date: '2026-03-10' }, counted('payment', '2026-03-16')],
      [{ book: 'ISSUED', known_date: '2026-03-10' }, known],
      [{ book: 'RECEIVED', known_date: '2026-03-10' }, known],
    ]
    for (const [event, expected] of events) expect(deadlineOf(event)).toEqual(expected)
  })

  it('every rule has a text in both languages', () => {
    expect(Object.keys(DEADLINE_RULES)).toHaveLength(7)
    for (const { en, es } of Object.values(DEADLINE_RULES)) expect(en).not.toBe(es)
  })
})

describe('today', () => {
  const event = { book: 'ISSUED', issue_date: '2026-03-10' } as const

  it('gives the remaining calendar days, negative when overdue', () => {
    const on = (today: string) => {
      const { days_remaining, overdue } = deadlineOf(event, { today })
      return [days_remaining, overdue]
    }
    expect(on('2026-03-10')).toEqual([6, false])
    expect(on('2026-03-16')).toEqual([0, false])
    expect(on('2026-03-17')).toEqual([-1, true])
    // Across the clock change on 29 March.
    expect(on('2026-04-16')).toEqual([-31, true])
    expect(on('2025-03-16')).toEqual([365, false])
  })

  it('is never read from a clock', () => {
    expect(deadlineOf(event)).toMatchObject({ days_remaining: null, overdue: null })
  })
})

describe('holidays', () => {
  const counted = (issue_date: string, options = {}) => deadlineOf({ book: 'ISSUED', issue_date }, options)

  it('are never a counted deadline, and on a weekday they move it', () => {
    for (const { date } of national) {
      if (date.endsWith('-01-01') && date.startsWith('2023')) continue
      const before = new Date(`${date}T12:00:00Z`)
      before.setUTCDate(before.getUTCDate() - 1)
      const event = { book: 'COLLECTIONS', date: before.toISOString().slice(0, 10) } as const
      const deadline = required(deadlineOf(event).counted_deadline)
      expect(
        national.some((holiday) => holiday.date === deadline),
        date,
      ).toBe(false)
      const plain = required(deadlineOf(event, { holidays: ['2023-01-08', '2024-01-07'] }).counted_deadline)
      const weekday = new Date(`${date}T12:00:00Z`).getUTCDay()
      if (weekday !== 0 && weekday !== 6) expect(deadline > plain, date).toBe(true)
    }
  })

  it('the caller’s list replaces the catalog', () => {
    expect(counted('2026-03-31').deadline).toBe('2026-04-07')
    const list = { holidays: ['2026-01-01', '2026-04-02', '2026-04-03'] }
    expect(counted('2026-03-31', list)).toMatchObject({ deadline: '2026-04-08', holidays_unknown: false })
  })

  it('an unknown year is flagged, and its deadline is never later than the true one', () => {
    const inside = counted('2030-12-18')
    expect(inside).toMatchObject({ deadline: '2030-12-24', holidays_unknown: false })
    // 1 January 2031 counts, because its holidays are unknown.
    expect(counted('2030-12-27')).toMatchObject({ deadline: '2031-01-02', holidays_unknown: true })
    expect(counted('2031-04-30')).toMatchObject({ deadline: '2031-05-06', holidays_unknown: true })
    expect(counted('2022-12-28')).toMatchObject({ holidays_unknown: true })
    expect(counted('2026-03-31', { holidays: [] })).toMatchObject({
      deadline: '2026-04-06',
      holidays_unknown: true,
    })
  })
})

describe('properties', () => {
  const day = fc
    .date({
      min: new Date('2023-01-02T00:00:00Z'),
      max: new Date('2030-11-30T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 10))

  /** Counts by stepping through UTC days, without date-fns. */
  const reckoned = (from: string, days: number): string => {
    const date = new Date(`${from}T00:00:00Z`)
    for (let left = days; left > 0; ) {
      date.setUTCDate(date.getUTCDate() + 1)
      const text = date.toISOString().slice(0, 10)
      const weekend = date.getUTCDay() % 6 === 0
      if (!weekend && !national.some((holiday) => holiday.date === text)) left -= 1
    }
    return date.toISOString().slice(0, 10)
  }

  it('agrees with an independent calculation on any day', () => {
    fc.assert(
      fc.property(day, fc.boolean(), (issue_date, issued_by_other) => {
        const { counted_deadline, deadline, cap } = deadlineOf({
          book: 'ISSUED',
          issue_date,
          issued_by_other,
        })
        expect(counted_deadline).toBe(reckoned(issue_date, issued_by_other ? 8 : 4))
        expect(deadline).toBe([counted_deadline, cap].sort()[0])
      }),
      { numRuns: 300 },
    )
  })

  it('a later event never has an earlier deadline', () => {
    fc.assert(
      fc.property(day, day, (a, b) => {
        const [first, second] = a < b ? [a, b] : [b, a]
        const at = (date: string) => deadlineOf({ book: 'RECEIVED', receipt_date: date }).deadline
        expect(at(first) <= at(second)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('time zones', () => {
  const file = fileURLToPath(new URL('../../../src/records/sii/deadline/deadline.ts', import.meta.url))
  const bundle = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  const script = `${required(bundle.outputFiles[0]).text}
    const days = []
    for (let i = 0; i < 2900; i++) days.push(new Date(Date.UTC(2023, 0, 2 + i)).toISOString().slice(0, 10))
    const lines = days.map((date) => {
      const issued = deadlineOf({ book: 'ISSUED', issue_date: date }, { today: '2026-03-29' })
      return [date, issued.deadline, issued.cap, issued.days_remaining].join(' ')
    })
    console.log(lines.join('\\n'))`
  const run = (TZ: string) => {
    const { stdout, stderr, status } = spawnSync('node', ['--input-type=module'], {
      input: script,
      encoding: 'utf8',
      env: { ...process.env, TZ },
      maxBuffer: 1e8,
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    return stdout
  }

  itInAll('change nothing: east, west, half hours, and zones whose clocks change at midnight', () => {
    const utc = run('UTC')
    expect(utc.split('\n').length).toBeGreaterThan(2900)
    const zones = [
      ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Madrid', 'America/Santiago'],
      ...['America/Havana', 'Asia/Beirut', 'Asia/Kolkata', 'Africa/Cairo', 'Australia/Lord_Howe'],
    ]
    for (const zone of zones) expect(run(zone), zone).toBe(utc)
  })
})

describe('deadlineOfInvoice', () => {
  it('uses the dates of an issued invoice', () => {
    const invoice = (change?: (one: Loose) => void) => issued([line(1, 21)], change)
    expect(deadlineOfInvoice(invoice())).toMatchObject({ deadline: '2026-03-16', rule: 'issued' })
    expect(deadlineOfInvoice(invoice(), { third_party: true })).toMatchObject({
      deadline: '2026-03-20',
      rule: 'issued_by_other',
    })
    const self = invoice(setTo('header/invoice_type_code', '05'))
    expect(deadlineOfInvoice(self)?.rule).toBe('issued_by_other')
    const operated = invoice(setTo('issue_data', { issue_date: '2026-02-14', operation_date: '2026-01-30' }))
    expect(deadlineOfInvoice(operated)?.deadline).toBe('2026-02-16')
    expect(deadlineOfInvoice(operated, { capDay: 15 })?.deadline).toBe('2026-02-15')
  })

  it('uses only the issue of a corrective', () => {
    const corrective = issued(
      [line(-1, 21)],
      setTo('header', {
        invoice_type_code: '03',
        invoice_number: 'R-1',
        corrective: {
          reason_code: '20',
          correction_type: 'D',
          invoice_number: 'F-1',
          invoice_issue_date: '2025-01-10',
        },
      }),
    )
    expect(deadlineOfInvoice(corrective)).toMatchObject({
      deadline: '2026-03-16',
      cap: null,
      rule: 'corrective',
    })
  })

  it('uses the given registration of a received invoice, else its receipt date, else its date of issue', () => {
    expect(deadlineOfInvoice(received([line(1, 21)]))?.deadline).toBe('2026-03-12')
    const unreceived = received([line(1, 21)], (one) => delete one.issue_data.receipt_date)
    expect(deadlineOfInvoice(unreceived)?.deadline).toBe('2026-03-06')
    expect(deadlineOfInvoice(unreceived, { registration_date: '2026-03-10' })?.deadline).toBe('2026-03-16')
  })

  it('is null without a date', () => {
    const invoice: Loose = issued([line(1, 21)])
    delete invoice.invoice.issue_data.issue_date
    expect(deadlineOfInvoice(invoice)).toBeNull()
    const bill: Loose = received([line(1, 21)])
    bill.invoice.issue_data = {}
    expect(deadlineOfInvoice(bill)).toBeNull()
  })
})

describe('mistakes of the caller', () => {
  it('throw exceptions that name the option', () => {
    const event = { book: 'ISSUED', issue_date: '2026-03-10' } as const
    for (const capDay of [0, 29, 1.5, '16' as never])
      expect(() => deadlineOf(event, { capDay })).toThrow(/capDay/)
    for (const [capDay, cap] of [
      [1, '2026-04-01'],
      [28, '2026-04-28'],
    ] as const)
      expect(deadlineOf(event, { capDay }).cap).toBe(cap)
    expect(() => deadlineOf(event, { today: '2026-02-30' })).toThrow(/today/)
    expect(() => deadlineOf(event, { holidays: ['x'] })).toThrow(/holidays/)
    expect(() => deadlineOf({ book: 'ISSUED', issue_date: '10-03-2026' })).toThrow(/issue_date/)
    expect(() => deadlineOf({ book: 'RECEIVED' } as never)).toThrow(/receipt_date/)
    expect(() => deadlineOf({ book: 'COLLECTIONS', date: undefined } as never)).toThrow(/date/)
    expect(() => deadlineOf({ book: 'OTHER' } as never)).toThrow(/book/)
  })
})
