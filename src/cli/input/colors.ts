/** Whether to colour, and the colours. */
import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

export const colorsOf = (enabled: boolean): Colors => pc.createColors(enabled)

interface Surroundings {
  /** False after `--no-color`. */
  readonly option: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
}

/** `--no-color`, then `NO_COLOR` (no-color.org), then `FORCE_COLOR`, then whether the output is a terminal. */
export function wantsColor({ option, env, isTerminal }: Surroundings): boolean {
  if (!option || env.NO_COLOR) return false
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && env.TERM !== 'dumb'
}
