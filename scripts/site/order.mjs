/** The order of the menus. A page that is not there yet is left out; a page that no menu names fails a test. */
export const GUIDES = [
  {
    en: 'First steps',
    es: 'Primeros pasos',
    pages: ['start', 'form', 'price-with-tax', 'correctives', 'add-a-rate'],
  },
  {
    en: 'In your program',
    es: 'En tu programa',
    pages: ['express', 'hono', 'fastify', 'nest', 'worker', 'python', 'go', 'java', 'rust'],
  },
  {
    en: 'Tax authority',
    es: 'Agencia Tributaria',
    pages: ['verifactu-shop', 'sii', 'one-stop-shop'],
  },
  {
    en: 'In service',
    es: 'En marcha',
    pages: ['migrate', 'production'],
  },
]

export const REFERENCE = [
  {
    en: 'Engine',
    pages: ['api', 'invoice', 'calculation', 'catalogs', 'command-line', 'convert', 'playground'],
  },
  {
    en: 'Fiscal records',
    pages: ['verifactu', 'api-verifactu', 'verifactu-codes', 'sii', 'api-sii'],
  },
  { en: 'Formats', pages: ['formats', 'api-formats'] },
  { en: 'Everywhere', pages: ['edge', 'wasm', 'runtimes'] },
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
      'simulator',
    ],
  },
  {
    en: 'The project',
    pages: ['architecture', 'style', 'dependencies', 'bench'],
  },
].map(({ pages, ...group }) => ({ ...group, pages: pages.map((page) => `reference/${page}`) }))

REFERENCE.at(-1).pages.push(
  ...['readme', 'examples', 'hosts', 'worker', 'changelog', 'contributing', 'security'].map(
    (page) => `project/${page}`,
  ),
)
