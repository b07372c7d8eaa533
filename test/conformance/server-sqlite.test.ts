/** The conformance suite on the embedded database. @slowest */
import { describe } from 'vitest'
import { conformance } from './suite.ts'

describe('the server on its embedded database', () => conformance('sqlite'))
