import DefaultTheme from 'vitepress/theme-without-fonts'
import './tokens.css'
import './style.css'

// A default export, since VitePress reads its theme from there.
export default DefaultTheme
