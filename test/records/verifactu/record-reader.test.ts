/** Tests that the fast path of reading records gives the same as the parser: records, lines and problems. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { XmlReader } from '#core/xml/index.ts'
import { xmlItems } from '#records/fiscal/xml-problems.ts'
import {
  type FiscalRecord,
  RecordReader,
  recordXml,
  submissionXml,
  XML_CODES,
} from '#records/verifactu/index.ts'
import { vocabulary } from '#records/verifactu/model/verifactu-vocabulary.ts'
import { setTo } from '../../put.ts'
import { sized } from '../../size.ts'
import { alta, anulacion, envio, evento } from './records.ts'

interface Read {
  readonly records: { readonly record: unknown; readonly line: number; readonly items: readonly unknown[] }[]
  readonly items: readonly unknown[]
}

const RECORDS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento']

/** Reads with the parser alone. */
function parsed(pieces: readonly string[]): Read {
  const records: Read['records'] = []
  const reader = new XmlReader(vocabulary(), {
    emit: [...RECORDS, 'RegistroFactura'],
    onElement: ({ name, value, line, problems }) => {
      if (RECORDS.includes(name))
        records.push({ record: { [name]: value }, line, items: xmlItems(problems, XML_CODES, 'en') })
    },
  })
  for (const piece of pieces) reader.write(piece)
  reader.close()
  return { records, items: xmlItems(reader.problems, XML_CODES, 'en') }
}

function read(pieces: readonly string[]): Read {
  const records: Read['records'] = []
  const reader = new RecordReader((reading) => records.push(reading))
  for (const piece of pieces) reader.write(piece)
  return { records, items: reader.close() }
}

/**
 * Removes the position of text outside the root: when it is noticed, and whether a later forbidden character is
 * reported first, depends on the chunks, even with the parser alone.
 */
const withoutPosition = ({ records, items }: Read): Read => ({
  records,
  items: items.map((item: any) =>
    /outside of root|disallowed character/.test(item.extra?.detail) ? item.code : item,
  ),
})

const piecesOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

const one = (record: unknown, indent = 0) => recordXml(record as FiscalRecord, { declaration: false, indent })
const named = alta(setTo('NombreRazonEmisor', 'Hijos & Cía <Ñ> €'))
const message = envio(setTo('RegistroFactura', [alta(), anulacion(), named]))
const inner = (text: string) => text.replace(/ xmlns:\w+="[^"]*"/g, '')
const FILES = [
  `<?xml version="1.0" encoding="UTF-8"?>\n<Registros>\n${[alta(), named, anulacion(), evento()].map((r) => one(r)).join('\n')}\n</Registros>`,
  `<a>${submissionXml(message, { declaration: false })}${submissionXml(message, { declaration: false, indent: 2 })}</a>`,
  `<a>${one(alta(), 2)}<!-- ${one(alta())} --> ${one(anulacion())}<![CDATA[>${one(alta())}]]>${one(evento())}</a>`,
  `<a xmlns:sf="urn:other">${inner(one(alta()))}${one(alta())}<b>${inner(one(alta()))}</b></a>`,
  `<x:a xmlns:x="urn:x">${one(alta())}${inner(one(alta()))}</x:a>${one(alta())}`,
  one(named),
  submissionXml(message, { declaration: false }).replace(
    /<(\w+:)RegistroFactura>/,
    '$&<q:RegistroEvento></q:RegistroEvento>',
  ),
  // Windows line breaks, tabs, and comments around records and in them.
  `<a>\r\n${[alta(), named, anulacion()].map((r) => one(r, 2)).join('\n')}\n</a>`.replace(/\n/g, '\r\n'),
  `<a>\r${[alta(), evento()].map((r) => one(r, 2).replace(/^ +/gm, '\t')).join('\r\t')}\n\r\n</a>`,
  `<a><!-- 1 -->${[named, alta()].map((r) => one(r, 2).replace(/<sf:T/g, '<!-- ñ & <b> -->\n<!---->$&')).join('<!-- 2 -->\n')}<!-- -- -->${one(alta())}</a>`,
  `<a>${one(alta()).replace('<sf:TipoFactura>', '<!-- x --->$&')}${one(alta())}</a>`,
  `<a>${one(alta()).replace('<sf:TipoFactura>', '<!-- </sf:RegistroAlta> -->$&')}${one(alta())}</a>`,
  // Records that only the parser reads.
  `<a>${one(alta()).replace('>F1<', '>F<!-- x -->1<')}${one(alta()).replace('>F1<', '><![CDATA[F1]]><')}</a>`,
  `<a>${one(alta())}<b/><!-- ${one(alta())} -->${one(alta())}</a>`,
  // A comment and a text whose end has only blanks before a record.
  `<a><!-- x${' '.repeat(3000)}${one(alta())} -->${one(alta())}</a>`,
  `<a>${one(alta())}x${' '.repeat(3000)}${one(alta())}</a>`,
]
const PIECES = [
  ...[
    ...['<', '>', '/', '&', '"', '=', ' ', '\n', '\r', '\t', '\r\n', 'x', ']]>', '\u0001', '\u0085'],
    ...['\ud800', '💶', '\ufeff'],
  ],
  ...[
    ...['&amp;', '&lt;', '&#65;', '&amp', '&x;', '<!--', '-->', '<!-- x -->', '<![CDATA[', '<?x?>'],
    ...['<!DOCTYPE a>', '<b/>', '</b>'],
  ],
  ...[
    '<sf:Huella>',
    '</sf:Huella>',
    '<sf:RegistroAlta>',
    '</sf:RegistroAlta>',
    '<RegistroEvento>',
    'sf:',
    'xmlns:sf="urn:x"',
  ],
  ...[
    ' xmlns="urn:y"',
    ' xmlns:sf=""',
    one(alta()),
    inner(one(alta())),
    '<sf:Signature/>',
    '<sf:NIF>1</sf:NIF>',
  ],
]

describe('the fast path of reading records', () => {
  it.each(FILES.map((file, i) => [i, file] as const))(
    'gives the same for file %i, in chunks of any size',
    (_, file) => {
      const whole = parsed([file])
      for (const size of [1, 2, 13, 700, file.length]) expect(read(piecesOf(file, size))).toEqual(whole)
    },
  )

  it('gives the same for any file with random insertions and deletions', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      taken: fc.constantFrom(0, 0, 1, 5, 40, 2000),
      put: fc.constantFrom('', ...PIECES),
    })
    fc.assert(
      fc.property(
        fc.nat(FILES.length - 1),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(7, 500, 100_000),
        (file, changes, size) => {
          let text = required(FILES[file])
          for (const { at, taken, put } of changes) {
            const position = Math.floor(at * text.length)
            text = text.slice(0, position) + put + text.slice(position + taken)
          }
          const pieces = piecesOf(text, size)
          expect(withoutPosition(read(pieces))).toEqual(withoutPosition(parsed(pieces)))
        },
      ),
      { numRuns: sized(200, 600, 50_000) },
    )
  })

  it('waits for at most the longest record', () => {
    const long = alta(setTo('DescripcionOperacion', 'x'.repeat(60_000)))
    const text = `<a>${one(alta())}${one(alta()).replace(/(<sf:DescripcionOperacion>)[^<]*/, `$1${(long).RegistroAlta.DescripcionOperacion}`)}${one(alta())}</a>`
    for (const size of [1000, text.length]) expect(read(piecesOf(text, size))).toEqual(parsed([text]))
    expect(read([text]).records).toHaveLength(3)
  })
})
