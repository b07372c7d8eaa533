/** Descriptions of the operations and their groups in the OpenAPI document. */

/** Groups of operations in the order of display. */
export const TAGS: Readonly<Record<string, string>> = {
  Drafts:
    'Invoices in preparation: without number and date, and possibly with errors. Issuing turns a draft into an issued invoice with the same `id`.',
  Issued:
    'Invoices of the company, issued here or imported from another system. They are never changed, only cancelled or corrected.',
  Received:
    'Invoices from suppliers: registered as JSON, imported as XML, or proposed from a PDF or an image.',
  Attachments: 'Files attached to a draft, an issued or a received invoice.',
  Catalogs: 'The codes that invoices may use, as in force today.',
  Company: 'The company of the API key.',
  VeriFactu:
    'Fiscal records of issued invoices: configuration, records, submissions to the tax authority, incidents, and the events of a system that does not submit its records.',
  SII: 'Books of issued and received invoices that are reported to the tax authority: configuration, deadlines and submissions.',
  Certificates: 'Certificates that sign and submit records.',
  Health: 'For monitoring; needs no key.',
}

/** Parts of paths with the group of their operations. The first matching part applies. */
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

/** Returns the group of an operation. */
export const tagOf = (path: string): string => GROUPS.find(([part]) => path.includes(part))?.[1] ?? 'Health'

const VALIDATES =
  'Returns 200 whether or not the invoice is valid. `is_valid` is the result, `errors` lists every problem with its path and fix, and `data` is the normalised invoice with all amounts calculated to the cent. Nothing is stored.'
const CANONICAL =
  'The complete `json_1_1` document as stored: what the client sent, normalised, with every computed amount.'
const EVENTS =
  'The history of the invoice with the actor of each event, oldest first: creation, changes of status, mails, and records of the tax authority.'
const PDF = 'The file is generated on request. Send its `ETag` as `If-None-Match` to avoid a second download.'
const ATTACH =
  'Uploads one file of at most 16 MB as `multipart/form-data`, in the field `file`. It is stored byte for byte and served for download only.'
const DOCUMENTS =
  'Lists attached files, the original XML and stored PDFs, oldest first, without their content.'
const DOWNLOAD = 'Returns the file with its own media type and name, always as an attachment.'
const PENDING =
  'Nearest deadline first. Each item is one invoice in one book, with its deadline and the days remaining; a negative number is overdue.'

const ofInvoice = (prefix: string): Record<string, string> => ({
  [`get ${prefix}/{invoice_id}`]:
    'Returns identification, status, parties and totals of one invoice, with its corrections and its fiscal record if it has them.',
  [`get ${prefix}/{invoice_id}/canonical`]: CANONICAL,
  [`get ${prefix}/{invoice_id}/events`]: EVENTS,
  [`get ${prefix}/{invoice_id}/documents`]: DOCUMENTS,
  [`post ${prefix}/{invoice_id}/documents`]: ATTACH,
  [`get ${prefix}/{invoice_id}/documents/{doc_id}`]: DOWNLOAD,
  [`delete ${prefix}/{invoice_id}/documents/{doc_id}`]:
    'Deletes the file permanently. The invoice does not change.',
})

