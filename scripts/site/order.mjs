/** The order of the menus. Missing pages are skipped; a page without a menu fails a test. */
export const GUIDES = [
  {
    en: 'First steps',
    es: 'Primeros pasos',
    pages: ['start', 'form', 'price-with-tax', 'correctives', 'add-a-rate'],
  },
  {
    en: 'Where you come from',
    es: 'De dónde viene',
    pages: ['spreadsheet', 'shopify-stripe', 'odoo', 'php', 'gestoria', 'migrate'],
  },
  {
    en: 'In your program',
    es: 'En su programa',
    pages: ['express', 'hono', 'fastify', 'nest', 'worker', 'python', 'go', 'java', 'rust'],
  },
  {
    en: 'Tax authority',
    es: 'Agencia Tributaria',
    pages: ['verifactu-shop', 'sii', 'one-stop-shop'],
  },
  {
    en: 'In production',
    es: 'En producción',
    pages: ['production'],
  },
]

export const REFERENCE = [
  {
    en: 'Engine',
    pages: ['api', 'invoice', 'calculation', 'catalogs', 'law', 'command-line', 'convert', 'playground'],
  },
  {
    en: 'Fiscal records',
    pages: ['verifactu', 'api-verifactu', 'verifactu-codes', 'sii', 'api-sii', 'books', 'corrections'],
  },
  { en: 'Formats', pages: ['formats', 'mapping', 'api-formats'] },
  { en: 'Platforms', pages: ['edge', 'wasm', 'runtimes'] },
  {
    en: 'Server',
    pages: [
      'server',
      'install',
      'operations',
      'admin',
      'scaling',
      'aeat',
      'verifactu-sending',
      'no-verifactu',
      'sii-sending',
      'sii-cash-basis',
      'mail',
      'pdf',
      'recognition',
      'recognition-accuracy',
      'simulator',
    ],
  },
  {
    en: 'The project',
    pages: ['architecture', 'style', 'evidence', 'simulation', 'dependencies', 'bench'],
  },
].map(({ pages, ...group }) => ({ ...group, pages: pages.map((page) => `reference/${page}`) }))

REFERENCE.at(-1).pages.push(
  ...['readme', 'examples', 'python', 'hosts', 'worker', 'changelog', 'contributing', 'security'].map(
    (page) => `project/${page}`,
  ),
)
