/** A code for banking apps as a drawing. */
import { encode } from 'uqr'

const QUIET = 4

export function svgOf(content: string): string {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET })
  const path = data
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}
