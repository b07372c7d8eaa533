// The worker behind Node's own HTTP server: requests and answers are translated, nothing else.
import { createServer } from 'node:http'
import worker from './worker.js'

/** Node ends the connection when its stream is destroyed; then nobody would read why the body was too large. */
const bodyOf = (incoming) =>
  ['GET', 'HEAD'].includes(incoming.method)
    ? null
    : ReadableStream.from(incoming.iterator({ destroyOnReturn: false }))

const answer = async (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const request = new Request(`http://localhost${url}`, { method, headers, body: bodyOf(incoming), duplex: 'half' })
  const response = await worker.fetch(request)
  // Who still sends is not listened to any more.
  if (!incoming.complete) outgoing.setHeader('Connection', 'close')
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

const server = createServer((incoming, outgoing) => {
  // What is no request of the Fetch standard: CONNECT and TRACE, or an address that is none.
  answer(incoming, outgoing).catch(() => outgoing.writeHead(400, { Connection: 'close' }).end())
})
server.listen(Number(process.env.PORT ?? 8787), () => console.log(`http://localhost:${server.address().port}`))
