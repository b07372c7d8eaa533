/** The picture of the README: what `cuadra validate` prints about a wrong invoice, as SVG. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path, readText } from './text.mjs'

const COLUMNS = 84
/** Size of a character of the fonts below, and of a line, in pixels. */
const [WIDTH, HEIGHT] = [7.8, 18]
/** Colours on a dark background, by the code that sets them. */
const COLOURS = { 31: '#ff8a80', 32: '#7ee0a1', 33: '#ffd479', 36: '#7cd5f1', 90: '#9aa7b4', 2: '#9aa7b4' }

/** A colour code of the terminal. */
const CODE = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`)

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What the command prints about example 13 with a rate that does not exist, in colour. */
function output() {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-picture-'))
  try {
    const text = readText('examples/13-simplified-ticket.json')
    writeFileSync(
      join(folder, 'invoice.json'),
      text.replace('"tax_output_rate": 21', '"tax_output_rate": 20'),
    )
    return spawnSync(process.execPath, [path('dist/cli/main.js'), 'validate', 'invoice.json'], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        FORCE_COLOR: '1',
        FORCE_HYPERLINK: '0',
        COLUMNS: String(COLUMNS),
        LC_ALL: 'C.UTF-8',
      },
    }).stdout.trimEnd()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A line as SVG text: each run of characters with its colour and weight. */
function lineOf(line, row) {
  let style = ''
  const runs = line.split(CODE).map((part, at) => {
    if (at % 2 === 0) return part && `<tspan${style}>${escaped(part)}</tspan>`
    const codes = part.split(';').map(Number)
    const colour = codes.map((code) => COLOURS[code]).find(Boolean)
    if (colour) style = ` fill="${colour}"`
    else if (codes.includes(1)) style += ' font-weight="bold"'
    else style = ''
    return ''
  })
  return `<text x="16" y="${16 + HEIGHT * (row + 1)}" xml:space="preserve">${runs.join('')}</text>`
}

/** Returns the SVG. */
export function picture() {
  const lines = ['\u001b[90m$\u001b[39m npx cuadra validate invoice.json', ...output().split('\n')]
  const [width, height] = [Math.round(COLUMNS * WIDTH) + 32, lines.length * HEIGHT + 40]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3">
<title>The output of cuadra validate for an invoice with a wrong rate</title>
<rect width="${width}" height="${height}" rx="8" fill="#11181f"/>
${lines.map(lineOf).join('\n')}
</svg>
`
}
