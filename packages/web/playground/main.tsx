import { render } from 'preact'
import { required } from '#core/errors/index.ts'
import { App } from './app.tsx'
import { registerServiceWorker } from './offline/register.ts'
import { startOf } from './start.ts'
import './styles/index.css'

const start = await startOf(location.hash.slice(1), location.search)
render(<App start={start} />, required(document.getElementById('app')))
// Measures the time from navigation until the result is on the page.
performance.measure('cuadra:first-check', { start: 0, end: performance.now() })
registerServiceWorker()
