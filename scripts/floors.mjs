/**
 * Who may import whom: one row for each room, from the ground up. A room may use itself, those that its row names and
 * nothing else; a row names only rows above it in this list, so that imports go down and no circle of rooms can be.
 * The lint rules (`.dependency-cruiser.mjs`) and the tables of `docs/architecture.md` are made from here.
 *
 * A room is a folder; one that has rooms inside holds only the files that lie in it directly.
 */

/** Every file below that lies in no room is refused, too. */
export const ROOTS = ['catalogs', 'schemas', 'rules', 'src']

/** @type {(name: string, holds: string, may: string, where?: { node?: boolean }) => { name: string, holds: string, may: string[], node: boolean }} */
const room = (name, holds, may, { node = false } = {}) => ({
  name,
  holds,
  may: may.split(' ').filter(Boolean),
  node,
})
/** Rooms where Node's own modules may be used. */
const onNode = (name, holds, may) => room(name, holds, may, { node: true })

export const FLOORS = [
  {
    title: 'The engine',
    rooms: [
      room('catalogs', 'data: which values exist and since when', ''),
      room('schemas', 'data: which shape an invoice and an official message have', ''),
      room('src/errors', 'the base of every error that is thrown, and its kinds', ''),
      room('src/money', 'exact amounts, rounding, allocation', ''),
      room('src/identifiers', 'tax ids and account numbers', ''),
      room('src/catalogs', 'looking things up in the catalogs', 'catalogs'),
      room('src/invoice', 'types, compiled schemas, pointers, items, options', 'src/catalogs'),
      room(
        'src/words',
        'one voice: the words of a problem, its parts and its text; the list of problems',
        'src/invoice',
      ),
      room('src/json', 'where something stands in a JSON text, and where it stops being JSON', 'src/invoice'),
      room('src/normalise', 'what an invoice means', 'src/catalogs src/identifiers src/invoice src/money'),
      room('src/calculate', 'what it amounts to', 'src/invoice src/money'),
      room(
        'rules',
        'what must hold, one record for each code',
        'src/catalogs src/identifiers src/invoice src/words src/money src/normalise src/calculate',
      ),
      room(
        'src/engine',
        'the order of these: the pipeline',
        'src/catalogs src/invoice src/words src/money src/normalise src/calculate rules',
      ),
      room('src/api/explanation', 'the reason for each amount', 'src/invoice src/money src/calculate'),
      room('src/api/generated', 'origin and read paths of each rule, made from the rules', ''),
      room(
        'src/api',
        'what `cuadra` offers: validate, explain, reconcile, rules, Standard Schema',
        'src/catalogs src/identifiers src/invoice src/words src/money rules src/engine src/api/explanation src/api/generated',
      ),
    ],
  },
  {
    title: 'Fiscal records',
    rooms: [
      room('src/xml', 'XML of an official vocabulary: written, read in pieces, checked', 'src/errors'),
      room(
        'src/fiscal',
        'what an invoice means to the tax authority, and its answers, alike in both systems',
        'src/catalogs src/identifiers src/invoice src/words src/money src/xml',
      ),
      room('src/verifactu/generated', 'types made from the official schema', ''),
      room(
        'src/verifactu/model',
        'records as data, their hash, the codes of what cannot be recorded',
        'src/errors schemas src/invoice src/words src/xml src/fiscal src/verifactu/generated',
      ),
      room(
        'src/verifactu/rules',
        'the checks of the authority, one record for each of its codes',
        'catalogs src/identifiers src/invoice src/words src/money src/xml src/fiscal src/verifactu/model',
      ),
      room(
        'src/verifactu/chain',
        'linking a record to the one before, and auditing a whole chain',
        'src/invoice src/words src/fiscal src/verifactu/model',
      ),
      room(
        'src/verifactu/record',
        'the record of an invoice, a cancellation, an event; what to do after an answer',
        'src/invoice src/words src/money src/fiscal src/verifactu/model src/verifactu/rules src/verifactu/chain',
      ),
      room(
        'src/verifactu/message',
        'messages written as XML, and answers read',
        'src/invoice src/words src/xml src/fiscal src/verifactu/model src/verifactu/rules src/verifactu/record',
      ),
      room(
        'src/verifactu/qr',
        'the QR code: address, drawing, reading',
        'src/errors src/invoice src/words src/fiscal src/verifactu/model src/verifactu/record',
      ),
      room(
        'src/verifactu',
        'what `cuadra/verifactu` offers',
        'src/errors src/xml src/fiscal src/verifactu/model src/verifactu/rules src/verifactu/chain src/verifactu/record src/verifactu/message src/verifactu/qr',
      ),
      room('src/sii/generated', 'types made from the official schema', ''),
      room(
        'src/sii/model',
        'vocabulary, periods, keys, and the codes of what cannot be recorded',
        'schemas src/catalogs src/invoice src/words src/money src/xml src/fiscal src/sii/generated',
      ),
      room(
        'src/sii/deadline',
        'until when a record has to be sent',
        'catalogs src/invoice src/fiscal src/sii/model',
      ),
      room(
        'src/sii/record',
        'records of both books and their messages',
        'catalogs src/catalogs src/invoice src/money src/xml src/fiscal src/sii/model',
      ),
      room(
        'src/sii/answer',
        'answers and queries',
        'src/invoice src/xml src/fiscal src/sii/model src/sii/record',
      ),
      room(
        'src/sii',
        'what `cuadra/sii` offers',
        'src/xml src/fiscal src/sii/model src/sii/deadline src/sii/record src/sii/answer',
      ),
    ],
  },
  {
    title: 'Formats',
    rooms: [
      room(
        'src/formats/model',
        'what every format is, and the words of what is found in a document',
        'src/invoice src/words src/xml',
      ),
      room(
        'src/formats/facturae',
        'Facturae 3.2, 3.2.1 and 3.2.2',
        'schemas src/catalogs src/identifiers src/invoice src/money src/xml src/formats/model',
      ),
      room(
        'src/formats/en16931',
        'what UBL and CII share: the semantic model of EN 16931, its rules, its mapping',
        'catalogs src/catalogs src/identifiers src/invoice src/money src/xml src/formats/model',
      ),
      room(
        'src/formats/ubl',
        'UBL 2.1: Invoice and CreditNote',
        'schemas src/xml src/formats/model src/formats/en16931',
      ),
      room('src/formats/cii', 'CII D16B', 'schemas src/xml src/formats/model src/formats/en16931'),
      room(
        'src/formats',
        'what `cuadra/formats` offers: detect, read, write',
        'src/invoice src/money src/xml src/api src/formats/model src/formats/facturae src/formats/ubl src/formats/cii',
      ),
    ],
  },
  {
    title: 'Faces',
    rooms: [
      room(
        'src/view',
        'an invoice as people read it: every text formatted, in their language',
        'catalogs src/catalogs src/identifiers src/invoice src/money',
      ),
      room(
        'src/request',
        'the engine as JSON in, JSON out, with limits',
        'src/catalogs src/invoice src/words src/json src/api src/fiscal src/verifactu/model src/verifactu/chain src/verifactu/qr',
      ),
      room(
        'src/request/formats',
        'the same with documents of other systems, read and written',
        'src/invoice src/words src/fiscal src/formats src/request',
      ),
      room(
        'src/web',
        'headers and bytes of HTTP, alike for edge and server',
        'src/invoice src/json src/request',
      ),
      room(
        'src/edge',
        'the engine behind HTTP, from `Request` to `Response`',
        'src/catalogs src/invoice src/words src/api src/fiscal src/verifactu/qr src/request src/web',
      ),
      room(
        'src/edge/formats',
        'the same with `POST /read` and `POST /write`',
        'src/catalogs src/invoice src/words src/xml src/api src/verifactu/qr src/formats src/request src/request/formats src/web src/edge',
      ),
      onNode(
        'src/wasm',
        'the WebAssembly module and its loader',
        'src/errors src/invoice src/api src/request',
      ),
      room('src/site', 'addresses of the site', 'src/invoice'),
      room(
        'src/parts',
        'what the pages for people share: components, base styles, language, small memories',
        '',
      ),
      room(
        'src/playground',
        'the page to try it on',
        'schemas src/invoice src/json src/api src/fiscal src/verifactu/qr src/verifactu src/sii src/formats src/view src/parts',
      ),
      room(
        'src/status',
        'the page of `/status`, which knows the server by its public interface alone',
        'src/parts',
      ),
      onNode('src/terminal', 'text for a terminal', ''),
      onNode(
        'src/cli/input',
        'settings, files, standard input',
        'src/errors src/invoice src/words src/json src/xml src/api src/fiscal src/verifactu src/formats src/terminal',
      ),
      onNode(
        'src/cli/report',
        'what is printed: text, JSON, SARIF, GitHub',
        'src/invoice src/words src/json src/api src/site src/terminal src/cli/input',
      ),
      onNode('src/cli/batch', 'many documents in threads', 'src/cli/input src/cli/report'),
      onNode(
        'src/cli/commands',
        'one file for each command',
        'src/errors src/words src/api src/fiscal src/verifactu src/site src/terminal src/cli/input src/cli/report src/cli/batch',
      ),
      onNode('src/cli', 'where the process begins', 'src/errors src/cli/input src/cli/commands'),
    ],
  },
  {
    title: 'Beside the server',
    rooms: [
      onNode(
        'src/storage',
        'private files, the embedded database, failures of disks and databases',
        'src/errors',
      ),
      onNode('src/pdf', 'the view of an invoice on paper', 'src/view'),
      onNode(
        'src/recognition',
        'files of others read in processes beside the server, within limits of time and memory',
        '',
      ),
      onNode(
        'src/recognition/reader',
        'what such a process does: text, codes and letters of PDFs and pictures',
        'src/recognition',
      ),
      onNode(
        'src/recognition/fields',
        'what a document that was read means: its fields, and how far each is believed',
        'src/catalogs src/identifiers src/invoice src/money src/verifactu/qr src/recognition',
      ),
      onNode(
        'src/authority',
        'certificates and signatures of the authority',
        'src/errors src/identifiers src/invoice src/words src/verifactu',
      ),
      onNode(
        'src/authority/wire',
        'one message to the authority and what came of it: addresses, TLS, SOAP',
        'src/invoice src/words src/xml src/fiscal src/verifactu src/sii src/authority',
      ),
      onNode(
        'src/simulator',
        'a stand-in for the tax authority',
        'src/errors src/invoice src/xml src/fiscal src/verifactu/model src/verifactu src/sii/model src/sii src/parts src/storage src/authority',
      ),
    ],
  },
  {
    title: 'The server',
    rooms: [
      onNode('src/server/bin', 'the command that npm links', ''),
      onNode(
        'src/server/environment',
        'configuration, clock, log, keys of this installation',
        'src/errors src/fiscal src/verifactu src/storage',
      ),
      onNode(
        'src/server/mail',
        'messages and their delivery',
        'src/errors src/storage src/server/environment',
      ),
      onNode(
        'src/server/store',
        'tables and statements, the same on SQLite and PostgreSQL',
        'src/errors src/invoice src/verifactu src/sii src/storage src/server/environment src/server/mail',
      ),
      onNode(
        'src/server/errors',
        'one table of codes with status and words; refusals',
        'src/errors src/invoice src/words rules src/engine src/storage src/server/store',
      ),
      onNode(
        'src/server/documents',
        'files: names, bodies in parts, the port to the disk',
        'src/storage src/server/store src/server/errors',
      ),
      onNode(
        'src/server/shapes',
        'what requests and answers look like',
        'schemas rules src/catalogs src/invoice src/words src/engine src/formats src/server/errors',
      ),
      onNode(
        'src/server/reading',
        'bodies read, held against their shapes',
        'src/invoice src/json src/request src/web src/server/errors src/server/documents src/server/shapes',
      ),
      onNode(
        'src/server/work',
        'what would keep other requests waiting, in threads',
        'src/invoice rules src/engine src/api src/formats src/view src/web src/server/errors src/server/reading src/pdf',
      ),
      onNode(
        'src/server/app',
        'what a running server has',
        'src/storage src/server/environment src/server/store src/server/documents src/server/mail src/server/work src/recognition src/authority/wire',
      ),
      onNode(
        'src/server/service/company',
        'companies, their certificates, exchange rates',
        'src/errors src/catalogs src/identifiers src/invoice src/server/environment src/server/store src/pdf src/server/app src/authority src/server/shapes',
      ),
      onNode(
        'src/server/service/sending',
        'what all lines to the tax authority have: who holds one, pauses, why one stands still',
        'src/errors src/invoice src/words src/server/environment src/server/store src/server/app src/authority src/server/service/company',
      ),
      onNode(
        'src/server/service/access',
        'who asks: keys, the call, repeated requests',
        'src/errors src/invoice src/server/environment src/server/store src/server/errors src/server/app src/server/service/company',
      ),
      onNode(
        'src/server/service/invoice',
        'what every invoice has: numbers, rows, events, a verdict',
        'src/identifiers src/invoice src/view src/words src/fiscal src/verifactu/qr src/sii/deadline src/server/store src/server/errors src/server/documents src/server/shapes src/pdf src/server/work src/server/service/company src/server/service/access',
      ),
      onNode(
        'src/server/service/attachments',
        'documents beside an invoice',
        'src/storage src/server/environment src/server/store src/server/errors src/server/documents src/server/shapes src/server/app src/server/service/access src/server/service/invoice',
      ),
      onNode(
        'src/server/service/sii/cash-basis',
        'what is collected and paid under cash basis, and what the SII is to be told of it',
        'src/errors src/invoice src/money src/sii/deadline src/sii src/server/environment src/server/store src/server/errors src/server/app src/server/service/company',
      ),
      onNode(
        'src/server/service/sii',
        'what the SII is to be told',
        'src/invoice src/fiscal src/sii/deadline src/sii src/server/environment src/server/store src/server/errors src/server/shapes src/server/service/company src/server/service/access src/server/service/invoice src/server/service/sending src/server/service/sii/cash-basis',
      ),
      onNode(
        'src/server/service/verifactu',
        'chains, records, signatures, events of the system',
        'src/errors src/catalogs src/identifiers src/invoice src/words src/money src/fiscal src/verifactu src/server/environment src/server/store src/server/errors src/server/documents src/server/app src/authority src/server/service/company src/server/service/access src/server/service/invoice src/server/shapes src/server/service/sending',
      ),
      onNode(
        'src/server/service/verifactu/sending',
        'the line to the authority: what waits, who sends it, what became of it',
        'src/invoice src/words src/verifactu src/server/environment src/server/store src/server/errors src/server/app src/authority src/server/service/company src/server/service/access src/server/service/verifactu src/server/shapes src/server/service/sending',
      ),
      onNode(
        'src/server/service/sii/sending',
        'the line to the SII: what waits of each book, who sends it, what became of it',
        'src/errors src/invoice src/sii src/server/store src/server/app src/authority src/authority/wire src/server/service/company src/server/service/sending src/server/service/sii src/server/service/verifactu src/fiscal src/money src/server/service/sii/cash-basis',
      ),
      onNode(
        'src/server/service/verifactu/watch',
        'what a running server records of itself without VERI*FACTU: start, summaries, checks, end',
        'src/fiscal src/verifactu src/server/store src/server/app src/server/service/company src/server/service/verifactu',
      ),
      onNode(
        'src/server/service/issued',
        'drafts, issuing, correcting, cancelling, batches',
        'src/errors src/catalogs src/invoice src/fiscal src/formats src/server/environment src/server/store src/server/errors src/server/documents src/authority src/server/reading src/server/work src/server/service/company src/server/service/access src/server/service/invoice src/server/service/attachments src/server/service/sii src/server/service/verifactu src/server/shapes src/server/service/sii/cash-basis',
      ),
      onNode(
        'src/server/service/mail',
        'invoices by mail: the outbox and who delivers it',
        'src/errors src/invoice src/view src/server/environment src/server/store src/server/errors src/server/documents src/server/shapes src/server/mail src/server/app src/server/service/company src/server/service/access src/server/service/invoice src/server/service/issued',
      ),
      onNode(
        'src/server/service/received',
        'invoices of suppliers',
        'src/identifiers src/invoice src/formats src/server/store src/server/errors src/server/documents src/server/shapes src/recognition src/recognition/fields src/server/service/company src/server/service/access src/server/service/invoice src/server/service/attachments src/server/service/sii src/server/environment src/server/service/sii/cash-basis',
      ),
      onNode(
        'src/server/http/request',
        'what a route says, and how one request is answered',
        'src/invoice src/storage src/server/environment src/server/store src/server/errors src/server/documents src/server/shapes src/server/reading src/server/app src/server/service/access src/server/service/invoice',
      ),
      onNode(
        'src/server/http/routes',
        'every route',
        'src/catalogs src/invoice src/request src/view src/web src/server/environment src/server/store src/server/errors src/server/documents src/server/shapes src/pdf src/server/service/company src/server/service/access src/server/service/invoice src/server/service/attachments src/server/service/sii src/server/service/verifactu src/server/service/issued src/server/service/received src/server/http/request src/server/service/mail src/server/service/verifactu/sending',
      ),
      onNode(
        'src/server/http',
        'connections, pages, the OpenAPI document',
        'src/catalogs src/invoice src/web src/server/environment src/server/errors src/server/documents src/server/shapes src/server/app src/server/service/access src/server/http/request src/server/http/routes',
      ),
      onNode(
        'src/server',
        'where the process begins',
        'src/errors src/storage src/server/environment src/server/app src/server/service/company src/server/service/access src/server/service/attachments src/server/service/mail src/server/http/request src/server/http src/server/service/verifactu/sending src/server/service/verifactu/watch src/simulator src/server/service/sii/sending src/server/service/sii/cash-basis',
      ),
    ],
  },
  {
    title: 'Administration',
    rooms: [
      onNode(
        'src/admin',
        'what the administrator commands share',
        'src/errors src/catalogs src/invoice src/view src/terminal src/storage src/server/environment src/server/store src/server/errors src/pdf src/server/app src/server/service/company src/server/service/access src/server/service/invoice',
      ),
      onNode(
        'src/admin/export',
        'a company as files',
        'src/errors src/fiscal src/verifactu src/terminal src/storage src/server/store src/server/documents src/server/app src/server/service/company src/server/service/access src/server/service/attachments src/server/service/verifactu src/server/service/verifactu/sending src/admin',
      ),
      onNode(
        'src/admin/verify',
        'a company held against its own records',
        'src/fiscal src/invoice src/words src/money src/api src/verifactu src/storage src/server/store src/server/documents src/server/app src/server/service/company src/server/service/invoice src/server/service/attachments src/server/service/sii src/server/service/verifactu src/server/service/verifactu/watch src/admin src/server/service/sii/cash-basis',
      ),
      onNode(
        'src/admin/backup',
        'everything that is kept, out of one place and into another',
        'src/errors src/fiscal src/terminal src/storage src/server/environment src/server/store src/server/documents src/server/app src/server/service/company src/server/service/attachments src/server/service/invoice src/server/service/sending src/server/service/verifactu src/server/service/verifactu/sending src/server/service/verifactu/watch',
      ),
      onNode(
        'src/admin/doctor',
        'what is not in order with an installation, why, and how to mend it',
        'src/invoice src/storage src/server/environment src/server/store src/authority src/server/app src/server/service/company src/server/service/sending src/server/service/verifactu src/server/service/verifactu/watch src/admin',
      ),
      onNode(
        'src/admin/commands',
        'one file for each group of commands',
        'src/errors src/invoice src/view src/terminal src/storage src/server/environment src/server/store src/server/app src/server/service/company src/server/service/access src/server/service/invoice src/server/service/verifactu src/server/service/issued src/admin src/admin/export src/admin/verify src/admin/backup src/admin/doctor src/server/service/verifactu/sending src/server/service/sending src/server/service/sii/sending src/server/service/received src/server/service/sii/cash-basis',
      ),
    ],
  },
]

/** All rooms, from the ground up. */
export const ROOMS = FLOORS.flatMap(({ rooms }) => rooms)

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const hasRoomsInside = ({ name }) => ROOMS.some((other) => other.name.startsWith(`${name}/`))

/** Matches the files of a room. */
export const filesOf = (room) =>
  hasRoomsInside(room) ? `^${escaped(room.name)}/[^/]+$` : `^${escaped(room.name)}/`
