/** The program of workerd: a JSON list of requests in, a JSON list of answers out. */
import { answer } from '../../../dist/request/index.js'
import { answersTo } from './answers.mjs'

export default {
  fetch: async (request) => Response.json(answersTo(answer, await request.json())),
}
