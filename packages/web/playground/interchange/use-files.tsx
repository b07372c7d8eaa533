/** Opening files by drop or file picker, and the download dialog. The code of the formats is loaded on first use. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Assessment, Settings } from '../assess/assess.ts'
import type { UiMessages } from '../messages/ui.ts'
import { useStableCallback } from '../parts/hooks.ts'
import { Banner, ErrorBoundary } from '../parts/playground-parts.tsx'
import type { OpenedFile } from './notice.tsx'

type LazyModule = typeof import('./interchange.ts')

/** `.xsig` is the usual extension of a signed Facturae. */
const ACCEPTED = '.xml,.xsig,.json,application/xml,text/xml,application/json'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Handles dropped files before the editor can insert their text. */
function useDrop(onFiles: (files: FileList) => void): void {
  useEffect(() => {
    const mark = (on: boolean) => document.documentElement.classList.toggle('dropping', on)
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      mark(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) mark(false)
    }
    const drop = (event: DragEvent) => {
      mark(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      onFiles(event.dataTransfer!.files)
    }
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop }
    const each = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][]
    for (const [name, listener] of each) addEventListener(name, listener, true)
    return () => {
      for (const [name, listener] of each) removeEventListener(name, listener, true)
    }
  }, [onFiles])
}

interface FilesProps {
  readonly settings: Settings
  readonly assessment: Assessment
  readonly messages: UiMessages
  /** Called with the text of an opened file. */
  readonly onText: (text: string) => void
}

type Fault = 'several' | 'failed'

export function useFiles({ settings, assessment, messages, onText }: FilesProps) {
  const [lazy, setLazy] = useState<LazyModule | null>(null)
  const [opened, setOpened] = useState<OpenedFile | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [saving, setSaving] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const onFiles = useStableCallback(async (files: FileList) => {
    setOpened(null)
    setFault(files.length > 1 ? 'several' : null)
    const [file] = files
    if (!file || files.length > 1) return
    try {
      const [bytes, module] = await Promise.all([file.arrayBuffer(), import('./interchange.ts')])
      const { operation } = settings
      const direction = operation === 'auto' || operation === 'received' ? 'received' : 'issued'
      const one: OpenedFile = { name: file.name, bytes: new Uint8Array(bytes), direction }
      const text = module.textOf(one)
      setLazy(module)
      setOpened(one)
      if (text !== null) onText(text)
    } catch {
      // Reading the file or loading the code failed.
      setFault('failed')
    }
  })
  useDrop(onFiles)

  const onOpen = useStableCallback(() => input.current?.click())
  const onDownload = useStableCallback(async () => {
    try {
      setLazy(await import('./interchange.ts'))
      setSaving(true)
    } catch {
      setFault('failed')
    }
  })

  const view = (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        onChange={({ currentTarget }) => {
          if (currentTarget.files) onFiles(currentTarget.files)
          // The input is reset, so that choosing the same file again fires a change event.
          currentTarget.value = ''
        }}
      />
      {fault && (
        <Banner
          text={fault === 'several' ? messages.oneFile : messages.failure}
          onDismiss={() => setFault(null)}
        />
      )}
      {lazy && opened ? (
        <ErrorBoundary>
          <lazy.Notice opened={opened} onClose={() => setOpened(null)} />
        </ErrorBoundary>
      ) : null}
      {lazy && saving ? (
        <ErrorBoundary>
          <lazy.DownloadDialog assessment={assessment} onClose={() => setSaving(false)} />
        </ErrorBoundary>
      ) : null}
    </>
  )
  return { view, onOpen, onDownload }
}
