/** A text without NUL, which no store takes; and one in which something stands. */
export const STORABLE = '^[^\\u0000]*$'
export const NOT_BLANK = '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$'
