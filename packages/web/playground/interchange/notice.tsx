/** The result of opening a file: its format and the findings, or why it could not be opened. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Reading, readInvoice } from '#formats/index.ts'
import { FixButton, LinkButton } from '../../parts/page-parts.tsx'
import { useMessages } from '../messages/ui.ts'
import { fromBase64 } from '../share/codec.ts'
import { FORMAT_NAMES, interchangeMessages } from './interchange-messages.ts'
import { Items } from './items.tsx'
import { downloadFile } from './save-file.ts'

/** An opened file, and the direction (issued or received) with which its invoice is read. */
export interface OpenedFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly direction: 'received' | 'issued'
}

/** Whether the file is JSON: it begins with `{`. */
const isJson = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 200)))

/** Returns the text for the editor, or null if the file cannot be read. JSON is not changed. */
export function textOf({ bytes, direction }: OpenedFile): string | null {
  if (isJson(bytes)) return new TextDecoder().decode(bytes)
  const { document } = readInvoice(bytes, { direction })
  return document && JSON.stringify(document, null, 2)
}

function ReadingDetails({ reading }: { readonly reading: Reading }) {
  const own = interchangeMessages[useMessages().locale]
  const { errors, signature, attachments } = reading
  return (
    <>
      {errors.length > 0 ? <Items items={errors} label={own.items} /> : <p>{own.nothing}</p>}
      {signature ? (
        <p>
          {own.signature(signature.subject ?? '', signature.issuer ?? '', signature.signing_time ?? '')}{' '}
          {own.unverified}
        </p>
      ) : null}
      {attachments.length > 0 ? (
        <p>
          {own.files}:{' '}
          {attachments.map(({ file_name: name, data }, at) => (
            <FixButton
              key={at}
              // The declared media type is not trusted, so the file is only saved and never opened here.
              onClick={() => downloadFile(fromBase64(data), name, 'application/octet-stream')}
            >
              {own.saveFile(name)}
            </FixButton>
          ))}
        </p>
      ) : null}
    </>
  )
}

interface NoticeProps {
  readonly opened: OpenedFile
  readonly onClose: () => void
}

export function Notice({ opened, onClose }: NoticeProps) {
  const { locale, messages } = useMessages()
  const own = interchangeMessages[locale]
  const { name, bytes, direction } = opened
  // The file is read again if the language changes, because the findings are in that language.
  const reading = useMemo(
    () => (isJson(bytes) ? null : readInvoice(bytes, { direction, locale })),
    [bytes, direction, locale],
  )
  const section = useRef<HTMLElement>(null)
  // Focus the notice, so that screen readers announce it and continue from there.
  useEffect(() => section.current?.focus(), [opened])
  const wrong = reading !== null && reading.document === null
  const title =
    reading === null
      ? own.taken(name)
      : wrong
        ? own.refused(name)
        : own.read(name, FORMAT_NAMES[reading.format!] ?? '')
  return (
    <section
      ref={section}
      tabIndex={-1}
      class={`note banner file-notice ${wrong ? 'note-wrong' : 'note-right'}`}
      role={wrong ? 'alert' : 'status'}
      aria-labelledby="file-notice-title"
    >
      <div class="file-notice-top">
        <h2 id="file-notice-title">{title}</h2>
        <LinkButton onClick={onClose}>{messages.dismiss}</LinkButton>
      </div>
      {reading ? <ReadingDetails reading={reading} /> : null}
    </section>
  )
}
