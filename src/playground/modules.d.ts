/** What Vite makes of imports that are not code. */
declare module '*?raw' {
  const text: string
  export default text
}
declare module '*.css'
