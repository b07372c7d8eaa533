/** The packages as strangers meet them: what is in them, in empty projects, as a server, in a container, as an action. */
import { afterAll } from 'vitest'
import './contents.ts'
import './projects.ts'
//S
//C
//A
import { removeFolder } from './packing.ts'

afterAll(removeFolder)
