import { stopAllPostgres } from './postgres.ts'

/** Vitest calls this after all tests. */
export const teardown = (): void => stopAllPostgres()
