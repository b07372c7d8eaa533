/** Runs periodic work in a process. */

/**
 * Runs `work` every `intervalMs` milliseconds, one run at a time. `work` must not reject. Returns a function that stops it
 * and waits for the current run.
 */
export function repeat(
  intervalMs: number,
  work: () => Promise<unknown>,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const begin = () => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  if (atOnce) begin()
  const timer = setInterval(begin, intervalMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
