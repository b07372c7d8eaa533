import { stopAllPostgres } from './postgres.ts'

/** Vitest calls this once all tests have run. */
export const teardown = (): void => stopAllPostgres()
