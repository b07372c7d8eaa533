/** The parts of `npm run bench:all`, in the order of the page. Each part is a program that writes one report. */
export const PARTS = [
  {
    name: 'engine',
    title: 'Validating an invoice',
    about:
      'Beside it `JSON.parse` and `JSON.stringify` of the same document: the least cost of any JSON API.',
  },
  {
    name: 'chain',
    title: 'Auditing a chain of records',
    about: 'Beside it the bare hash of the same texts: an audit has to hash every one of them.',
  },
  {
    name: 'http',
    title: 'Validation over HTTP',
    about: '`POST /drafts/validate` beside an echo of the same body by the same framework.',
  },
  {
    name: 'issue',
    title: 'Issuing',
    about:
      '`POST /issued-invoices/{id}/issue` of ten-line drafts of one series, with fiscal records, beside the same rows written by the library of the database alone: one transaction each, no HTTP, no validation, no record.',
  },
  {
    name: 'lists',
    title: 'Lists',
    about:
      'A page of 50 invoices, for every filter and offset, by CPU time of the database. Beside it the plain query, which counts what matches and passes over what comes before.',
  },
  {
    name: 'sending',
    title: 'Sending',
    about:
      'Issuing at full speed while the records are sent to the simulator, beside the same with sending held, in turns.',
  },
  {
    name: 'module',
    title: 'WebAssembly',
    about: 'The module that hosts without JavaScript load, beside the same engine in JavaScript.',
  },
  {
    name: 'edge',
    title: 'At the edge',
    about:
      'A process that was just started imports `dist/edge/index.js` and answers, beside one that imports a text of the same size.',
  },
  {
    name: 'peers',
    title: 'Peers',
    about:
      'Libraries of the field, for work that both do. No library does all that validating does here, and none of these does less than its authors meant it to: what differs is said in each row.',
  },
].map((part) => ({ ...part, program: `bench/all/${part.name}.mjs` }))
