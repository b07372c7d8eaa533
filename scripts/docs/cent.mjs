/** The picture of the home page: where a cent goes, from what the engine explains of an example. */
import { readJson, withPart } from './text.mjs'

const FILE = 'examples/02-shop-prices-with-tax.json'

const TEXTS = {
  en: {
    caption: 'Three items at 9.99 € with 21 % VAT: base of 24.77 € or 24.78 €?',
    columns: ['Item', 'With tax', 'Base, exact', 'Base'],
    each: 'Each line rounded',
    group: 'The rate as a whole',
    right: 'keeps the price that was charged',
    wrong: 'changes the tax by a cent',
  },
  es: {
    caption: 'Tres artículos a 9,99 € con un 21 % de IVA: ¿base de 24,77 € o de 24,78 €?',
    columns: ['Artículo', 'Con IVA', 'Base exacta', 'Base'],
    each: 'Cada línea, redondeada',
    group: 'El tipo en su conjunto',
    right: 'conserva el precio cobrado',
    wrong: 'cambia la cuota en un céntimo',
  },
}

const cents = (value) => Number(value).toFixed(2)

/** Returns the home page of a language with its picture. */
export const homeWithCent = (file, language) => async () => {
  const { explain } = await import('../../dist/index.js')
  const texts = TEXTS[language]
  const document = readJson(FILE)
  const rows = explain(document)
  const amount = (text) => (language === 'es' ? text.replace('.', ',') : text)
  const base = rows.find(({ path }) => path === '/invoice/taxes_outputs/0/taxable_base')
  const lines = base.inputs.map(({ path, value }) => {
    const line = path.split('/').slice(0, 4).join('/')
    const { exact } = rows.find((row) => row.path === `${line}/tax_output_base`)
    const { item_description: name } = document.invoice.lines[Number(line.split('/').at(-1))]
    return { name: name.split(',')[0], value, exact }
  })
  const cell = (text) => `<td>${amount(text)}</td>`
  const total = lines.reduce((sum, { value }) => sum + Math.round(value * 100), 0) / 100
  const html = [
    '<figure class="cent">',
    `<figcaption>${texts.caption}</figcaption>`,
    '<table>',
    `<thead><tr>${texts.columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...lines.map(
      ({ name, value, exact }) =>
        `<tr><th scope="row">${name}</th>${cell(cents(value))}${cell(`${exact.slice(0, 8)}…`)}${cell(cents(exact.replace('…', '')))}</tr>`,
    ),
    `<tr class="wrong"><th scope="row">${texts.each}<small>${texts.wrong}</small></th>${cell(cents(total))}<td></td>${cell(cents(base.line_by_line.value))}</tr>`,
    `<tr class="right"><th scope="row">${texts.group}<small>${texts.right}</small></th>${cell(cents(total))}${cell(`${base.exact.slice(0, 8)}…`)}${cell(cents(base.rounded))}</tr>`,
    '</tbody>',
    '</table>',
    '</figure>',
  ]
  return withPart(file, 'cent', html.join('\n'))
}
