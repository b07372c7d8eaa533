/** HTTP headers and bodies, and reading of requests, shared by the edge handler and the server. */
export { lineCountOf, MAX_EXPLAINED_LINES } from '../request/limits.ts'
export { parseJson } from '../request/read.ts'
export { refusal } from '../request/refusal.ts'
export { isIdentity, isJsonType } from './content.ts'
export { etagOf, isKnown } from './etag.ts'
export { languageOf } from './preferences.ts'
export { positionOfInvalidByte, textOf } from './utf8.ts'
