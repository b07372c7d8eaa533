/** Rules for the hashes of a record: their form, and whether the record's own hash matches its fields. */

import { hashOf, hashTextOf } from '../model/hash.ts'
import { design, ERROR_LIST, hashing, validations } from '../model/laws.ts'
import { type AuthorityCode, offline } from './check-declaration.ts'
import { linkChecks } from './link-checks.ts'

/** Number of hexadecimal digits of a SHA-256. */
const LENGTH = 64

const lengthOf = (text: string): number => [...text].length
const isAlphanumeric = (text: string): boolean => /^[0-9A-Za-z]*$/.test(text)

/** Whether a text can be a hash. */
const isComparable = (text: string): boolean => text.length === LENGTH && isAlphanumeric(text)

type HashFault = 'length' | 'characters' | 'digits'

/** Returns the fault in the form of a hash; undefined if it is valid or the schema already refuses it. */
function formFault(text: string | undefined): HashFault | undefined {
  if (text === undefined || lengthOf(text) > LENGTH) return undefined
  if (!isAlphanumeric(text)) return 'characters'
  if (text.length < LENGTH) return 'length'
  return /^[0-9A-F]*$/.test(text) ? undefined : 'digits'
}

const OWN = ['/Huella', '/Evento/HuellaEvento']
const PREVIOUS = [
  '/Encadenamiento/RegistroAnterior/Huella',
  '/Evento/Encadenamiento/EventoAnterior/HuellaEvento',
]

const own = (fault: HashFault) =>
  linkChecks(({ own: { path, text } }, fail) => {
    if (formFault(text) === fault) fail(path, { received: text })
  })

const previous = (fault: HashFault) =>
  linkChecks(({ previous: { path, text } }, fail) => {
    if (formFault(text) === fault) fail(path, { received: text })
  })

const FORM = {
  en: 'Send the SHA-256 as 64 upper-case hexadecimal digits.',
  es: 'Envíe el SHA-256 en 64 dígitos hexadecimales en mayúsculas.',
}
const COPY = {
  en: 'Copy the previous record’s hash as it is in that record.',
  es: 'Copie la huella del registro anterior tal como figura en él.',
}

export const HASH_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1262,
    field: 'Huella',
    law: hashing('5'),
    en: ['The record’s hash does not have 64 characters: "{received}".', FORM.en],
    es: ['La huella del registro no tiene 64 caracteres: «{received}».', FORM.es],
    structure: ({ location, kind }) => OWN.includes(location) && kind === 'length',
    ...own('length'),
  }),
  offline({
    code: 1292,
    field: 'Huella',
    law: hashing('5'),
    en: ['The record’s hash has characters other than letters and digits: "{received}".', FORM.en],
    es: ['La huella del registro contiene caracteres que no son letras ni cifras: «{received}».', FORM.es],
    structure: ({ location, kind }) => OWN.includes(location) && kind === 'character',
    ...own('characters'),
  }),
  offline({
    code: 1291,
    field: 'Encadenamiento/RegistroAnterior/Huella',
    law: design('2'),
    en: ['The previous record’s hash has characters other than letters and digits: "{received}".', COPY.en],
    es: [
      'La huella del registro anterior contiene caracteres que no son letras ni cifras: «{received}».',
      COPY.es,
    ],
    structure: ({ location, kind }) => PREVIOUS.includes(location) && kind === 'character',
    ...previous('characters'),
  }),
  offline({
    code: 2002,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Encadenamiento/RegistroAnterior/Huella',
    law: validations('3.1.3.18'),
    en: ['The previous record’s hash does not have 64 characters: "{received}".', COPY.en],
    es: ['La huella del registro anterior no tiene 64 caracteres: «{received}».', COPY.es],
    ...previous('length'),
  }),
  offline({
    code: 2003,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Encadenamiento/RegistroAnterior/Huella',
    law: validations('3.1.3.18'),
    en: ['The previous record’s hash has characters other than 0 to 9 and A to F: "{received}".', COPY.en],
    es: [
      'La huella del registro anterior tiene caracteres distintos de 0 a 9 y A a F: «{received}».',
      COPY.es,
    ],
    ...previous('digits'),
  }),
  offline({
    code: 2008,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Encadenamiento/RegistroAnterior/Huella',
    law: ERROR_LIST,
    en: ['The hash sent as the previous record’s is the record’s own hash.', COPY.en],
    es: ['La huella enviada como la del registro anterior es la del propio registro.', COPY.es],
    ...linkChecks((link, fail) => {
      if (isComparable(link.own.text) && link.previous.text === link.own.text)
        fail(link.previous.path, { received: link.previous.text })
    }),
  }),
  offline({
    code: 2000,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Huella',
    law: hashing('3'),
    en: [
      'The record’s hash is {received}, but the hash of its fields is {expected}.',
      'Compute it again over the fields exactly as they are sent.',
    ],
    es: [
      'La huella del registro es {received}, pero la huella de sus campos es {expected}.',
      'Calcúlela de nuevo sobre los campos tal como se envían.',
    ],
    ...linkChecks(({ whole, around, own: { path, text: received }, previous: { text }, first }, fail) => {
      // The hash of a record marked both as first and as following another is not defined. A hash equal to that of the
      // previous record has code 2008.
      if (!isComparable(received) || received === text || (first.text !== undefined && text !== undefined))
        return
      const expected = hashOf(whole, around.hash)
      if (expected !== received) fail(path, { expected, received, hashed_text: hashTextOf(whole) })
    }),
  }),
]
