/** Browser storage. Where it is unavailable (private windows, full disks), nothing is stored. */
type StorageArea = 'localStorage' | 'sessionStorage'

export function readStored(area: StorageArea, name: string): string | null {
  try {
    return globalThis[area].getItem(`cuadra.${name}`)
  } catch {
    return null
  }
}

/** Stores a text; `null` removes it. */
export function storeText(area: StorageArea, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(`cuadra.${name}`)
    else globalThis[area].setItem(`cuadra.${name}`, value)
  } catch {
    // The page works without storage.
  }
}
