/** Files of `../shared` beside the repository: the contract and the reference. Where it is absent, tests are skipped. */

/** Returns the address of a file of `../shared`, such as `reference/sii/sii.md`. It need not exist. */
export const shared = (path: string): URL => new URL(`../../shared/${path}`, import.meta.url)
