/** The data of a company for tests that open the store themselves. */
import { readCompany } from '../src/service/company/company-files.ts'

export const companyData = (changes: object = {}) =>
  readCompany({
    legal_name: 'Empresa de Pruebas, S.L.',
    tax_id: 'B12345674',
    person_type_code: 'J',
    verified: true,
    address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
    ...changes,
  })
