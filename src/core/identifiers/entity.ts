/** First letter and control character of Spanish entities (Orden EHA/451/2008). */
import { isDigit } from './id-text.ts'

/** Control letters of entities. The letter at index `c` replaces the control digit `c`. */
const ENTITY_LETTERS = 'JABCDEFGHI'

export type EntityForm = 'digit' | 'letter' | 'either'

/**
 * Form of the control character (digit, letter or either) by first letter. Source: Orden EHA/451/2008, and the NIFs
 * that the census actually assigns.
 */
export const ENTITY_FORM: Readonly<Record<string, EntityForm | undefined>> = {
  A: 'digit', // sociedad anónima
  B: 'digit', // sociedad de responsabilidad limitada
  C: 'either', // sociedad colectiva
  D: 'either', // sociedad comanditaria
  E: 'digit', // comunidad de bienes, herencia yacente
  F: 'either', // cooperativa
  G: 'either', // asociación, fundación
  H: 'digit', // comunidad de propietarios
  J: 'either', // sociedad civil
  N: 'letter', // entidad extranjera
  P: 'letter', // corporación local
  Q: 'letter', // organismo público
  R: 'letter', // congregación religiosa
  S: 'letter', // órgano del Estado o autonómico
  U: 'either', // unión temporal de empresas
  V: 'either', // otros tipos
  W: 'letter', // establecimiento permanente de no residente
}

/** Returns the control letter of the control digit. */
export const entityLetter = (control: number): string => ENTITY_LETTERS.charAt(control)

/** Returns the value of a control character, digit or letter; -1 for an invalid letter. */
export const entityControl = (character: string): number => {
  const code = character.charCodeAt(0)
  return isDigit(code) ? code - 48 : ENTITY_LETTERS.indexOf(character)
}

/**
 * Whether the control character has the form that its first letter requires. Entities not resident in Spain (province
 * code `00`) may have a letter, whatever their first letter.
 */
export const isControlFormAllowed = (id: string, form: EntityForm): boolean => {
  if (form === 'either') return true
  const digit = isDigit(id.charCodeAt(8))
  return form === 'digit' ? digit || id.startsWith('00', 1) : !digit
}
