/** A transaction that could not get through against others writing the same rows. */
export class RaceError extends Error {}
