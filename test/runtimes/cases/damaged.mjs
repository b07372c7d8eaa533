/** A request that was cut off, or in which a character is another one. */
import { INVOICE } from './invoice.mjs'
import { randomOf, refused } from './request.mjs'

/** An invoice cut off at places spread over it, and one with a character exchanged. */
function damaged() {
  const whole = `{"op":"validate","document":${INVOICE.trim()}}`
  const random = randomOf(5)
  const characters = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    '\\',
    '/',
    '\n',
    '\r',
    '\t',
    '0',
    '-',
    'e',
    '.',
    'ñ',
    '\u0000',
  ]
  const cut = Array.from({ length: 60 }, (_, at) => Math.floor(((at + random()) * whole.length) / 60))
  return [
    ...cut.map((at) => [`cut after ${at}`, whole.slice(0, at)]),
    ...Array.from({ length: 140 }, () => {
      const at = Math.floor(random() * whole.length)
      const other = characters[Math.floor(random() * characters.length)]
      const taken = random() < 0.5 ? 1 : 0
      return [
        `${JSON.stringify(other)} ${taken ? 'instead of' : 'before'} ${JSON.stringify(whole[at])} at ${at}`,
        whole.slice(0, at) + other + whole.slice(at + taken),
      ]
    }),
  ]
}

export const damagedCases = () => damaged().map(([name, text]) => refused(name, text))
