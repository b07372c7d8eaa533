/** The top bar: examples, options of the check, sharing, printing and language. */
import { memo } from 'preact/compat'
import type { Locale, Operation } from '#engine/index.ts'
import { QuietButton } from '../parts/page-parts.tsx'
import { SiteLinks } from '../parts/top.tsx'
import type { Settings } from './assess/assess.ts'
import { EXAMPLES, exampleName } from './examples/example-list.ts'
import { useMessages } from './messages/ui.ts'
import { Logo, SelectOptions, siteRoot } from './parts/playground-parts.tsx'

interface HeaderProps {
  readonly wide: boolean
  readonly settings: Settings
  /** The operation for which the document was checked. */
  readonly operation: Operation
  /** The example that the text was loaded from, and whether the text was edited since. */
  readonly example: { readonly id: string; readonly changed: boolean } | null
  /** Name of the company; empty if no company was entered. */
  readonly companyName: string
  readonly onCompany: () => void
  readonly onSet: (changed: Partial<Settings>) => void
  readonly onExample: (id: string) => void
  readonly onShare: () => void
  readonly onOpen: () => void
  readonly onDownload: () => void
}

const OPERATIONS: readonly Operation[] = ['draft', 'issue', 'import', 'received']
const LANGUAGES: readonly (readonly [Locale, string])[] = [
  ['es', 'Español'],
  ['en', 'English'],
]

export const Header = memo(function Header(props: HeaderProps) {
  const { wide, settings, onSet, onShare } = props
  const { messages } = useMessages()
  return (
    <header class="top">
      <div class="top-name">
        <h1>
          <Logo />
        </h1>
        <p class="top-tagline">{messages.tagline}</p>
      </div>
      <Pages locale={settings.locale} />
      <div class="top-actions">
        <QuietButton onClick={onShare}>{messages.share}</QuietButton>
        <QuietButton onClick={() => print()}>{messages.print}</QuietButton>
        <fieldset class="languages">
          <legend class="visually-hidden">{messages.language}</legend>
          {LANGUAGES.map(([id, name]) => (
            <button
              key={id}
              type="button"
              lang={id}
              aria-pressed={settings.locale === id}
              onClick={() => onSet({ locale: id })}
            >
              {id.toUpperCase()}
              <span class="visually-hidden"> {name}</span>
            </button>
          ))}
        </fieldset>
      </div>
      {wide ? (
        <CheckOptions {...props} />
      ) : (
        <details class="top-more">
          <summary>{messages.options}</summary>
          <CheckOptions {...props} />
        </details>
      )}
    </header>
  )
})

/** Links to the other pages, on the server that serves this page or on the site. */
function Pages({ locale }: { readonly locale: Locale }) {
  const { messages } = useMessages()
  const root = siteRoot()
  if (root === '/') return <SiteLinks locale={locale} current="playground" root={root} />
  const home = `${root}${locale === 'es' ? 'es/' : ''}`
  return (
    <nav class="top-links">
      <a href={`${home}guides/start`}>{messages.guides}</a>
      <a href={`${home}codes/`}>{messages.codes}</a>
    </nav>
  )
}

function CheckOptions(props: HeaderProps) {
  const { settings, operation: found, companyName, example } = props
  const { onSet, onExample, onOpen, onDownload, onCompany } = props
  const { locale, messages } = useMessages()
  const { auto, ...names } = messages.operations
  const chosen = example && !example.changed ? example.id : ''
  const before = example?.changed ? exampleName(example.id)?.[locale] : undefined
  return (
    <div class="options">
      <div class="option">
        <label for="example">{messages.example}</label>
        <select id="example" value={chosen} onChange={({ currentTarget: { value } }) => onExample(value)}>
          <option value="">{before ? messages.exampleChanged(before) : messages.exampleChoose}</option>
          {EXAMPLES.map(({ title, examples }) => (
            <optgroup key={title.en} label={title[locale]}>
              <SelectOptions of={examples.map(({ id, [locale]: name }) => ({ value: id, name }))} />
            </optgroup>
          ))}
        </select>
      </div>
      <div class="option-files">
        <QuietButton onClick={onOpen}>{messages.openFile}</QuietButton>
        <QuietButton onClick={onDownload}>{messages.saveAs}</QuietButton>
        <QuietButton class="quiet company-open" onClick={onCompany}>
          {companyName ? messages.companyNamed(companyName) : messages.company}
        </QuietButton>
      </div>
      <div class="option">
        <label for="operation">{messages.operation}</label>
        <select
          id="operation"
          value={settings.operation}
          onChange={({ currentTarget: { value } }) => onSet({ operation: value as Settings['operation'] })}
        >
          <option value="auto">{auto(names[found])}</option>
          <SelectOptions of={OPERATIONS.map((operation) => ({ value: operation, name: names[operation] }))} />
        </select>
      </div>
      <div class="option">
        <label for="today">{messages.today}</label>
        <input
          id="today"
          type="date"
          value={settings.today}
          onInput={({ currentTarget: { value } }) => (value ? onSet({ today: value }) : undefined)}
        />
      </div>
      <label class="option option-check">
        <input
          type="checkbox"
          checked={settings.check}
          onChange={({ currentTarget: { checked } }) => onSet({ check: checked })}
        />
        <span>{messages.check}</span>
      </label>
    </div>
  )
}
