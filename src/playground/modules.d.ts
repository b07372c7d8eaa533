/** What Vite makes of imports that are not code. */
declare module '*?raw' {
  const text: string
  export default text
}
declare module '*.css'
interface ImportMeta {
  /** The content of files that match the patterns, part of the module. */
  glob<T>(
    patterns: readonly string[],
    options: { readonly import: 'default'; readonly query?: '?raw'; readonly eager: true },
  ): Readonly<Record<string, T>>
  /** Files that match a pattern, each loaded when its function is called. */
  glob<T>(
    pattern: string,
    options: { readonly import: 'default' },
  ): Readonly<Record<string, () => Promise<T>>>
}