/** Descriptions by method and path. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'get /health':
    'Returns 200 if the server can read its database, and 503 if it cannot. Needs no key. Also available as `/health`, without the base path.',
  'get /company': 'Master data of the company of the key, its plan, and its fiscal systems.',
  'get /companies': 'The same as `/company`, as a list with one entry: a key belongs to exactly one company.',
  'get /catalogs/{name}':
    'The entries of one list, such as tax rates, treatments, units or countries, with the fields of that list. It rarely changes: keep its `ETag` and send it as `If-None-Match`.',
  ...ofInvoice('/drafts'),
  ...ofInvoice('/issued-invoices'),
  ...ofInvoice('/received-invoices'),
  'put /drafts':
    'Stores the invoice as a draft and returns its `id`. A request with the same `meta.external_ref` updates that draft. A draft may have business errors; `errors` lists them with path and fix, and they must be fixed before it is issued.',
  'get /drafts':
    'Returns one page of the company’s drafts, newest first. Filters combine, and `total` counts all matches.',
  'post /drafts/validate': VALIDATES,
  'delete /drafts/{invoice_id}': 'Deletes the draft and its attached files permanently.',
  'post /drafts/{invoice_id}/validate':
    'Validates the stored draft with today’s rules and catalogs, and returns its errors.',
  'post /drafts/batch':
    'Stores each invoice separately, in order: a rejected one does not affect the others. `items` has the outcome of each.',
  'get /issued-invoices':
    'Returns one page of the company’s issued invoices, drafts included, by series and then newest date first. Filters combine, and `total` counts all matches.',
  'post /issued-invoices/validate': `Checks whether an invoice could be issued as it is. ${VALIDATES}`,
  'post /issued-invoices/{invoice_id}/issue':
    'Assigns the next number of the series and today’s date and, if VeriFactu is active, writes the fiscal record, all in one transaction. An issued invoice never changes. Send an `Idempotency-Key`, so that a repeated request does not use a second number.',
  'post /issued-invoices/import':
    'Registers an invoice that another system issued, with its number and date. No fiscal record is created. An import of the same number updates the imported invoice.',
  'post /issued-invoices/import/batch':
    'Imports each invoice separately, in order: a rejected one does not affect the others. `items` has the outcome of each.',
  'post /issued-invoices/{invoice_id}/cancel':
    'Cancels the invoice and, if it has a fiscal record, writes its cancellation record. The number stays used.',
  'post /issued-invoices/{invoice_id}/corrective':
    'Drafts a corrective invoice of the original: by substitution (`S`, it replaces the original) or by differences (`D`, its lines state the changes). Issue the draft to complete the correction.',
  'post /issued-invoices/{invoice_id}/send':
    'Mails the invoice to the given addresses, by default to the customer’s, and marks it as sent. Send an `Idempotency-Key`, so that a repeated request does not send a second mail.',
  'delete /issued-invoices/{invoice_id}':
    'Deletes an imported invoice and its files. An invoice that was issued here, or that a filed return covers, cannot be deleted.',
  'get /issued-invoices/{invoice_id}/export':
    'Exports the invoice as Facturae 3.2.2, UBL 2.1 or CII D16B, validated against the official schema and rules of the format. If the format cannot carry the invoice, the export is refused with the reasons.',
  'get /issued-invoices/{invoice_id}/pdf': `Renders the invoice in one of three designs, in Spanish or English, with the tax QR code if it has a record, and as Factur-X on request. Drafts and cancelled invoices are marked as such. ${PDF}`,
  'put /received-invoices':
    'Registers the invoice of a supplier and returns its `id`. The same supplier, number and year updates the existing invoice. An invoice with business errors is stored with the status `draft`.',
  'get /received-invoices':
    'Returns one page of the company’s received invoices, newest first. Filters combine, and `total` counts all matches.',
  'post /received-invoices/validate': VALIDATES,
  'post /received-invoices/import':
    'Reads Facturae 3.2 to 3.2.2, UBL 2.1 or CII D16B, and registers the invoice. With any error nothing is registered. The original is kept as an attachment, byte for byte.',
  'post /received-invoices/recognize':
    'Reads a PDF or an image, each file once, and returns a proposal with a score for every field. Nothing is registered. Check the proposal, remove the computed fields, and send it to `PUT /received-invoices`.',
  'delete /received-invoices/{invoice_id}':
    'Deletes the received invoice and its files, unless the tax authority has it or a filed return covers it.',
  'post /received-invoices/{invoice_id}/validate':
    'Validates the stored invoice with today’s rules and catalogs. With errors its status becomes `draft`, otherwise `received`.',
  'get /received-invoices/{invoice_id}/pdf': `Renders the registered data for people. The supplier’s own document is among the attachments. ${PDF}`,
  'get /verifactu/config':
    'Whether VeriFactu is active, in which mode and environment, and with which certificate.',
  'put /verifactu/config':
    'Opens a period in which every issued invoice gets a fiscal record: `verifactu` submits each record to the tax authority, `no_verifactu` signs and keeps it. An open period cannot be changed here.',
  'get /invoices/{invoice_id}/verifactu/records':
    'Registration and cancellation records of the invoice, oldest first, with hash, link to the previous record, and status at the tax authority.',
  'get /invoices/{invoice_id}/verifactu/xml':
    'The XML of the latest registration record, as sent. Before it is sent there is none: 404 `verifactu_xml_not_found`.',
  'get /verifactu/submissions':
    'Messages sent to the tax authority, newest first, with their CSV and the response to each record.',
  'get /verifactu/incidents':
    'Records that the tax authority rejected or accepted with errors in the latest submissions, with its code and description.',
  'get /verifactu/chain':
    'The end of the chain of records, how many records wait to be sent and why, and which need attention. This route is an addition to the API specification.',
  'get /verifactu/aeat-records':
    'Queries the tax authority for the company’s records of a month, and returns the first page.',
  'post /verifactu/sif':
    'Writes the event that starts or ends operation without VERI*FACTU, with hash, link and signature.',
  'get /verifactu/sif':
    'The chained events of a system that does not submit its records, newest first: start, end, anomalies and summaries.',
  'get /sii/config':
    'Whether the company reports to the SII, and whether records are submitted automatically.',
  'put /sii/config':
    'Switches automatic submission on or off, and selects the certificate. Omitted members keep their value.',
  'get /sii/pending': PENDING,
  'get /sii/deadlines': `The same as \`/sii/pending\`, with a lower default limit. ${PENDING}`,
  'get /sii/submissions':
    'Messages sent to the SII, newest first, with their CSV and their number of records.',
  'get /sii/submissions/{submission_id}': 'One message with the outcome of each of its invoices.',
  'get /invoices/{invoice_id}/sii/status':
    'Status, deadline and last submission of an invoice in each of its books.',
  'get /certificates': 'Name, validity, purpose and fingerprint of each certificate, never its key.',
}
