import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, onMounted, ref } from 'vue'
import './tokens.css'
import './style.css'

const TEXTS = {
  en: [
    'Page not found',
    'There is no page at this address. Search for it, or begin at the ',
    'home page',
    '/',
  ],
  es: [
    'Página no encontrada',
    'No hay ninguna página en esta dirección. Búsquela, o empiece por el ',
    'inicio',
    '/es/',
  ],
}

/** The same file is served for every unknown address, so the language is known only in the browser. */
const NotFound = {
  setup() {
    const locale = ref('en')
    onMounted(() => {
      if (location.pathname.startsWith('/es/')) locale.value = 'es'
    })
    return () => {
      const [title, text, home, href] = TEXTS[locale.value]
      return h('main', { class: 'not-found', lang: locale.value }, [
        h('h1', title),
        h('p', [text, h('a', { href }, home), '.']),
      ])
    }
  },
}

const Layout = () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) })

// A default export, since VitePress reads its theme from there.
export default { extends: DefaultTheme, Layout }
