/** Requests whose members, options or names are not those of a request. */
import { INVOICE } from './invoice.mjs'
import { refused } from './request.mjs'

const UNITS = '{"op":"catalog","document":"units"}'

const shapes = [
  ['null', 'null'],
  ['a number', '5'],
  ['a text', '"x"'],
  ['a list', '[]'],
  ['a long text', JSON.stringify('ñ😀'.repeat(100))],
  ['a list of requests', `[${UNITS}]`],
  ['an empty object', '{}'],
  ['no op', '{"document":{}}'],
  ['op null', '{"op":null,"document":{}}'],
  ['op is an object', '{"op":{},"document":{}}'],
  ['op is a list', '{"op":[],"document":{}}'],
  ['op true', '{"op":true,"document":{}}'],
  ['unknown op', '{"op":"issue","document":{}}'],
  ['unknown op in Spanish', '{"op":"emitir","document":{},"options":{"locale":"es"}}'],
  ['op in capitals', '{"op":"VALIDATE","document":{}}'],
  ['op with a space', '{"op":"validate ","document":{}}'],
  ['op of 100 characters', JSON.stringify({ op: '€'.repeat(100), document: {} })],
  ['op cut in the middle of a pair', JSON.stringify({ op: `${'x'.repeat(79)}😀`, document: {} })],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'].flatMap((name) => [
    [`op ${name}`, JSON.stringify({ op: name, document: {} })],
    [`member ${name}`, `{"${name}":{"op":"validate"},"op":"catalog","document":"units"}`],
    [`catalog ${name}`, JSON.stringify({ op: 'catalog', document: name })],
    [`option ${name}`, `{"op":"validate","document":{},"options":{"${name}":true}}`],
    [`document ${name}`, `{"op":"validate","document":{"${name}":{"invoice":1},"invoice":{"${name}":null}}}`],
  ]),
  ['unknown member', '{"op":"catalog","document":"units","option":{}}'],
  ['unknown member with a NUL', '{"op":"catalog","document":"units","\\u0000":{}}'],
  ['no document', '{"op":"validate"}'],
  ['no document in Spanish', '{"op":"verify_chain","options":{"locale":"es"}}'],
  ['no catalog', '{"op":"catalog"}'],
  ['document null', '{"op":"validate","document":null}'],
  ['document false', '{"op":"explain","document":false}'],
  ['document is a list', '{"op":"reconcile","document":[]}'],
  ['document is a text', '{"op":"qr","document":"x"}'],
  ['document is a number', '{"op":"verify_chain","document":0}'],
  ['catalog is an object', '{"op":"catalog","document":{}}'],
  ['catalog unknown', '{"op":"catalog","document":"holidays"}'],
  ['catalog unknown in Spanish', '{"op":"catalog","document":"festivos","options":{"locale":"es"}}'],
  ['catalog in a wrong language', '{"op":"catalog","document":"units","options":{"locale":"fr"}}'],
  ...['"2023-02-29"', '"2023-05-2"', '""', '5', 'null', '{}', '"2023-05-02T00:00:00"'].map((on) => [
    `catalog on ${on}`,
    `{"op":"catalog","document":"tax-rates","options":{"on":${on}}}`,
  ]),
  ['options null', '{"op":"catalog","document":"units","options":null}'],
  ['options a list', '{"op":"catalog","document":"units","options":[]}'],
  ['options a text', '{"op":"catalog","document":"units","options":"es"}'],
  ['options 0', '{"op":"catalog","document":"units","options":0}'],
  ['options empty', '{"op":"catalog","document":"units","options":{}}'],
  ...[
    '{"today":"tomorrow"}',
    '{"today":20270101}',
    '{"today":"2027-02-30"}',
    '{"locale":"fr"}',
    '{"locale":null}',
    '{"locale":5}',
    '{"operation":"send"}',
    '{"operation":["issue"]}',
    '{"totals":"ignore"}',
    '{"company":[]}',
    '{"company":{"tax_id":5}}',
    '{"company":{"cash_basis":"yes"}}',
    '{"exchange_rate":{"exchange_rate":0}}',
    '{"exchange_rate":{"exchange_rate":"1"}}',
    '{"explain":"yes"}',
    '{"explain":1e400}',
    '{"hash":true}',
    '{"ñ":"😀"}',
    '{"locale":"es","idioma":"es"}',
    '{"explain":{"a":"\\ud800 and so on, for more than the eighty characters that an exception shows of it"}}',
  ].flatMap((options) =>
    ['validate', 'explain', 'qr'].map((op) => [
      `${op} with ${options.slice(0, 60)}`,
      `{"op":"${op}","document":${INVOICE},"options":${options}}`,
    ]),
  ),
  ...[
    '{"environment":"moon"}',
    '{"size":0}',
    '{"size":29.5}',
    '{"size":1e21}',
    '{"size":"30"}',
    '{"quiet_zone":-1}',
    '{"quiet_zone":0.1}',
    '{"legend":5}',
    '{"legend":"none"}',
    '{"legend":false}',
    '{"font_size":0}',
    '{"font_size":1e-7}',
    '{"verifiable":null}',
    '{"quietZone":2}',
  ].map((options) => {
    const document = JSON.parse(INVOICE)
    document.invoice.header.invoice_number = 'Ñ-1/ 2+3&4%'
    document.invoice.issue_data.issue_date = '2026-03-05'
    return [
      `qr drawn with ${options}`,
      `{"op":"qr","document":${JSON.stringify(document)},"options":${options}}`,
    ]
  }),
]

const duplicates = [
  ['op twice', '{"op":"validate","op":"catalog","document":"units"}'],
  ['document twice', '{"op":"catalog","document":"units","document":"tax-groups"}'],
  ['options twice', '{"op":"catalog","document":"x","options":{"locale":"en"},"options":{"locale":"es"}}'],
  ['a known member behind an escape', '{"\\u006fp":"catalog","document":"tax-groups"}'],
  [
    'members like numbers, whose order changes',
    '{"op":"validate","document":{"b":1,"2":1,"a":1,"1":1,"10":1,"-1":1,"01":1,"4294967295":1,"4294967294":1}}',
  ],
  [
    'an invoice with a member twice',
    `{"op":"validate","document":${INVOICE.replace('"invoice":', '"invoice": null, "invoice":')}}`,
  ],
  [
    'an invoice with __proto__',
    `{"op":"validate","document":${INVOICE.replace('"invoice":', '"__proto__": {"invoice": 1}, "invoice":')}}`,
  ],
]

export const shapeCases = () => [...shapes, ...duplicates].map(([name, text]) => refused(name, text))
