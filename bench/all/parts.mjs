/** The parts of `npm run bench:all`, in the order of the page. Each part is a program that writes one report. */
export const PARTS = [
  {
    name: 'engine',
    title: 'Validating an invoice',
    about:
      'The baseline is `JSON.parse` and `JSON.stringify` of the same document, the minimum cost of any JSON API.',
  },
  {
    name: 'chain',
    title: 'Auditing a chain of records',
    about: 'The baseline is only hashing the same texts, because an audit must hash all of them.',
  },
  {
    name: 'http',
    title: 'Validation over HTTP',
    about:
      '`POST /drafts/validate`. The baseline is a server with the same framework that returns the same body.',
  },
  {
    name: 'issue',
    title: 'Issuing',
    about:
      '`POST /issued-invoices/{id}/issue` of ten-line drafts of one series, with fiscal records. The baseline writes the same rows with only the library of the database: one transaction each, without HTTP, validation or generating a record.',
  },
  {
    name: 'start',
    title: 'Starting a server',
    about:
      'The built server with SQLite, until it accepts requests. The baseline is a process with the same framework and one route.',
  },
  {
    name: 'lists',
    title: 'Lists',
    about:
      'A page of 50 invoices, for every filter and offset, as CPU time of the database. The baseline is the plain query, which counts all matches and skips the rows before the page.',
  },
  {
    name: 'sending',
    title: 'Sending',
    about:
      'Issuing at full speed while the records are sent to the simulator. The baseline is the same with sending held; the two alternate.',
  },
  {
    name: 'memory',
    title: 'Memory of the server',
    about:
      'Resident memory while clients send `POST /drafts/validate` with ten lines. The baseline is the memory after the first two seconds.',
  },
  {
    name: 'module',
    title: 'WebAssembly',
    about: 'The module for hosts without JavaScript. The baseline is the same engine in JavaScript.',
  },
  {
    name: 'edge',
    title: 'At the edge',
    about:
      'A new process imports `dist/edge/index.js` and responds. The baseline is a process that imports a text of the same size.',
  },
  {
    name: 'peers',
    title: 'Peers',
    about:
      'Other libraries, on tasks that both can do. No library does everything that validation includes here. Each row states the differences.',
  },
].map((part) => ({ ...part, program: `bench/all/${part.name}.mjs` }))
