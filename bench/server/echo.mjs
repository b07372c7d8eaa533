/**
 * The baseline of `POST /drafts/validate`: a server with the same framework that reads the same JSON and returns it.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.post('/echo', async (context) => context.json(await context.req.json()))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`echo http://127.0.0.1:${port}`),
)
