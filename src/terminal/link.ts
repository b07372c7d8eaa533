/** Addresses behind words, for terminals that know them (OSC 8). */

const ESC = '\u001b'
const END = `${ESC}\\`

/** The text with an address behind it. */
export const linked = (text: string, address: string): string =>
  `${ESC}]8;;${address}${END}${text}${ESC}]8;;${END}`

/** Names by which terminals that know links call themselves. */
const KNOWN = /^(?:iTerm\.app|WezTerm|vscode|ghostty|zed|Hyper|rio)$/i

/** VTE, the terminal of GNOME and others, knows links since 0.50. */
const VTE = 5000

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether colours are wanted: who wants none wants no other marks either. */
  readonly color: boolean
  readonly isTerminal: boolean
}

/** Whether the terminal shows links. `FORCE_HYPERLINK` says so where it cannot be known. */
export function wantsLinks({ env, color, isTerminal }: Surroundings): boolean {
  const forced = env.FORCE_HYPERLINK
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (!color || !isTerminal || env.CI) return false
  return (
    KNOWN.test(env.TERM_PROGRAM ?? '') ||
    /kitty|alacritty/.test(env.TERM ?? '') ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined ||
    Number(env.VTE_VERSION ?? 0) >= VTE
  )
}
