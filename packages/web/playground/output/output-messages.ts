/** Texts of the output tab, loaded with it. */
import { messagesByLocale } from '../../parts/locale.ts'
import { OUTPUT } from '../generated/texts/output.ts'

export const outputMessages = messagesByLocale(OUTPUT)
