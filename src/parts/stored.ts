/** Small memories of the browser. Where it refuses (private windows, full disks) nothing is remembered. */
type Where = 'localStorage' | 'sessionStorage'

export function recall(where: Where, name: string): string | null {
  try {
    return globalThis[where].getItem(`cuadra.${name}`)
  } catch {
    return null
  }
}

/** Keeps a text; `null` removes it. */
export function remember(where: Where, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[where].removeItem(`cuadra.${name}`)
    else globalThis[where].setItem(`cuadra.${name}`, value)
  } catch {
    // The page works without.
  }
}
