import DefaultTheme from 'vitepress/theme'
import './style.css'

// A default export, since VitePress reads its theme from there.
export default DefaultTheme
