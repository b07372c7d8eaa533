/** The dialog to download the invoice in each format, with the reasons why a format is not available. */
import { useMemo } from 'preact/hooks'
import { valueAt } from '#core/invoice/pointer.ts'
import { writeInvoice } from '#formats/index.ts'
import { PrimaryButton, QuietButton } from '../../parts/page-parts.tsx'
import type { Assessment } from '../assess/assess.ts'
import { useMessages } from '../messages/ui.ts'
import { Dialog } from '../parts/playground-parts.tsx'
import { FORMAT_NAMES, interchangeMessages } from './interchange-messages.ts'
import { Items } from './items.tsx'
import { downloadFile, safeFileName } from './save-file.ts'

const WRITTEN = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const

interface DownloadProps {
  readonly assessment: Assessment
  readonly onClose: () => void
}

export function DownloadDialog({ assessment, onClose }: DownloadProps) {
  const { locale, messages } = useMessages()
  const own = interchangeMessages[locale]
  const { readable, text, valid } = assessment
  // If the text is not valid JSON, `data` belongs to an earlier text and must not be downloaded.
  const data = readable ? assessment.data : null
  const formats = useMemo(
    () => data && WRITTEN.map((format) => ({ format, ...writeInvoice(data, format, { locale, indent: 2 }) })),
    [data, locale],
  )
  const number = valueAt(data, '/invoice/header/invoice_number')
  const name = safeFileName(typeof number === 'string' ? number : '')
  return (
    <Dialog id="download" title={own.title} onClose={onClose}>
      {(close) => (
        <>
          <p>{own.note}</p>
          {data && !valid ? <p class="note note-wrong">{own.wrong}</p> : null}
          <ul class="formats">
            <li>
              <PrimaryButton onClick={() => downloadFile(text, `${name}.json`, 'application/json')}>
                {own.save(FORMAT_NAMES.json_1_1!)}
              </PrimaryButton>
            </li>
            {formats?.map(({ format, xml, errors }) => (
              <li key={format}>
                {xml === null ? (
                  <>
                    <p>{own.cannot(FORMAT_NAMES[format]!)}</p>
                    <Items items={errors} label={own.cannot(FORMAT_NAMES[format]!)} />
                  </>
                ) : (
                  <PrimaryButton
                    onClick={() => downloadFile(xml, `${name}-${format}.xml`, 'application/xml')}
                  >
                    {own.save(FORMAT_NAMES[format]!)}
                  </PrimaryButton>
                )}
              </li>
            ))}
          </ul>
          {data ? null : <p class="hint">{own.notYet}</p>}
          <div class="dialog-foot">
            <span />
            <QuietButton onClick={close}>{messages.close}</QuietButton>
          </div>
        </>
      )}
    </Dialog>
  )
}
