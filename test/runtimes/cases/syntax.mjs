/**
 * Texts at the edge of JSON (RFC 8259), each by itself, as op and as document: parsers differ most in what they let
 * pass, and a fault must be named at the same place by every engine. The texts are in `syntax.json`.
 */
import { readFileSync } from 'node:fs'
import { refused } from './request.mjs'

const VALUES = Object.values(JSON.parse(readFileSync(new URL('syntax.json', import.meta.url), 'utf8'))).flat()

/** The line and column are counted in UTF-16 units and over every kind of line end. */
const PLACES = [
  '{\n  "op": "catalog",\n  "document": x\n}',
  '{\r\n  "op": "catalog",\r\n  "document": x\r\n}',
  '{\r  "op": "catalog",\r  "document": x\r}',
  '{"op": "ñ€😀",\n "é": "😀😀😀", x}',
  '{"\u2028op": 1,\u2028 x}',
  '\n\n\n  [1,\n 2,\n   ]',
  '{"op": "a",\n\n\n "b": "unclosed\n}',
  '\ufeff{"op":"catalog","document":"units"}',
]

export const syntaxCases = () => [
  ...VALUES.flatMap((text) => [
    refused(`text ${JSON.stringify(text)}`, text),
    refused(`op ${JSON.stringify(text)}`, `{"document":1,"op":${text}}`),
    refused(`document ${JSON.stringify(text)}`, `{"op":"catalog","document":\n ${text} }`),
  ]),
  ...PLACES.map((text) => refused(`place ${JSON.stringify(text)}`, text)),
]
