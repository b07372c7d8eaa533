/** What an entry for a kind of step is, and how it finds its invoice. */
import type { Company, Invoice } from './model.ts'
import type { Run } from './simulate.ts'
import type { Dice } from './story.ts'

export interface Action {
  /** How often it is drawn. */
  readonly weight: number
  readonly run: (run: Run, company: Company, dice: Dice) => Promise<void>
}

export const find = (company: Company, is: (invoice: Invoice) => boolean, die = 0): Invoice | undefined => {
  const all = [...company.invoices.values()].filter(is)
  // Mostly the latest ones.
  return all[
    Math.max(0, all.length - 1 - (die % Math.max(1, die < 700 ? Math.min(4, all.length) : all.length)))
  ]
}

export const inForce = ({ status }: Invoice) => status === 'issued' || status === 'sent'
