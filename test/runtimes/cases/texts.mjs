/** Texts that parsers and encoders treat differently, at every place of a request that an answer repeats. */
import { INVOICE } from './invoice.mjs'
import { refused } from './request.mjs'

/** Strings that are echoed: by an unknown op and by an unknown catalog. */
const TEXTS = [
  ['NUL', '"a\\u0000b"'],
  [
    'every control character',
    `"${Array.from({ length: 32 }, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}"`,
  ],
  ['DEL and C1', '"\u007f\u0080\u0085\u009f\u00a0\u00ad"'],
  ['separators', '"\u2028\u2029\\u2028\\u2029\u200b\u200d\ufeff\ufffe\uffff"'],
  ['escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u00E9"'],
  ['emoji', '"😀👩‍👩‍👧‍👦🇪🇸\\ud83d\\ude00"'],
  ['a high surrogate alone', '"a\\ud800b"'],
  ['a low surrogate alone', '"a\\udc00b"'],
  ['surrogates the wrong way round', '"\\udc00\\ud800"'],
  ['a high surrogate at the end', '"\\ud83d"'],
  ['two high ones and a low one', '"\\ud83d\\ud83d\\ude00"'],
  ['a high surrogate, unescaped', '"a\ud800b"'],
  ['a low surrogate, unescaped', '"\udc00"'],
  ['half escaped, half not', '"\ud83d\\ude00"'],
  ['composed and decomposed', '"ñ n\u0303 é e\u0301 \u1e9b\u0323"'],
  ['right to left', '"\u202eabc\u202c שלום مرحبا"'],
  ['Turkish and German letters', '"İıŞß ẞ ſ K Å"'],
  ['astral letters', '"𝒞𝓊𝒶𝒹𝓇𝒶 𠮷野家"'],
  ['placeholders', '"{received} {allowed} $& $1 $`"'],
]
const texts = TEXTS.flatMap(([name, text]) => [
  [`${name}, as op`, `{"op":${text},"document":1}`],
  [`${name}, as catalog`, `{"op":"catalog","document":${text},"options":{"locale":"es"}}`],
  [`${name}, as member`, `{"op":"catalog","document":"units",${text}:1}`],
  [
    `${name}, in an invoice`,
    `{"op":"validate","document":${INVOICE.replace(/"name": "[^"]*"/, () => `"name": ${text}`).replace(/"item_description": "[^"]*"/, () => `"item_description": ${text}, ${text}: 1`)}}`,
  ],
])

export const textCases = () => texts.map(([name, text]) => refused(name, text))
