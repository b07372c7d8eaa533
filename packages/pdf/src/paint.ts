/** Paints items on pdfkit pages, with the tagged structure of the document. */
import type PDFDocument from 'pdfkit'
import { required } from '#core/errors/index.ts'
import type { Item, ModulesItem, StructureElement, TextItem } from './box.ts'
import { PAGE } from './designs.ts'
import { fontFeaturesOf, textRunsOf, textRunWidth } from './runs.ts'

type Doc = InstanceType<typeof PDFDocument>
type Element = ReturnType<Doc['struct']>

/** Creates the structure tree. Items are later added to the element of their part. */
function elementOf(doc: Doc, part: StructureElement, elements: Map<StructureElement, Element>): Element {
  const { type, scope, alt } = part
  // pdfkit's types lack `scope`.
  const options: object = { ...(scope && { scope }), ...(alt && { alt }) }
  const element = doc.struct(type, options)
  for (const child of part.children) element.add(elementOf(doc, child, elements))
  elements.set(part, element)
  return element
}

function paintText(doc: Doc, item: TextItem): void {
  const { style, turned } = item
  if (turned !== undefined) doc.save().rotate(-turned, { origin: [item.x, item.y] })
  const features = fontFeaturesOf(style)
  // `textWidth`, which pdfkit's types lack, prevents measuring the text. Only underlines and links use the width.
  const options: object = {
    lineBreak: false,
    baseline: 'alphabetic',
    textWidth: 0,
    ...(features && { features: [...features] }),
  }
  let x = item.x
  // The blank at the end separates texts for screen readers and is invisible on paper.
  for (const run of textRunsOf(item.part ? `${item.text} ` : item.text, style)) {
    doc.font(run.face.name, style.size).fillColor(style.color)
    if (run.actual !== undefined) doc.markContent('Span', { actual: run.actual })
    doc.text(run.text, x, item.y, options)
    if (run.actual !== undefined) doc.endMarkedContent()
    x += textRunWidth(run, style) * style.size
  }
  if (turned !== undefined) doc.restore()
}

/** Paints adjacent dark modules as one rectangle. */
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

/** Marks the following content as a part of the document, or as decoration. */
function openPart(
  doc: Doc,
  part: StructureElement | null,
  elements: ReadonlyMap<StructureElement, Element>,
): void {
  if (part) required(elements.get(part)).add(doc.markStructureContent(part.type))
  else doc.markContent('Artifact', { type: 'Layout' })
}

/** Paints the pages; `root` is the part that contains all others. */
export function paint(
  doc: Doc,
  root: StructureElement,
  pages: readonly (readonly Item[])[],
  logo: Uint8Array | null,
): void {
  const elements = new Map<StructureElement, Element>()
  const document = elementOf(doc, root, elements)
  doc.addStructure(document)
  for (const items of pages) {
    doc.addPage({ size: [PAGE.width, PAGE.height], margin: 0 })
    let open: StructureElement | null | undefined
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
