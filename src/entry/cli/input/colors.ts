/** Colours of the output, and whether to use them. */
import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

export const colorsOf = (enabled: boolean): Colors => pc.createColors(enabled)

interface ColorContext {
  /** False after `--no-color`. */
  readonly option: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
}

/** Whether to use colours. Precedence: `--no-color`, `NO_COLOR` (no-color.org), `FORCE_COLOR`, then the terminal. */
export function wantsColor({ option, env, isTerminal }: ColorContext): boolean {
  if (!option || env.NO_COLOR) return false
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && env.TERM !== 'dumb'
}
