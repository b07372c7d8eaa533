/** What the operations do, in a sentence or two, and the groups in which the OpenAPI document shows them. */

/** Groups of operations in the order in which they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Drafts:
    'Invoices that are being prepared: without number and date, and allowed to have errors. Issuing makes them issued invoices, under the same `id`.',
  Issued:
    'Invoices of the company: issued here, or imported from where they were issued. They do not change any more; they are cancelled or corrected.',
  Received: 'Invoices of suppliers: registered as JSON, imported as XML, or proposed from a PDF or an image.',
  Attachments: 'Files that belong to a draft, an issued or a received invoice.',
  Catalogs: 'The lists of values that an invoice may name, as they are in force today.',
  Company: 'The company to which the key belongs.',
  VeriFactu:
    'Fiscal records of issued invoices: configuration, records, submissions to the tax authority, incidents, and the events of a system that does not send.',
  SII: 'Books of issued and received invoices that are reported to the tax authority: configuration, deadlines, submissions.',
  Certificates: 'Certificates with which records are sent and signed.',
  Health: 'For monitoring; needs no key.',
}

/** What the paths of a group have in them; the first that fits counts. */
const GROUPS: readonly (readonly [part: string, group: string])[] = [
  ['/documents', 'Attachments'],
  ['/verifactu', 'VeriFactu'],
  ['/sii', 'SII'],
  ['/drafts', 'Drafts'],
  ['/issued-invoices', 'Issued'],
  ['/received-invoices', 'Received'],
  ['/catalogs', 'Catalogs'],
  ['/compan', 'Company'],
  ['/certificates', 'Certificates'],
]

/** Under which group an operation is shown. */
export const tagOf = (path: string): string => GROUPS.find(([part]) => path.includes(part))?.[1] ?? 'Health'

const VALIDATES =
  'Answers 200 whether the invoice is valid or not: `is_valid` says so, `errors` has every problem with its place and how to mend it, and `data` is the invoice completed and calculated to the cent. Nothing is stored.'
const CANONICAL =
  'The whole document `json_1_1` as the server has it: what was sent, normalised, with every computed amount.'
const EVENTS =
  'What happened to the invoice and who did it, oldest first: creation, changes of state, mails, records of the tax authority.'
const PDF = 'The file is made when it is asked for; `ETag` and `If-None-Match` spare a second download.'
const ATTACH =
  'Sends one file of at most 16 MB as `multipart/form-data`, in the field `file`. Its content is kept byte for byte, and handed out for download only.'
const DOCUMENTS =
  'Oldest first: attached files and, where there are any, the original XML and kept PDFs; without their content.'
const DOWNLOAD = 'The content of the file, with its own media type and name, always as an attachment.'
const PENDING =
  'Nearest deadline first. Each item is one invoice in one book, with the last day on which it may be sent and the days until then; a negative number of days is overdue.'

const ofInvoice = (prefix: string): Record<string, string> => ({
  [`get ${prefix}/{invoice_id}`]:
    'Identification, state, parties and totals of one invoice, with its corrections and its fiscal record where it has them.',
  [`get ${prefix}/{invoice_id}/canonical`]: CANONICAL,
  [`get ${prefix}/{invoice_id}/events`]: EVENTS,
  [`get ${prefix}/{invoice_id}/documents`]: DOCUMENTS,
  [`post ${prefix}/{invoice_id}/documents`]: ATTACH,
  [`get ${prefix}/{invoice_id}/documents/{doc_id}`]: DOWNLOAD,
  [`delete ${prefix}/{invoice_id}/documents/{doc_id}`]:
    'Removes the file for good. The invoice stays as it is.',
})

