/** What Vite makes of imports that are not code. */
declare module '*?raw' {
  const text: string
  export default text
}
declare module '*.css'
interface ImportMeta {
  /** Files that match a pattern, each loaded when its function is called. */
  glob<T>(
    pattern: string,
    options: { readonly import: 'default' },
  ): Readonly<Record<string, () => Promise<T>>>
}
