/**
 * Inserts the address of the pages of the codes into a page at build time: the site of `src/site/site.json`, or else the
 * server that serves the page.
 */
import { readFileSync } from 'node:fs'

const { address } = JSON.parse(readFileSync(new URL('../src/site/site.json', import.meta.url), 'utf8'))

/** Vite plugin. `CUADRA_SITE=../` is for a page published on the site at `/playground/`. */
export const siteAddress = {
  name: 'cuadra-site-address',
  transformIndexHtml: (html) => html.replace('%CUADRA_SITE%', process.env.CUADRA_SITE ?? address ?? '/'),
}