/** By method and path. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'get /health':
    'Answers 200 while the server can read its store, and 503 where it cannot. Needs no key; it is also at `/health`, outside of the base path.',
  'get /company':
    'Master data of the company to which the key belongs, its plan and the fiscal systems that it takes part in.',
  'get /companies': 'The same as `/company`, as a list: a key belongs to exactly one company.',
  'get /catalogs/{name}':
    'The values of one list: tax rates, treatments, units, countries and so on, with the fields that the list has. It changes rarely: keep the `ETag` and send it as `If-None-Match`.',
  ...ofInvoice('/drafts'),
  ...ofInvoice('/issued-invoices'),
  ...ofInvoice('/received-invoices'),
  'put /drafts':
    'Stores the invoice as a draft and answers its `id`. The same `meta.external_ref` updates the draft that has it. A draft may have business errors: they are in `errors` with their place and how to mend them, and have to be gone before it is issued.',
  'get /drafts':
    'One page of the drafts of the company, newest first; filters are combined, and `total` counts all matches.',
  'post /drafts/validate': VALIDATES,
  'delete /drafts/{invoice_id}': 'Removes the draft and its attached files for good.',
  'post /drafts/{invoice_id}/validate':
    'Checks the stored draft with today’s rules and catalogs, and answers what is wrong with it.',
  'post /drafts/batch':
    'Stores each invoice by itself, in order: one that is refused does not keep the others back. `items` has the outcome of each.',
  'get /issued-invoices':
    'One page of the issued invoices of the company, drafts among them, by series and then newest date first; filters are combined, and `total` counts all matches.',
  'post /issued-invoices/validate': `Checks whether an invoice could be issued as it is. ${VALIDATES}`,
  'post /issued-invoices/{invoice_id}/issue':
    'Gives the draft the next number of its series and today’s date and, where VeriFactu is on, writes its fiscal record: all of it or nothing. From then on the invoice does not change. Send an `Idempotency-Key`, so that a repeated request uses no second number.',
  'post /issued-invoices/import':
    'Registers an invoice that another system has issued, with its number and date. No fiscal record is made. The same number and year updates the imported invoice.',
  'post /issued-invoices/import/batch':
    'Imports each invoice by itself, in order: one that is refused does not keep the others back. `items` has the outcome of each.',
  'post /issued-invoices/{invoice_id}/cancel':
    'Cancels the invoice and, where it has a fiscal record, writes the record of its cancellation. The number stays used.',
  'post /issued-invoices/{invoice_id}/corrective':
    'Makes the draft of a corrective invoice out of the original: by substitution (`S`, the new invoice replaces it) or by differences (`D`, the lines say what changes). Issue the draft to make it count.',
  'post /issued-invoices/{invoice_id}/send':
    'Mails the invoice to the addresses given, by default to the customer’s, and marks it as sent. Send an `Idempotency-Key`, so that a repeated request sends no second mail.',
  'delete /issued-invoices/{invoice_id}':
    'Removes an imported invoice and its files. An invoice that was issued here cannot be removed, nor one that the tax authority has.',
  'get /issued-invoices/{invoice_id}/export':
    'Writes the invoice as Facturae 3.2.2, UBL 2.1 or CII D16B, held against the official schema and rules of the format. What the format cannot carry is refused with the reasons.',
  'get /issued-invoices/{invoice_id}/pdf': `The invoice on paper: three designs, in Spanish or English, with the tax QR where it has a record, as Factur-X where asked for; a draft and a cancelled invoice say so. ${PDF}`,
  'put /received-invoices':
    'Registers the invoice of a supplier and answers its `id`. The same supplier, number and year updates the one that is there. Business errors do not keep it from being stored: its state is then `draft`.',
  'get /received-invoices':
    'One page of the received invoices of the company, newest first; filters are combined, and `total` counts all matches.',
  'post /received-invoices/validate': VALIDATES,
  'post /received-invoices/import':
    'Reads Facturae 3.2 to 3.2.2, UBL 2.1 or CII D16B and registers the invoice; with any error nothing is registered. The original is kept as an attachment, byte for byte.',
  'post /received-invoices/recognize':
    'Reads a PDF or an image, each file once, and answers a proposal with a score for every field. Nothing is registered; look at the proposal, remove what is computed, and send it to `PUT /received-invoices`.',
  'delete /received-invoices/{invoice_id}':
    'Removes the received invoice and its files; not one that the tax authority has.',
  'post /received-invoices/{invoice_id}/validate':
    'Checks the stored invoice with today’s rules and catalogs: with errors it becomes `draft`, without them `received`.',
  'get /received-invoices/{invoice_id}/pdf': `A view of what was registered, for people; the supplier’s own document is among the attachments. ${PDF}`,
  'get /verifactu/config':
    'Whether VeriFactu is on, in which mode and environment, and with which certificate.',
  'put /verifactu/config':
    'Opens a period in which every issue writes a fiscal record: `verifactu` sends each to the tax authority, `no_verifactu` signs and keeps it. A period that is open cannot be changed here.',
  'get /invoices/{invoice_id}/verifactu/records':
    'Registration and cancellation records of the invoice, oldest first, with hash, link to the record before and state at the tax authority.',
  'get /invoices/{invoice_id}/verifactu/xml':
    'The bytes of the latest registration record. Until it was sent there is none: 404 `verifactu_xml_not_found`.',
  'get /verifactu/submissions':
    'Messages that went to the tax authority, newest first, with their CSV and the answer to each of their records.',
  'get /verifactu/incidents':
    'Records that the tax authority rejected or accepted with errors in the latest submissions, with its code and its words.',
  'get /verifactu/chain':
    'How the chain of records ends, how many records wait to be sent and why, and what a person has to attend to. A route of this server; the API specification does not have it.',
  'get /verifactu/aeat-records':
    'Asks the tax authority what it has of the company in a month and answers its first page.',
  'post /verifactu/sif':
    'Writes the event that starts or ends working without VERI*FACTU, with hash, link and signature.',
  'get /verifactu/sif':
    'The chained events of a system that does not send its records, newest first: start, end, anomalies, summaries.',
  'get /sii/config': 'Whether the company reports through the SII, and what is sent automatically.',
  'put /sii/config':
    'Switches automatic sending on or off and chooses the certificate. A member that is left out stays as it is.',
  'get /sii/pending': PENDING,
  'get /sii/deadlines': `The same as \`/sii/pending\`, shorter. ${PENDING}`,
  'get /sii/submissions':
    'Messages that went to the SII, newest first, with their CSV and how many records they had.',
  'get /sii/submissions/{submission_id}': 'One message with the outcome of each of its invoices.',
  'get /invoices/{invoice_id}/sii/status':
    'State, deadline and last submission of an invoice in each book that it belongs to.',
  'get /certificates': 'Name, validity, purpose and fingerprint of each certificate; never a key.',
}
