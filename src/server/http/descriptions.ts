/** Descriptions of the operations and their groups in the OpenAPI document. */

/** Groups of operations in the order of display. */
export const TAGS: Readonly<Record<string, string>> = {
  Drafts:
    'Invoices in preparation. They have no number and date yet, and may have errors. Issuing turns a draft into an issued invoice with the same `id`.',
  Issued:
    'Invoices of the company, issued here or imported from another system. They are never changed, only cancelled or corrected.',
  Received:
    'Invoices from suppliers: registered as JSON, imported as XML, or proposed from a PDF or an image.',
  Attachments: 'Files attached to a draft, an issued or a received invoice.',
  Catalogs: 'The codes that invoices may use. They are those in force today.',
  Company: 'The company of the API key.',
  VeriFactu:
    'Fiscal records of issued invoices: configuration, records, submissions to the tax authority, incidents, and the events of a system that does not submit its records.',
  SII: 'Books of issued and received invoices that are reported to the tax authority: configuration, deadlines and submissions.',
  Certificates: 'Certificates that sign and submit records.',
  Health: 'The status of the server, for monitoring. It requires no key.',
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
  'Returns the complete `json_1_1` document as stored: the document sent by the client, normalised, with all computed amounts.'
const EVENTS =
  'Returns the history of the invoice, oldest event first, with the actor of each event: creation, changes of status, mails, and records of the tax authority.'
const PDF = 'The file is generated on request. Send its `ETag` as `If-None-Match` to avoid a second download.'
const ATTACH =
  'Uploads one file of at most 16 MB as `multipart/form-data`, in the field `file`. It is stored byte for byte and can only be downloaded.'
const DOCUMENTS =
  'Lists attached files, the original XML and stored PDFs, oldest first, without their content.'
const DOWNLOAD = 'Returns the file with its own media type and name, always as an attachment.'
const PENDING =
  'Returns the invoices by deadline, nearest first. Each item is an invoice in one book, with its deadline and the days remaining. A negative number of days means that the deadline has passed.'

const ofInvoice = (prefix: string): Record<string, string> => ({
  [`get ${prefix}/{invoice_id}`]:
    'Returns the identification, status, parties and totals of an invoice and, if they exist, its corrections and its fiscal record.',
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
    'Returns 200 if the server can use its database, and 503 if the database does not respond, is damaged or accepts no changes. The route requires no key. It is also available as `/health`, without the base path.',
  'get /company': 'Returns the master data of the key’s company, its plan and its fiscal systems.',
  'get /companies':
    'Returns the data of `/company` as a list with one entry, because a key belongs to exactly one company.',
  'get /catalogs/{name}':
    'Returns the entries of one catalog, such as tax rates, treatments, units or countries. Each catalog has its own fields. Catalogs rarely change, so keep the `ETag` and send it as `If-None-Match`.',
  ...ofInvoice('/drafts'),
  ...ofInvoice('/issued-invoices'),
  ...ofInvoice('/received-invoices'),
  'put /drafts':
    'Stores the invoice as a draft and returns its `id`. A request with the same `meta.external_ref` updates that draft. A draft may have business errors; `errors` lists them with path and fix. They must be fixed before the draft is issued.',
  'get /drafts':
    'Returns one page of the company’s drafts, newest first. A draft must match all filters; `total` is the number of all matches.',
  'post /drafts/validate': VALIDATES,
  'delete /drafts/{invoice_id}': 'Deletes the draft and its attached files permanently.',
  'post /drafts/{invoice_id}/validate':
    'Validates the stored draft with today’s rules and catalogs, and returns its errors.',
  'post /drafts/batch':
    'Stores each invoice separately, in order. A rejected invoice does not affect the others. `items` has the outcome of each invoice.',
  'get /issued-invoices':
    'Returns one page of the company’s issued invoices, including drafts, by series and then by date, newest first. An invoice must match all filters; `total` is the number of all matches.',
  'post /issued-invoices/validate': `Checks whether the invoice could be issued without changes. ${VALIDATES}`,
  'post /issued-invoices/{invoice_id}/issue':
    'Assigns the next number of the series and today’s date and, if VeriFactu is active, writes the fiscal record, all in one transaction. An issued invoice never changes. Send an `Idempotency-Key`, so that a repeated request does not use a second number.',
  'post /issued-invoices/import':
    'Registers an invoice that another system issued, with its number and date. No fiscal record is created. Another import with the same number updates the imported invoice.',
  'post /issued-invoices/import/batch':
    'Imports each invoice separately, in order. A rejected invoice does not affect the others. `items` has the outcome of each invoice.',
  'post /issued-invoices/{invoice_id}/cancel':
    'Cancels the invoice and, if it has a fiscal record, writes its cancellation record. The number cannot be used again.',
  'post /issued-invoices/{invoice_id}/corrective':
    'Creates a draft of a corrective invoice: by substitution (`S`: it replaces the original) or by differences (`D`: its lines state the changes). Issue the draft to complete the correction.',
  'post /issued-invoices/{invoice_id}/send':
    'Sends the invoice by e-mail to the given addresses, by default to the customer’s address, and marks it as sent. Send an `Idempotency-Key`, so that a repeated request does not send a second mail.',
  'delete /issued-invoices/{invoice_id}':
    'Deletes an imported invoice and its files. An invoice that was issued here, or that a filed return covers, cannot be deleted.',
  'get /issued-invoices/{invoice_id}/export':
    'Exports the invoice as Facturae 3.2.2, UBL 2.1 or CII D16B, validated against the official schema and rules of the format. If the format cannot represent the invoice, the export is refused with the reasons.',
  'get /issued-invoices/{invoice_id}/pdf': `Renders the invoice in one of three designs, in Spanish or English, with the tax QR code if the invoice has a fiscal record, and as Factur-X on request. Drafts and cancelled invoices are marked as such. ${PDF}`,
  'put /received-invoices':
    'Registers the invoice of a supplier and returns its `id`. A request with the same supplier, number and year updates the existing invoice. An invoice with business errors is stored with the status `draft`.',
  'get /received-invoices':
    'Returns one page of the company’s received invoices, newest first. An invoice must match all filters; `total` is the number of all matches.',
  'post /received-invoices/validate': VALIDATES,
  'post /received-invoices/import':
    'Reads Facturae 3.2 to 3.2.2, UBL 2.1 or CII D16B, and registers the invoice. If the document has any error, nothing is registered. The original is kept as an attachment, byte for byte.',
  'post /received-invoices/recognize':
    'Reads a PDF or an image and returns a proposal with a score for every field. Each file is recognised once: if it is sent again within 24 hours, the refusal has the first response as `result`. Nothing is registered. Check the proposal, remove the computed fields, and send it to `PUT /received-invoices`.',
  'delete /received-invoices/{invoice_id}':
    'Deletes the received invoice and its files, unless it was reported to the tax authority or a filed return covers it.',
  'post /received-invoices/{invoice_id}/validate':
    'Validates the stored invoice with today’s rules and catalogs. If it has errors, its status becomes `draft`, otherwise `received`.',
  'get /received-invoices/{invoice_id}/pdf': `Renders the registered data. The supplier’s original document is among the attachments. ${PDF}`,
  'get /verifactu/config':
    'Returns whether VeriFactu is active, its mode and environment, and the active certificate.',
  'put /verifactu/config':
    'Opens a period in which every issued invoice gets a fiscal record: `verifactu` submits each record to the tax authority, `no_verifactu` signs and keeps it. An open period cannot be changed with this route.',
  'get /invoices/{invoice_id}/verifactu/records':
    'Returns the registration and cancellation records of the invoice, oldest first, with hash, link to the previous record, and status at the tax authority.',
  'get /invoices/{invoice_id}/verifactu/xml':
    'Returns the XML of the latest registration record, as sent. Before the record is sent, the response is 404 `verifactu_xml_not_found`.',
  'get /verifactu/submissions':
    'Returns the messages sent to the tax authority, newest first, with their CSV and the response to each record.',
  'get /verifactu/incidents':
    'Returns the anomalies of the chains, the cancelled invoices without a cancellation record, and the records that the tax authority rejected or accepted with errors in the latest submissions, with the code and description of each.',
  'get /verifactu/chain':
    'Returns the end of the chain of records, the number of records waiting to be sent with the reason, and the records that need attention. This route is an addition to the API specification.',
  'get /verifactu/aeat-records':
    'Queries the tax authority for the company’s records of a month, and returns the first page.',
  'post /verifactu/sif':
    'Writes the event that starts or ends operation without VERI*FACTU, with its hash, link to the previous event, and signature.',
  'get /verifactu/sif':
    'Returns the chained events of a system that does not submit its records, newest first: start, end, anomalies and summaries.',
  'get /sii/config':
    'Returns whether the company reports to the SII, and whether records are submitted automatically.',
  'put /sii/config':
    'Switches automatic submission on or off, and selects the certificate. Omitted members keep their value.',
  'get /sii/pending': PENDING,
  'get /sii/deadlines': `Same as \`/sii/pending\`, with a lower default limit. ${PENDING}`,
  'get /sii/submissions':
    'Returns the messages sent to the SII, newest first, with their CSV and their number of records.',
  'get /sii/submissions/{submission_id}': 'Returns a message with the outcome of each of its invoices.',
  'get /invoices/{invoice_id}/sii/status':
    'Returns the status, deadline and last submission of the invoice in each book.',
  'get /certificates':
    'Returns the name, validity, purpose and fingerprint of each certificate, never its private key.',
}
