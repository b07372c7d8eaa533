/** Hyperlinks in terminals that support them (OSC 8). */

const ESC = '\u001b'
const END = `${ESC}\\`

/** Returns the text as a link to an address. */
export const terminalLink = (text: string, address: string): string =>
  `${ESC}]8;;${address}${END}${text}${ESC}]8;;${END}`

/** Values of `TERM_PROGRAM` of terminals with link support. */
const KNOWN = /^(?:iTerm\.app|WezTerm|vscode|ghostty|zed|Hyper|rio)$/i

/** VTE, the terminal of GNOME and others, supports links since 0.50. */
const VTE = 5000

interface TerminalEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether colours are wanted. Without colours, links are not shown either. */
  readonly color: boolean
  readonly isTerminal: boolean
}

/** Whether the terminal shows links. `FORCE_HYPERLINK` overrides the detection. */
export function wantsLinks({ env, color, isTerminal }: TerminalEnvironment): boolean {
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
