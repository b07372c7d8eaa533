/** Panels of the output tab. Each contains a text to read, copy or download. */
import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { QuietButton } from '../../parts/page-parts.tsx'
import { downloadFile } from '../interchange/save-file.ts'
import { useMessages } from '../messages/ui.ts'
import { qrOf } from '../paper/paper-qr.ts'
import { useCopy } from '../parts/hooks.ts'
import { HighlightedText } from './colours.tsx'
import { outputMessages } from './output-messages.ts'
import { siiOf, timestampFor, verifactuOf } from './output-records.ts'
import type { OutputProps } from './props.ts'
import { Provenance, RefusalProblems } from './reasons.tsx'

export const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'

interface FileNameProps {
  /** File name without extension. */
  readonly name: string
}

/** The timestamp of the record. All panels share it, because the hash depends on it. */
export interface RecordTimestamp {
  readonly now: number
  readonly take: () => void
}

function CodePanels({
  hash,
  name,
  ...props
}: OutputProps & { readonly hash: string; readonly name: string }) {
  const { assessment, settings } = props
  const { locale, messages } = useMessages()
  const own = outputMessages[locale]
  const result = useMemo(
    () => qrOf(assessment, locale, settings.company.verifactu !== 'no'),
    [assessment, locale, settings.company.verifactu],
  )
  return (
    <>
      <Panel
        title={own.hashTitle}
        note={own.hashNote}
        text={hash}
        file={`${name}-hash.txt`}
        type="text/plain"
        line
      />
      {'qr' in result ? (
        <Panel
          title={own.qrTitle}
          note={own.qrNote}
          text={result.qr.content}
          file={`${name}-qr.svg`}
          type="image/svg+xml"
          saved={result.qr.svg}
          line
        >
          <img
            class="artifact-qr"
            src={`data:image/svg+xml,${encodeURIComponent(result.qr.svg)}`}
            alt={messages.qrAlt}
          />
        </Panel>
      ) : (
        <p class="note">{result.reason}</p>
      )}
    </>
  )
}

export function SiiPanels({ assessment, settings, plain, name }: OutputProps & { readonly name: string }) {
  const { locale } = useMessages()
  const own = outputMessages[locale]
  const received = assessment.operation === 'received'
  const result = useMemo(() => siiOf(assessment.data!, settings, received), [assessment, settings, received])
  if (!result.ok) return <RefusalProblems items={result.items} plain={plain} />
  const note = received ? own.siiReceived : own.siiIssued
  return (
    <>
      <Panel
        title={own.siiTitle}
        note={note}
        text={result.record}
        file={`${name}-sii.json`}
        type={JSON_TYPE}
      />
      {result.xml === null ? null : (
        <Panel title={own.siiXmlTitle} note="" text={result.xml} file={`${name}-sii.xml`} type={XML_TYPE} />
      )}
    </>
  )
}

/** The VeriFactu record, its XML, or its hash and QR code. */
export function RecordPanels({
  kind,
  name,
  time,
  ...props
}: OutputProps &
  FileNameProps & { readonly kind: 'record' | 'xml' | 'code'; readonly time: RecordTimestamp }) {
  const { assessment, settings, plain } = props
  const own = outputMessages[useMessages().locale]
  const timestamp = timestampFor(settings.today, time.now)
  const result = useMemo(
    () => verifactuOf(assessment.data!, settings, timestamp),
    [assessment.data, settings, timestamp],
  )
  if (assessment.operation === 'received') return <p class="note">{own.received}</p>
  const provenance = <Provenance {...props} timestamp={timestamp} onAgain={time.take} />
  if (!result.ok)
    return (
      <>
        <RefusalProblems items={result.items} plain={plain} />
        {provenance}
      </>
    )
  const { record, xml, hash } = result
  return (
    <>
      {kind === 'record' ? (
        <Panel
          title={own.recordTitle}
          note={own.recordNote}
          text={record}
          file={`${name}-verifactu.json`}
          type={JSON_TYPE}
        />
      ) : kind === 'xml' ? (
        <Panel
          title={own.xmlTitle}
          note={own.xmlNote}
          text={xml}
          file={`${name}-verifactu.xml`}
          type={XML_TYPE}
        />
      ) : (
        <CodePanels {...props} hash={hash} name={name} />
      )}
      {provenance}
    </>
  )
}

/** Maximum number of characters shown, because longer texts slow the page down. */
const MAX_SHOWN = 200_000

interface PanelProps {
  readonly title: string
  readonly note: string
  readonly text: string
  readonly file: string
  readonly type: string
  /** Content of the download, if it differs from the text. */
  readonly saved?: string
  /** Whether the text is a single line. */
  readonly line?: boolean
  /** The value shown, and the document from which it was calculated. */
  readonly compared?: { readonly value: unknown; readonly given: unknown }
  readonly children?: ComponentChildren
}

export function Panel(props: PanelProps) {
  const { title, note, text, file, type, saved = text, line = false, compared, children } = props
  const own = outputMessages[useMessages().locale]
  const shown = useRef<HTMLPreElement & HTMLParagraphElement>(null)
  const { copied, copy } = useCopy(text, () => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <section class="artifact" aria-label={title}>
      <div class="artifact-top">
        <h2>{title}</h2>
        <div class="artifact-actions">
          <QuietButton aria-label={own.copyOf(title)} onClick={copy}>
            {copied ? own.copied : own.copy}
          </QuietButton>
          <QuietButton aria-label={own.downloadOf(title)} onClick={() => downloadFile(saved, file, type)}>
            {own.download}
          </QuietButton>
          <span class="visually-hidden" role="status">
            {copied ? own.copied : ''}
          </span>
        </div>
      </div>
      {note ? <p class="hint">{note}</p> : null}
      {children}
      {line ? (
        <p ref={shown} class="artifact-line">
          {text}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <pre ref={shown} class="artifact-text" tabIndex={0}>
          <HighlightedText text={text.slice(0, MAX_SHOWN)} isXml={type === XML_TYPE} compared={compared} />
        </pre>
      )}
      {text.length > MAX_SHOWN ? <p class="hint">{own.cut}</p> : null}
    </section>
  )
}
