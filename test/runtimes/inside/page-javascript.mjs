/** The page with the engine in JavaScript. */
import { answer } from '../../../dist/request/index.js'
import { serve } from './page.mjs'

serve(async () => answer)
