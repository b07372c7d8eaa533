export { SiteHeader } from './top.tsx'
