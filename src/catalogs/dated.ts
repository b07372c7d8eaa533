/** A row in force from a day to a day, both included; `valid_to` is `null` while it has no end. */
export interface Dated {
  readonly valid_from: string
  readonly valid_to: string | null
}

/** Whether a row is in force on a day (`YYYY-MM-DD`); without a day, whether it has no end. */
export function inForce(row: Dated, on: string | undefined): boolean {
  if (on === undefined) return row.valid_to === null
  return row.valid_from <= on && (row.valid_to === null || on <= row.valid_to)
}
