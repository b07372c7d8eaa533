/** The authority's documents, cited by section, or by sheet and list of the workbook. */

/** "Validaciones": what the service checks. Its section 3.1.5 ends with note 1, on VAT numbers. */
export const validations = (section: string): string => `AEAT, validaciones 1.2.2, §${section}`

/** "Diseños de registro": which elements there are, their lengths, and the lists of values (sheet 6). */
export const design = (sheet: string): string => `AEAT, diseño de registro 1.0, hoja ${sheet}`

/** "Descripción del servicio web": messages, queries, transport. */
export const service = (section: string): string => `AEAT, servicio web 1.0.3, §${section}`

/** "Huella": what is hashed and what comes out. */
export const hashing = (section: string): string =>
  `AEAT, huella 0.1.2, §${section}; art. 13 Orden HAC/1177/2024`

/** For a code of which no section speaks: the list of errors, which belongs to this one. */
export const LISTED = `${validations('4.4')} (lista de errores)`

export const nif = (document: string): string => `${document}; arts. 18-22 RD 1065/2007`
