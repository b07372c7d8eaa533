/** The bar at the top of the pages of the server: its name, and links to the other pages. */
import type { ComponentChildren } from 'preact'
import type { Locale } from './locale.ts'

export type Page = 'playground' | 'reference' | 'status' | 'codes'

interface Link {
  readonly page: Page
  readonly path: string
  readonly name: Readonly<Record<Locale, string>>
}

const LINKS: readonly Link[] = [
  { page: 'playground', path: './', name: { en: 'Playground', es: 'Página de pruebas' } },
  { page: 'reference', path: './docs', name: { en: 'API', es: 'API' } },
  { page: 'status', path: './status', name: { en: 'Status', es: 'Estado' } },
  { page: 'codes', path: './codes', name: { en: 'Codes', es: 'Códigos' } },
]

interface LinksProps {
  readonly locale: Locale
  /** The page that contains the bar. */
  readonly current: Page
  /** Path from the page to the root of the server, such as `../`. */
  readonly root?: string
}

export const SiteLinks = ({ locale, current, root = './' }: LinksProps) => (
  <nav class="top-links" aria-label={locale === 'es' ? 'Páginas' : 'Pages'}>
    {LINKS.map(({ page, path, name }) => (
      <a
        key={page}
        href={root + (page === 'codes' && locale === 'es' ? 'es/codes' : path.slice(2))}
        aria-current={page === current ? 'page' : undefined}
      >
        {name[locale]}
      </a>
    ))}
  </nav>
)

interface TopProps extends LinksProps {
  /** Content at the right, such as the choice of the language. */
  readonly children?: ComponentChildren
}

export const SiteHeader = ({ children, ...links }: TopProps) => (
  <header class="top">
    <div class="top-inner">
      <a class="brand" href={links.root ?? './'}>
        cuadra
      </a>
      <SiteLinks {...links} />
      {children}
    </div>
  </header>
)
