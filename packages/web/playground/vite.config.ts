/** Build of the playground: `npx vite build --config packages/web/playground/vite.config.ts`. */
import { defineConfig } from 'vite'
import site from '#core/site/site.json' with { type: 'json' }
import { precachePlugin } from './offline/precache.ts'

process.env.CUADRA_SITE ??= site.address ?? '/'

const here = new URL('.', import.meta.url).pathname

// Vite requires a default export.
export default defineConfig({
  root: here,
  // Addresses are relative, so that the site works in any folder of any server.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: new URL('../../../dist/playground', import.meta.url).pathname,
    emptyOutDir: true,
    target: 'es2022',
    // Every browser with modules preloads these files without the polyfill.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: `${here}index.html`, 'service-worker': `${here}offline/service-worker.ts` },
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        // The initial page is one file, which compresses better than a dozen files. The service worker is separate.
        codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], test: /^(?!.*service-worker)/ }] },
      },
    },
  },
  // The page reads `CUADRA_SITE`, the address of the site with a page for each code. Default: the server of the page.
  envPrefix: 'CUADRA_SITE',
  plugins: [precachePlugin()],
})
