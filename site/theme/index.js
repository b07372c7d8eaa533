import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './tokens.css'
import './style.css'

const NotFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'Page not found'),
    h('p', [
      'There is no page at this address. Search for it, or begin at the ',
      h('a', { href: '/' }, 'home page'),
      '.',
    ]),
  ])

const Layout = () => h(DefaultTheme.Layout, null, { 'not-found': NotFound })

// A default export, since VitePress reads its theme from there.
export default { extends: DefaultTheme, Layout }
