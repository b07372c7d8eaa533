/** Texts of the company dialog, loaded with it. */
import { messagesByLocale } from '../../parts/locale.ts'
import { COMPANY } from '../generated/texts/company.ts'

export const companyMessages = messagesByLocale(COMPANY)
