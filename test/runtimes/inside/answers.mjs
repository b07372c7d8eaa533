/** Runs in every runtime: requests in, answers out. */

/** The text of a request; long ones are sent as what they repeat. */
const textOf = (request) =>
  typeof request === 'string'
    ? request
    : request.before + request.repeated.repeat(request.times) + request.after

/** Returns the answer to each request. An exception is a distinct answer. */
export const answersTo = (answer, requests) =>
  requests.map((request) => {
    try {
      return answer(textOf(request))
    } catch (error) {
      return `threw ${error}`
    }
  })
