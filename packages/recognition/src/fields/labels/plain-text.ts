/** Plain text: lower case without accents. */

const MARKS = /[\u0300-\u036f]/g

const plainLetter = (letter: string): string => {
  const plain = letter.normalize('NFD').replace(MARKS, '').toLowerCase()
  return plain.length === letter.length ? plain : letter
}

/** Returns the text in lower case without accents, with the same length. */
export const plainOf = (text: string): string => text.replace(/[^ -~]|[A-Z]/g, plainLetter)
