/** More web pages for Chromium, each with its own style. */
import { codeSvg } from './html.ts'
import type { Sketch } from './sketch.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const lines = (texts: readonly string[]) => texts.map(escaped).join('<br>')
const table = (rows: readonly (readonly string[])[], tag = 'td') =>
  rows
    .map(
      (row) =>
        `<tr>${row.map((cell, at) => `<${tag} class="${at ? 'n' : ''}">${escaped(cell)}</${tag}>`).join('')}</tr>`,
    )
    .join('')
const page = (style: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><style>@page{margin:14mm} table{border-collapse:collapse;width:100%} .n{text-align:right} .qr{width:34mm;height:34mm} ${style}</style>${body}`

const seal = (sketch: Sketch) => (sketch.code ? codeSvg(sketch.code) : '')

/** A utility bill: coloured panels in two columns, summary first, details on the next page, much small print. */
export const utility = (sketch: Sketch) =>
  page(
    `body{font:9pt "Liberation Sans"} .two{display:grid;grid-template-columns:1fr 1fr;gap:8mm} .panel{background:#eaf4ee;padding:4mm} .big{font-size:18pt;color:#063}
     .next{break-before:page} .fine{font-size:6pt;columns:3;color:#555}`,
    `<div class="two"><div><b class="big">${escaped(sketch.supplier[0] ?? '')}</b><br>${lines(sketch.supplier.slice(1))}</div><div>${seal(sketch)}</div></div>
     <div class="two"><div class="panel"><b>${escaped(sketch.title)}</b>${sketch.facts.map(([label, value]) => `<div>${escaped(label)}: <b>${escaped(value)}</b></div>`).join('')}</div>
     <div class="panel"><b>${escaped(sketch.customerLabel)}</b><br>${lines(sketch.customer)}</div></div>
     <h3>Resumen</h3><table>${table(sketch.totals)}</table><p>${lines(sketch.notes)}</p>
     <div class="next"><h3>Detalle</h3><table>${table([sketch.head], 'th')}${table(sketch.rows)}</table></div>
     <p class="fine">${'Puede reclamar ante nuestro servicio de atención o ante la junta arbitral de consumo. Los precios de peajes y cargos se publican en el boletín oficial. '.repeat(14)}</p><p class="fine">${lines(sketch.small)}</p>`,
  )

/** A modern design: few lines, wide margins, facts in a column on the right. */
export const airy = (sketch: Sketch) =>
  page(
    `body{font:300 10pt "DejaVu Sans";margin:6mm} header{display:flex;justify-content:space-between} dt{color:#888;font-size:8pt} dd{margin:0 0 3mm} td,th{padding:3mm 0;border-bottom:1px solid #eee} .t{margin:8mm 0 0 50%;width:50%} .t tr:last-child{font-size:14pt}`,
    `<header><div><h1>${escaped(sketch.title)}</h1>${lines(sketch.supplier)}</div><dl>${sketch.facts.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl></header>
     <p><small>${escaped(sketch.customerLabel)}</small><br>${lines(sketch.customer)}</p>
     <table>${table([sketch.head], 'th')}${table(sketch.rows)}</table><table class="t">${table(sketch.totals)}</table><p>${lines(sketch.notes)}</p>${seal(sketch)}<footer><small>${lines(sketch.small)}</small></footer>`,
  )

/** A spreadsheet: borders around every cell, totals in one row under their labels. */
export const spreadsheet = (sketch: Sketch) =>
  page(
    `body{font:9pt "Liberation Sans Narrow"} td,th{border:1px solid #777;padding:1mm 2mm}`,
    `<table>${table(sketch.supplier.map((one) => [one, '']))}${table([[sketch.title, '']], 'th')}${table(sketch.facts)}${sketch.customer.map((one, at) => table([[at ? '' : sketch.customerLabel, one]])).join('')}</table><br>
     <table>${table([sketch.head], 'th')}${table(sketch.rows)}</table><br>
     <table>${table([sketch.totals.map(([label]) => label)], 'th')}${table([sketch.totals.map(([, value]) => value)])}</table><p>${lines(sketch.notes)}</p>${seal(sketch)}<small>${lines(sketch.small)}</small>`,
  )

/** A narrow till receipt. */
export const receipt = (sketch: Sketch) =>
  page(
    `@page{size:80mm 200mm;margin:4mm} body{font:8.5pt "Liberation Mono"} center{margin-bottom:2mm}`,
    `<center>${lines(sketch.supplier)}</center><center><b>${escaped(sketch.title)}</b></center>${sketch.facts.map(([label, value]) => `${escaped(label)} ${escaped(value)}<br>`).join('')}<p>${lines(sketch.customer)}</p>
     <table>${table(sketch.rows.map((row) => [`${row[1]} ${row[0]}`, row.at(-1) ?? '']))}</table><hr><table>${table(sketch.totals)}</table><center>${seal(sketch)}<br>${lines(sketch.notes)}</center>`,
  )
