/** What the tests show, by folder, and the programs that results are compared with. */

/** A claim, what it was checked against, and the test files that check it. */
export const GROUPS = [
  {
    title: 'Every amount is right to the cent',
    against:
      'a second implementation in exact fractions, written from the law and the documents (test/second), on random invoices; test/api compares it on golden invoices with one change',
    files: /^test\/second\//,
  },
  {
    title: 'Properties hold for random invoices: sums, order of lines, idempotence, explanations',
    against: 'formulas evaluated in exact fractions, fast-check',
    files: /^test\/property\//,
  },
  {
    title: 'Where features meet, amounts, records, books, formats and pages agree',
    against: 'invariants from the law and the documents, on all pairs of features and random combinations',
    files: /^test\/matrix\//,
  },
  {
    title: 'Money arithmetic is exact',
    against: 'rational numbers',
    files: /^test\/money\//,
  },
  {
    title:
      'The cases that users meet have the documented result, and every rule fires and spares its near miss',
    against: 'golden invoices, with amounts and codes stated by hand',
    files: /^test\/api\//,
  },
  {
    title: 'Rules, catalogs, schemas and views of the engine',
    against: 'the API specification, the law and the official code lists',
    files: /^test\/(?:rules|catalogs|schemas|engine|calculate|fiscal|errors|view|terminal)\//,
  },
  {
    title: 'Tax ids, IBANs and other numbers are checked',
    against: 'published vectors, ibantools, jsvat, stdnum',
    files: /^test\/identifiers\//,
  },
  {
    title: 'VeriFactu hash, chain, records and QR',
    against:
      "the tax authority's published hashes, its XML schemas (xmllint), its list of error codes; a QR reader",
    files: /^test\/verifactu\//,
  },
  {
    title: 'SII records',
    against: "the tax authority's XML schemas and list of error codes",
    files: /^test\/sii\//,
  },
  {
    title: 'XML is read strictly',
    against: 'libxml2 with the official schemas, on changed copies of valid documents',
    files: /^test\/xml\//,
  },
  {
    title: 'Facturae, UBL and CII are written and read without a wrong amount',
    against: 'official schemas, the rules of EN 16931 (saxon-js), public sample documents, other libraries',
    files: /^test\/formats\//,
  },
  {
    title: 'Signatures and messages to the tax authority',
    against: 'xmlsec1, the JDK, xmllint, a fake authority',
    files: /^test\/authority\//,
  },
  {
    title: 'PDF: PDF/A-3, text, figures and QR can be read',
    against: 'veraPDF, poppler, a QR reader',
    files: /^test\/pdf\//,
  },
  {
    title: 'Recognition of received invoices',
    against: 'documents of other authors and generators, with their true fields',
    files: /^test\/recognition\//,
  },
  {
    title: 'Years of operation of the whole server with faults',
    against: 'a model of plain data, after every step, on virtual time (docs/simulation.md)',
    files: /^test\/simulation\//,
  },
  {
    title:
      'The server answers as the API specification and its OpenAPI document say, on SQLite and PostgreSQL',
    against: 'the specification, and the document for every response',
    files: /^test\/conformance\//,
  },
  {
    title: 'Clients that are generated from the OpenAPI document work',
    against: 'openapi-typescript, openapi-python-client, redocly',
    files: /^test\/clients\//,
  },
  {
    title: 'No confirmed invoice is lost when a server is killed or its database stops',
    against: 'the responses that clients had received, after kill -9',
    files: /^test\/server\/(?:app|service\/(?:transmission|verifactu)|mail)\//,
  },
  {
    title: 'The rest of the server, and its administrator',
    against: 'its documentation',
    files:
      /^test\/(?:admin|storage|simulator|status|server\/(?!app\/|service\/(?:transmission|verifactu)\/|mail\/))/,
  },
  {
    title: 'Input that no client should send gets a result, quickly',
    against:
      'invariants: no exception, the same result when sent again, declared responses, an accepted audit',
    files: /^test\/fuzz\//,
  },
  {
    title: 'The same result in Node, browsers, workers and WebAssembly hosts, and in Python',
    against: 'each other, byte for byte',
    files: /^test\/(?:runtimes|wasm|hosts|edge|request|python)\//,
  },
  {
    title: 'Messages are complete sentences in English and Spanish',
    against: 'patterns of faults; every message in both languages',
    files: /^test\/messages\//,
  },
  {
    title: 'Pages: no accessibility fault, no broken link; every command of the documentation runs',
    against: 'axe in Chromium; the commands themselves',
    files: /^test\/(?:pages|site|docs|playground|package|cli|scripts|bench)\//,
  },
]

export const PROGRAMS = [
  { name: 'libxml2 (xmllint)', command: ['xmllint', '--version'], purpose: 'official XML schemas' },
  { name: 'xmlsec1', command: ['xmlsec1', '--version'], purpose: 'signatures' },
  { name: 'poppler (pdftotext)', command: ['pdftotext', '-v'], purpose: 'text of PDFs' },
  { name: 'qpdf', command: ['qpdf', '--version'], purpose: 'structure of PDFs' },
  {
    name: 'Chromium',
    command: ['/usr/bin/chromium', '--version'],
    purpose: 'pages and the engine in a browser',
  },
  { name: 'PostgreSQL', command: ['psql', '--version'], purpose: 'the second store' },
  { name: 'PHP', command: ['php', '--version'], purpose: 'the PHP guide' },
  { name: 'Python', command: ['python3', '--version'], purpose: 'the Python package, a WebAssembly host' },
  { name: 'Go', command: ['go', 'version'], purpose: 'a WebAssembly host' },
  { name: 'Rust', command: ['rustc', '--version'], purpose: 'a WebAssembly host' },
  { name: 'Java', command: ['java', '-version'], purpose: 'a WebAssembly host, veraPDF, signatures' },
  { name: 'libxml2-wasm', package: 'libxml2-wasm', purpose: 'official XML schemas' },
  { name: 'saxon-js', package: 'saxon-js', purpose: 'rules of EN 16931' },
  { name: '@e-invoice-eu/core', package: '@e-invoice-eu/core', purpose: 'UBL by another library' },
  { name: 'factur-x-kit', package: 'factur-x-kit', purpose: 'CII by another library' },
  { name: 'jsqr', package: 'jsqr', purpose: 'QR codes' },
  { name: 'jsvat', package: 'jsvat', purpose: 'tax ids' },
  { name: 'stdnum', package: 'stdnum', purpose: 'tax ids' },
  { name: 'ibantools', package: 'ibantools', purpose: 'IBANs' },
  { name: 'axe-core', package: 'axe-core', purpose: 'accessibility' },
  { name: 'fast-check', package: 'fast-check', purpose: 'random cases' },
]
