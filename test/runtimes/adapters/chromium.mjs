/** Chromium: a page of a server on this machine, with a policy under which it may make no code and load nothing else. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { hasSet, howToHave, requireFrom } from '../../../scripts/dev-packages.mjs'
import { bundleOf } from '../run/bundle.mjs'
import { notFound, starts, WASM, WASM_SAMPLE, wasmMissing } from '../run/missing.mjs'

const PROGRAMS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const program = () =>
  process.env.CUADRA_TEST_BARE === '1'
    ? undefined
    : PROGRAMS.find((path) => path && existsSync(path) && starts(path))

function missing() {
  if (!hasSet('browser')) return notFound('playwright-core', howToHave('browser'))
  return program() ? undefined : notFound('chromium', 'install it, or set CHROMIUM to its path')
}

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>cuadra</title><script type="module" src="/program.mjs"></script>'

const policy = (wasm) => {
  const scripts = wasm ? "'self' 'wasm-unsafe-eval'" : "'self'"
  return `default-src 'none'; script-src ${scripts}; connect-src 'self'`
}

/** The server of the page; `next` gives the requests to answer, `report` receives what the page posts. */
function serverOf(source, wasm, next, report) {
  const files = {
    '/': ['text/html', () => PAGE],
    '/program.mjs': ['text/javascript', () => source],
    '/cuadra.wasm': ['application/wasm', () => readFileSync(WASM)],
  }
  return createServer(async (request, response) => {
    const file = files[request.url]
    if (file) {
      response.writeHead(200, { 'content-type': file[0], 'content-security-policy': policy(wasm) })
      response.end(file[1]())
    } else if (request.url === '/requests') {
      const requests = await next()
      if (requests === undefined) response.writeHead(204).end()
      else response.end(JSON.stringify(requests))
    } else if (request.method === 'POST') {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      response.end()
      report(request.url, body)
    } else response.writeHead(404).end()
  })
}

/** A value that one side waits for and the other side gives. */
function rendezvous() {
  let done
  let failed
  const promise = new Promise((resolve, reject) => {
    done = resolve
    failed = reject
  })
  promise.catch(() => {})
  return { promise, done, failed }
}

const start = (name, wasm) => async () => {
  const source = await bundleOf(name)
  const ready = rendezvous()
  let asked = rendezvous()
  let answered
  const fail = (reason) => {
    const error = new Error(reason)
    ready.failed(error)
    answered?.failed(error)
  }
  const next = async () => {
    const requests = await asked.promise
    asked = rendezvous()
    return requests
  }
  const server = serverOf(source, wasm, next, (path, body) => {
    if (path === '/ready') ready.done()
    else if (path === '/answers') answered.done(JSON.parse(body))
    else fail(body)
  })
  await new Promise((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))

  const { chromium } = requireFrom('browser')('playwright-core')
  let browser
  const stop = async () => {
    asked.done(undefined)
    await browser?.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  try {
    browser = await chromium.launch({
      executablePath: program(),
      args: ['--disable-dev-shm-usage'],
      // The caller of the suite stops it.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    const page = await browser.newPage()
    page.on('pageerror', (error) => fail(error.message))
    page.on('crash', () => fail('the page crashed'))
    browser.on('disconnected', () => fail('the browser ended'))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await ready.promise
  } catch (error) {
    await stop()
    throw error
  }
  return {
    version: browser.version(),
    answers(requests) {
      answered = rendezvous()
      asked.done(requests)
      return answered.promise
    },
    stop,
  }
}

export default [
  { name: 'chromium', missing, start: start('page-javascript.mjs', false) },
  {
    name: 'wasm-chromium',
    wasm: true,
    sample: WASM_SAMPLE,
    missing: () => missing() ?? wasmMissing(),
    start: start('page-wasm.mjs', true),
  },
]
