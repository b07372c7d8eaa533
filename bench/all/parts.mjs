/**
 * The parts of `npm run bench:all`, in the order in which they run. Each part is a program that writes one report, with
 * figures for rows of the public page, for goals of the developers' page, or for both.
 */
export const PARTS = [
  {
    name: 'engine',
    about:
      'The cost of a line in an invoice of 10,000 lines, compared with a line in an invoice of 100. Rounds of the two alternate, and the lowest value of all rounds counts.',
  },
  {
    name: 'chain',
    about:
      'Reading and auditing a chain of records in XML as this package writes it, compared with the same work through the general XML parser.',
  },
  {
    name: 'http',
    about:
      '`POST /drafts/validate` with ten lines, 16 connections, and the same number of requests to a Hono process that returns the same body. The two servers take turns, each with a fixed number of requests, after the same number to warm up.',
  },
  {
    name: 'start',
    about:
      'The built server with SQLite in an empty folder, where it creates tables, a company and a key, until it accepts requests; and a Hono process with one route. The two alternate.',
  },
  {
    name: 'peers',
    about:
      'cuadra and other libraries do the same work in alternation, after a round to warm up; the results of all are checked before measuring.',
  },
  {
    name: 'ndjson',
    about:
      '`cuadra validate --ndjson --json` on 30,000 different invoices of ten lines, and a Node script that only parses each line and writes it again.',
  },
  {
    name: 'clone',
    about:
      "The first command of the README on a clone of the commit, with npm's cache filled, and `npm install` of another library in an empty folder. CPU time of all processes; memory of the largest one.",
  },
  {
    name: 'issue',
    about:
      '`POST /issued-invoices/{id}/issue`, eight at a time, drafts of ten lines of one series with fiscal records, while the server sends the records. A bare program takes a number and stores invoice and record, using only the library of the database, in one transaction per invoice. The two alternate.',
  },
  {
    name: 'lists',
    about:
      'A page of 50 invoices among a million of one company, for every filter and offset, measured as CPU time of the database and compared with the plain query, which counts all matches and skips the rows before the page. Both must return the same result.',
  },
].map((part) => ({ ...part, program: `bench/all/${part.name}.mjs` }))

/** The rows of the public page, in its order, with the part that measures each. */
export const ROWS = [
  { title: 'From a clone to the first result', part: 'clone' },
  { title: 'Start of the server in an empty folder', part: 'start' },
  { title: 'Validate an invoice of ten lines, from bytes to bytes', part: 'peers' },
  { title: 'The same in WebAssembly', part: 'peers' },
  { title: 'Validate a file of 30,000 invoices on the command line', part: 'ndjson' },
  { title: 'Check eight Spanish tax ids', part: 'peers' },
  { title: 'Write an invoice of ten lines as XML', part: 'peers' },
  { title: 'Issue invoices, with their fiscal records and their sending', part: 'issue' },
  { title: 'A page of a list among a million invoices', part: 'lists' },
  { title: 'Memory of the server after 100,000 requests', part: 'http' },
]
