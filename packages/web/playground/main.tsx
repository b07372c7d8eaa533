import { render } from 'preact'
import { required } from '#core/errors/index.ts'
import { registerServiceWorker } from './offline/register-worker.ts'
import { App } from './playground-app.tsx'
import { startOf } from './start-page.ts'
import './styles/index.css'

/** Renders the page. Not a top-level `await`: the parts of the page import this module and would wait for it forever. */
async function renderPage(): Promise<void> {
  const start = await startOf(location.hash.slice(1), location.search)
  render(<App start={start} />, required(document.getElementById('app')))
  // Measures the time from navigation until the result is on the page.
  performance.measure('cuadra:first-check', { start: 0, end: performance.now() })
}

void renderPage()
registerServiceWorker()
