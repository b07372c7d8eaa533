/** Valid Spanish identifiers, built from the published formulas instead of the code under test. */
import fc from 'fast-check'

export const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
export const CIF_LETTERS = 'JABCDEFGHI'

/** First letters of entities by the form of their control character. */
export const WITH_DIGIT = 'ABEH'
export const WITH_LETTER = 'NPQRSW'
export const WITH_EITHER = 'CDFGJUV'

/** Exactly `length` digits. */
export const digits = (length: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((value) => String(value).padStart(length, '0'))

/** Control digit of an entity: 10 minus the sum of the even digits and of the doubled odd ones. */
export const cifControl = (number: string): number => {
  const parts = [...number].map(Number).map((digit, i) => (i % 2 === 1 ? digit : digit * 2))
  const sum = [...parts.join('')].reduce((total, digit) => total + Number(digit), 0)
  return (10 - (sum % 10)) % 10
}

export const dni = digits(8)
  .filter((number) => number !== '00000000')
  .map((number) => number + DNI_LETTERS[Number(number) % 23])

export const nie = fc
  .tuple(fc.constantFrom('X', 'Y', 'Z'), digits(7))
  .map(([first, number]) => first + number + DNI_LETTERS[Number('XYZ'.indexOf(first) + number) % 23])

export const klm = fc
  .tuple(fc.constantFrom('K', 'L', 'M'), digits(7), fc.boolean())
  .map(([first, number, entity]) => {
    const letter = entity ? CIF_LETTERS[cifControl(number)] : DNI_LETTERS[Number(number) % 23]
    return first + number + letter
  })

export const cif = fc
  .tuple(fc.constantFrom(...WITH_DIGIT, ...WITH_LETTER, ...WITH_EITHER), digits(7), fc.boolean())
  .map(([first, number, letter]) => {
    const control = cifControl(number)
    const asLetter = WITH_LETTER.includes(first) || (WITH_EITHER.includes(first) && letter)
    return first + number + (asLetter ? CIF_LETTERS[control] : control)
  })

/** Nine characters that look Spanish, valid about once in ten times. */
export const spanishLike = fc
  .tuple(
    fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    digits(7),
    fc.constantFrom(...'0123456789', ...DNI_LETTERS, ...'IOU'),
  )
  .map((parts) => parts.join(''))

/** The same identifier as careless people write it. */
export const untidy = (id: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('', '', ' ', '-', '.', '/', '\u00a0', '\u2011'), {
      minLength: id.length + 1,
      maxLength: id.length + 1,
    })
    .chain((gaps) => {
      const spaced = [...id].map((character, i) => gaps[i] + character).join('') + gaps[id.length]
      return fc.constantFrom(spaced, spaced.toLowerCase())
    })
