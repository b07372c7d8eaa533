/** Vitest runs this before each test file. */
import { afterAll } from 'vitest'
import { removeFolders } from '../folders.ts'

afterAll(removeFolders)
