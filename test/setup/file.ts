/** Vitest runs this before each test file. */
import { afterAll } from 'vitest'
import { endFile } from '../folders.ts'

afterAll(endFile)
