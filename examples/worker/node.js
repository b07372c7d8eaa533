// Runs the worker behind Node's HTTP server: translates requests and responses.
import { createServer } from 'node:http'
import worker from './worker.js'

/** Keeps the stream: if it is destroyed, Node closes the connection before the client reads that the body is too large. */
const bodyOf = (incoming) =>
  ['GET', 'HEAD'].includes(incoming.method)
    ? null
    : ReadableStream.from(incoming.iterator({ destroyOnReturn: false }))

const answer = async (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const request = new Request(`http://localhost${url}`, { method, headers, body: bodyOf(incoming), duplex: 'half' })
  const response = await worker.fetch(request)
  // The rest of the body is not read.
  if (!incoming.complete) outgoing.setHeader('Connection', 'close')
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

const server = createServer((incoming, outgoing) => {
  // Not a request of the Fetch standard: CONNECT and TRACE, or an invalid address.
  answer(incoming, outgoing).catch(() => outgoing.writeHead(400, { Connection: 'close' }).end())
})
server.listen(Number(process.env.PORT ?? 8787), () => console.log(`http://localhost:${server.address().port}`))
