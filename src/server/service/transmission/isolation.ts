/**
 * One malformed record makes the authority refuse a whole message. It is found by sending fewer records, in their order,
 * until it is alone; it is rejected once it is certain that it is the record, and not the message.
 */
export interface Isolation<Aside> {
  /** The most records of the next message. */
  readonly limit: number
  /** A message was taken since the first refusal: what every message has is right. */
  readonly proven: boolean
  /** The record that was refused alone before anything was proven: left out until something is. */
  readonly aside: Aside | null
}

export const readIsolation = <Aside>(stored: string | null): Isolation<Aside> | null =>
  stored === null ? null : (JSON.parse(stored) as Isolation<Aside>)

export const storedIsolation = (isolation: Isolation<unknown> | null): string | null =>
  isolation ? JSON.stringify(isolation) : null

export type Next<Aside> =
  /** The only record of the message is the reason: it is rejected. */
  | { readonly is: 'rejected' }
  /** Go on with less, or without the record that was set apart. */
  | { readonly is: 'narrowed'; readonly isolation: Isolation<Aside> }
  /** It is no single record: every message is refused. */
  | { readonly is: 'every' }

export interface Refusal<Aside> {
  /** The most records that a message may have. */
  readonly most: number
  /** Records of the message that was refused. */
  readonly records: number
  /** Place of the first of them that is broken by our own reading; -1 where none is. */
  readonly broken: number
  /** The first of them, as it is set apart. */
  readonly first: Aside | undefined
  readonly othersWait: boolean
}

/** What to do after a message was refused for one of its records. */
export function afterFault<Aside>(
  before: Isolation<Aside> | null,
  { most, records, broken, first, othersWait }: Refusal<Aside>,
): Next<Aside> {
  const current = before ?? { limit: most, proven: false, aside: null }
  if (records > 1) {
    const limit = broken > 0 ? broken : broken === 0 ? 1 : Math.ceil(records / 2)
    return { is: 'narrowed', isolation: { ...current, limit } }
  }
  if (broken === 0 || current.proven) return { is: 'rejected' }
  if (current.aside || !first || !othersWait) return { is: 'every' }
  return { is: 'narrowed', isolation: { limit: most, proven: false, aside: first } }
}

/** What is left of it after a message was taken; null once nothing is to be looked for. */
export function afterAnswer<Aside>(
  before: Isolation<Aside> | null,
  sent: number,
  most: number,
): Isolation<Aside> | null {
  if (!before || sent < before.limit) return null
  return { limit: Math.min(most, before.limit * 2), proven: true, aside: null }
}
