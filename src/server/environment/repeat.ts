/** Work that a running process does again and again. */

/**
 * Does some work every so many milliseconds, never twice at once; `work` does not reject. Returns a function that ends it
 * and waits for what is under way.
 */
export function repeat(
  every: number,
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
  const timer = setInterval(begin, every).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
