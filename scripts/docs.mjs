/**
 * Writes the pages of `docs/reference/` and the generated parts of other pages from the build, the rules, the catalogs
 * and the golden cases. `npm run docs` builds first. The output depends only on these sources, so it is reproducible.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { API_PAGES } from './docs/api.mjs'
import { calculationPage } from './docs/calculation.mjs'
import { catalogsPage } from './docs/catalogs.mjs'
import { codesPage } from './docs/codes.mjs'
import { correctionsPage } from './docs/corrections.mjs'
import { invoicePage } from './docs/invoice.mjs'
import { mappingPage } from './docs/mapping.mjs'
import { path, table, withPart } from './docs/text.mjs'
import { verifactuGuide, verifactuPage } from './docs/verifactu.mjs'
import { readOptions } from './options.mjs'
import { TERMS } from './terms.mjs'

const stylePage = () =>
  withPart(
    'docs/style.md',
    'terms',
    table(
      ['Not', 'But'],
      TERMS.map(({ not, use }) => [not, use]),
    ),
  )

const PAGES = [
  ['docs/reference/invoice.md', () => invoicePage('en')],
  ['docs/reference/codes.md', codesPage],
  ['docs/reference/catalogs.md', catalogsPage],
  ['docs/calculation.md', calculationPage],
  ...API_PAGES.map(([name, make]) => [`docs/reference/${name}.md`, make]),
  ['docs/reference/mapping.md', mappingPage],
  ['docs/reference/corrections.md', correctionsPage],
  ['docs/reference/verifactu-codes.md', verifactuPage],
  ['docs/verifactu.md', verifactuGuide],
  ['docs/style.md', stylePage],
]

const { check } = readOptions({
  about:
    'Writes the generated pages and parts of docs/ from the build, the rules, the catalogs and the golden cases.',
  options: {
    check: { type: 'boolean', about: 'write nothing; list stale pages, and exit 1 if there are any' },
  },
}).values
for (const [name, make] of PAGES) {
  const text = await make()
  const old = existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null
  if (old === text) continue
  if (check) {
    process.exitCode = 1
    console.error(`docs: ${name} is stale; run "npm run docs"`)
  } else {
    writeFileSync(path(name), text)
    console.log(`docs: wrote ${name}`)
  }
}
