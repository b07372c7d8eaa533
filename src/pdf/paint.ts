/** Items onto the pages of pdfkit, with the parts of the document for those who listen to it. */
import type PDFDocument from 'pdfkit'
import { required } from '../errors/index.ts'
import type { Item, ModulesItem, Part, TextItem } from './box.ts'
import { PAGE } from './designs.ts'
import { featuresOf, runsOf, widthOf } from './runs.ts'

type Doc = InstanceType<typeof PDFDocument>
type Element = ReturnType<Doc['struct']>

/** The tree of the document, before anything stands in it: what is painted later finds its place by its part. */
function elementOf(doc: Doc, part: Part, elements: Map<Part, Element>): Element {
  const { type, scope, alt } = part
  // `scope` is missing in the types of pdfkit.
  const options: object = { ...(scope && { scope }), ...(alt && { alt }) }
  const element = doc.struct(type, options)
  for (const child of part.children) element.add(elementOf(doc, child, elements))
  elements.set(part, element)
  return element
}

function paintText(doc: Doc, item: TextItem): void {
  const { style, turned } = item
  if (turned !== undefined) doc.save().rotate(-turned, { origin: [item.x, item.y] })
  const features = featuresOf(style)
  let x = item.x
  // Whoever listens hears the next text after a blank; on paper it is nothing.
  for (const run of runsOf(item.part ? `${item.text} ` : item.text, style)) {
    doc.font(run.face.name, style.size).fillColor(style.color)
    if (run.actual !== undefined) doc.markContent('Span', { actual: run.actual })
    doc.text(run.text, x, item.y, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(features && { features: [...features] }),
    })
    if (run.actual !== undefined) doc.endMarkedContent()
    x += widthOf(run, style) * style.size
  }
  if (turned !== undefined) doc.restore()
}

/** Dark modules beside each other as one rectangle. */
function paintModules(doc: Doc, { x, y, side, modules }: ModulesItem): void {
  const unit = side / modules.length
  modules.forEach((row, line) => {
    for (let from = 0; from < row.length; from++) {
      if (!row[from]) continue
      let to = from
      while (row[to]) to++
      doc.rect(x + from * unit, y + line * unit, (to - from) * unit, unit)
      from = to
    }
  })
  doc.fill('#000000')
}

function paintItem(doc: Doc, item: Item, logo: Uint8Array | null): void {
  if (item.kind === 'text') paintText(doc, item)
  else if (item.kind === 'rectangle') doc.rect(item.x, item.y, item.width, item.height).fill(item.color)
  else if (item.kind === 'modules') paintModules(doc, item)
  else if (logo) doc.image(Buffer.from(logo), item.x, item.y, { width: item.width, height: item.height })
}

/** What follows belongs to a part of the document, or is decoration. */
function openPart(doc: Doc, part: Part | null, elements: ReadonlyMap<Part, Element>): void {
  if (part) required(elements.get(part)).add(doc.markStructureContent(part.type))
  else doc.markContent('Artifact', { type: 'Layout' })
}

/** Paints the pages; `root` is the document that the items are parts of. */
export function paint(
  doc: Doc,
  root: Part,
  pages: readonly (readonly Item[])[],
  logo: Uint8Array | null,
): void {
  const elements = new Map<Part, Element>()
  const document = elementOf(doc, root, elements)
  doc.addStructure(document)
  for (const items of pages) {
    doc.addPage({ size: [PAGE.width, PAGE.height], margin: 0 })
    let open: Part | null | undefined
    for (const item of items) {
      if (item.part !== open) {
        if (open !== undefined) doc.endMarkedContent()
        open = item.part
        openPart(doc, open, elements)
      }
      paintItem(doc, item, logo)
    }
    if (open !== undefined) doc.endMarkedContent()
  }
  document.end()
}
