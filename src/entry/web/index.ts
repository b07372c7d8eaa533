/** HTTP headers and bodies, and reading of requests, shared by the edge handler and the server. */

export { parseJson } from '../request/read-json.ts'
export { refusal } from '../request/refusal.ts'
export { lineCountOf, MAX_EXPLAINED_LINES } from '../request/request-limits.ts'
export { isIdentity, isJsonType } from './content-headers.ts'
export { etagOf, isKnown } from './etag.ts'
export { languageOf } from './preferences.ts'
export { positionOfInvalidByte, textOf } from './utf8.ts'
