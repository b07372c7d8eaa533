/**
 * Removes from uqr what the QR code of an invoice never uses: borders, error corrections other than M, numeric and
 * alphanumeric modes (an address has lower-case letters), and argument checks. Fails if uqr has changed.
 */
import { readFileSync } from 'node:fs'

const REPLACED = [
  [
    /\nfunction encode\(data, options\) \{[\s\S]*?\n\}\n/,
    '\nfunction encode(data) {\n  return { data: encodeSegments(makeSegments(data), MEDIUM).modules }\n}\n',
    1,
  ],
  [/\n {2}for \(const newEcl of [\s\S]*?\n {2}\}/, '', 1],
  [/ {2}if \(text === ""\)[\s\S]*?\n {2}else\n {4}(return \[makeBytes)/, '  $1', 1],
  [/\n\s*\[-1(?:, \d+)+\],?\n\s*\/\/ (?:Low|Quartile|High)(?=\n)/g, '\n  [],', 6],
  [/\n\s*if \([^\n]*\)\n\s*throw new RangeError\("(?!Data too long)[^"]*"\);/g, '', 8],
]

export function leanQr(whole) {
  return REPLACED.reduce((text, [pattern, by, times]) => {
    const found = text.match(pattern)?.length ?? 0
    if (found < times) throw new Error(`scripts/lean-qr.mjs: ${pattern} is there ${found} times in uqr`)
    return text.replace(pattern, by)
  }, whole)
}

/** Returns the esbuild plugin for a bundle with uqr. */
export const withLeanQr = {
  name: 'lean-qr',
  setup(build) {
    build.onLoad({ filter: /node_modules\/uqr\/dist\/index\.mjs$/ }, ({ path }) => ({
      contents: leanQr(readFileSync(path, 'utf8')),
    }))
  },
}
