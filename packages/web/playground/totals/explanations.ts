/** The rows of an explanation, by the path of their amounts. */
import { useMemo } from 'preact/hooks'
import { type ExplanationRow, explain } from '#engine/index.ts'
import type { Assessment } from '../assess/assess.ts'

export interface Explanations {
  readonly byPath: ReadonlyMap<string, ExplanationRow>
  /** Rows of each line, in the order of the engine. */
  readonly lines: readonly (readonly ExplanationRow[])[]
}

function arrange(rows: readonly ExplanationRow[]): Explanations {
  const byPath = new Map(rows.map((row) => [row.path, row]))
  const lines: ExplanationRow[][] = []
  for (const row of rows) {
    const index = /^\/invoice\/lines\/(\d+)\/\w+$/.exec(row.path)?.[1]
    if (index === undefined) continue
    const at = Number(index)
    lines[at] ??= []
    lines[at].push(row)
  }
  return { byPath, lines }
}

const NOTHING = arrange([])

/** Calculates the explanations only while an explanation is open, because they take longer than the check. */
export function useExplanations({ document, data, options }: Assessment, wanted: boolean): Explanations {
  return useMemo(
    () => (wanted && data ? arrange(explain(document, options)) : NOTHING),
    [document, data, options, wanted],
  )
}
