/** Servers that are broken on purpose, to prove that the simulation finds what is wrong and shortens it. */
import type { Sabotage } from './world.ts'

export const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  /** Every fifth commit with an invoice is rolled back, and acknowledged. */
  'loses a commit': {
    statement: () => {
      let hasInvoice = false
      let commits = 0
      return (sql, work, exec) => {
        if (/^insert into "invoices"/i.test(sql)) hasInvoice = true
        if (!/^commit/i.test(sql) || !hasInvoice) return work()
        hasInvoice = false
        if (++commits % 5 > 0) return work()
        exec('ROLLBACK')
        return undefined as never
      }
    },
  },
  /** A commit returns before it is on the disk. */
  'does not flush': {
    statement: () => (sql, work, exec) => {
      const result = work()
      if (/synchronous = FULL/.test(sql)) exec('PRAGMA synchronous = NORMAL')
      return result
    },
  },
  /** Every third time, the counter of a series stays as it was, and a number that is taken counts as free. */
  'gives a number twice': {
    statement: () => {
      let advances = 0
      return (sql, work) => {
        if (/^update "series" set "next_number"/i.test(sql) && ++advances % 3 === 0)
          return { changes: 1 } as never
        const result: any = work()
        if (/^insert into "numbers"/i.test(sql) && result.changes === 0) return { ...result, changes: 1 }
        return result
      }
    },
  },
  /** Every mail is delivered again. */
  'mails twice': {
    ports: (ports) => {
      const { deliver } = ports
      if (!deliver) return ports
      return {
        ...ports,
        deliver: async (mail, handOver) => {
          await deliver(mail, handOver)
          return deliver(mail, handOver)
        },
      }
    },
  },
  /** The clock of the server stops. */
  'stops its clock': {
    ports: (ports) => {
      const { clock } = ports
      const stopped = clock?.now() ?? 0
      return clock ? { ...ports, clock: { ...clock, now: () => stopped } } : ports
    },
  },
}
