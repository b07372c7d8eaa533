/** Runs in every runtime: requests in, answers out. */

/** The text of a request; long ones are sent as what they repeat. */
const textOf = (request) =>
  typeof request === 'string'
    ? request
    : request.before + request.repeated.repeat(request.times) + request.after

/** The answer to each request. A throw is an answer too: one that nobody else gives. */
export const answersTo = (answer, requests) =>
  requests.map((request) => {
    try {
      return answer(textOf(request))
    } catch (error) {
      return `threw ${error}`
    }
  })
