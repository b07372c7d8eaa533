/** Texts of the output tab, loaded with it. */
import { messages } from '../../parts/locale.ts'
import { OUTPUT } from '../generated/texts/output.ts'

export const outputMessages = messages(OUTPUT)
