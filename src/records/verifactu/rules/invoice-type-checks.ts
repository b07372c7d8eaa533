/** The invoice types of the record design, grouped by their requirements. */

/** Types that require a recipient. */
export const WITH_RECIPIENT: readonly string[] = ['F1', 'F3', 'R1', 'R2', 'R3', 'R4']
/** Simplified invoices (F2) and their corrective invoices (R5), which must not have a recipient. */
export const WITHOUT_RECIPIENT: readonly string[] = ['F2', 'R5']

const KNOWN_TYPES = [...WITH_RECIPIENT, ...WITHOUT_RECIPIENT]

/** Whether a type is known but not one of the allowed types. Unknown types have a separate code. */
export const isKnownTypeOutside = (type: string, allowed: readonly string[]): boolean =>
  KNOWN_TYPES.includes(type) && !allowed.includes(type)

export const CORRECTIVE: readonly string[] = ['R1', 'R2', 'R3', 'R4', 'R5']
