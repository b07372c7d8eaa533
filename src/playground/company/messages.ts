/** Texts of the company dialog, loaded with it. */
import { messages } from '../../parts/locale.ts'
import { COMPANY } from '../generated/texts/company.ts'

export const companyMessages = messages(COMPANY)
