/** The program of a browser page: asks its server for requests, and brings the answers back. */
import { answersTo } from './answers.mjs'

const post = (path, value) => fetch(path, { method: 'POST', body: JSON.stringify(value) })

/** What is wrong with a page that may make code at run time: that its policy is not in force. */
function madeCode() {
  try {
    new Function('return 1')
    return true
  } catch {
    return false
  }
}

/** Says that it is ready, then answers until there is nothing more to answer. */
export async function serve(start) {
  try {
    if (madeCode()) throw new Error('the page may make code at run time: its policy is not in force')
    const answer = await start()
    await post('/ready')
    for (;;) {
      const reply = await fetch('/requests')
      if (reply.status === 204) return
      await post('/answers', answersTo(answer, await reply.json()))
    }
  } catch (error) {
    await post('/failed', String(error))
  }
}
