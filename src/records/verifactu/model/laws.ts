/** Citations of the authority's documents: by section or, in the record design, by sheet and list. */

/** Returns the citation of a section of the AEAT document "Validaciones", the checks of the service. Section 3.1.5 ends with note 1, on VAT numbers. */
export const validations = (section: string): string => `AEAT, validaciones 1.2.2, §${section}`

/** Returns the citation of a sheet of the AEAT "Diseños de registro": elements, their lengths, and lists of values (sheet 6). */
export const design = (sheet: string): string => `AEAT, diseño de registro 1.0, hoja ${sheet}`

/** Returns the citation of a section of the AEAT "Descripción del servicio web": messages, queries, transport. */
export const service = (section: string): string => `AEAT, servicio web 1.0.3, §${section}`

/** "Huella": the hashed text and its hash. */
export const hashing = (section: string): string =>
  `AEAT, huella 0.1.2, §${section}; art. 13 Orden HAC/1177/2024`

/** Citation of the AEAT list of errors, for a code that no section mentions. */
export const ERROR_LIST = `${validations('4.4')} (lista de errores)`

export const nifLawWith = (document: string): string => `${document}; arts. 18-22 RD 1065/2007`
