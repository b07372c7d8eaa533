import { startRun } from '../../scripts/run-folder.mjs'

/** Vitest calls this before all tests, and the function that it returns after them. */
export default (): (() => Promise<void>) => startRun()
