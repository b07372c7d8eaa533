/** A row in force between two days, both included. `valid_to` is `null` if there is no end date. */
export interface Dated {
  readonly valid_from: string
  readonly valid_to: string | null
}

/** Whether a row is in force on a day (`YYYY-MM-DD`); without a day, whether it has no end date. */
export function inForce(row: Dated, on: string | undefined): boolean {
  if (on === undefined) return row.valid_to === null
  return row.valid_from <= on && (row.valid_to === null || on <= row.valid_to)
}
