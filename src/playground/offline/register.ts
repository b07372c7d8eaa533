/** Asks the browser to keep the site. Where it cannot (no https, private windows), the site works all the same. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => navigator.serviceWorker.register('./service-worker.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
