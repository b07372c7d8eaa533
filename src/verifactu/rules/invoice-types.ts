/** The invoice types of the record design, by what goes with them. */

/** Types that name their recipient. */
export const WITH_RECIPIENT: readonly string[] = ['F1', 'F3', 'R1', 'R2', 'R3', 'R4']
/** Simplified invoices, and full ones that need not name their recipient. */
export const WITHOUT_RECIPIENT: readonly string[] = ['F2', 'R5']

const TYPES = [...WITH_RECIPIENT, ...WITHOUT_RECIPIENT]

/** True for a type of the list that is none of these. What goes with an unknown type cannot be told. */
export const isOtherThan = (type: string, allowed: readonly string[]): boolean =>
  TYPES.includes(type) && !allowed.includes(type)

export const CORRECTIVE: readonly string[] = ['R1', 'R2', 'R3', 'R4', 'R5']
