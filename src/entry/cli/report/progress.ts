/** Shows a progress bar on the terminal while a batch runs. */
import type { Colors } from '../input/colors.ts'

export interface Progress {
  /** Adds to the bytes read and the documents checked. */
  advance(bytes: number, documents: number): void
  /** Erases the bar before other output is written. */
  hide(): void
}

export const NO_PROGRESS: Progress = { advance() {}, hide() {} }

const CELLS = 28
const REDRAW_INTERVAL_MS = 80

/** Returns a progress bar. `total` is in bytes, 0 if unknown; `now` is a clock in milliseconds. */
export function progressBar(
  screen: { write(text: string): unknown },
  total: number,
  colors: Colors,
  now: () => number,
): Progress {
  const start = now()
  let bytes = 0
  let documents = 0
  let drawn = -REDRAW_INTERVAL_MS
  let visible = false
  return {
    advance(moreBytes, moreDocuments) {
      bytes += moreBytes
      documents += moreDocuments
      const time = now() - start
      if (time - drawn < REDRAW_INTERVAL_MS) return
      drawn = time
      visible = true
      const done = total > 0 ? Math.min(1, bytes / total) : 0
      const full = Math.round(done * CELLS)
      const bar = `${colors.green('█'.repeat(full))}${colors.dim('░'.repeat(CELLS - full))}`
      const share = total > 0 ? `${bar} ${String(Math.floor(done * 100)).padStart(3)} %  ` : ''
      const speed = Math.round(documents / Math.max(0.001, time / 1000)).toLocaleString('en-GB')
      screen.write(`\r\u001b[2K${share}${documents.toLocaleString('en-GB')} documents  ${speed}/s`)
    },
    hide() {
      if (visible) screen.write('\r\u001b[2K')
      visible = false
    },
  }
}
