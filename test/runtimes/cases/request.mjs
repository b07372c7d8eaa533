/** A request as a case. */
export const request = (name, op, document, options, more = {}) => ({
  operation: op,
  name: `${op}: ${name}`,
  text: JSON.stringify({ op, document, options }),
  ...more,
})

/** A request text that is refused, or comes close to it. */
export const refused = (name, text) => ({ operation: 'refused', name: `refused: ${name}`, text })

/** Random numbers from 0 to 1, the same for a seed everywhere (mulberry32). */
export function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
