/** The dialog with the link to share. Documents too long for a link can be saved as a file. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { LinkButton, PrimaryButton, QuietButton } from '../../parts/page-parts.tsx'
import { downloadFile } from '../interchange/save-file.ts'
import { useMessages } from '../messages/ui.ts'
import { useCopy } from '../parts/hooks.ts'
import { Dialog } from '../parts/playground-parts.tsx'
import { encodeShared, type Shared } from './codec.ts'

/** Number of characters above which some programs truncate links, and above which browsers reject them. */
const LONG = 8_000
const TOO_LONG = 200_000

interface ShareProps {
  readonly shared: Shared
  readonly onClose: () => void
}

export function ShareDialog({ shared, onClose }: ShareProps) {
  const { messages } = useMessages()
  const [link, setLink] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { copied, copy } = useCopy(link, () => field.current?.select())
  const [withCompany, setWithCompany] = useState(true)
  const { company } = shared

  useEffect(() => {
    encodeShared(withCompany ? shared : { ...shared, company: null }).then((fragment) => {
      const address = new URL(location.pathname, location.href)
      address.hash = fragment
      setLink(address.href)
      // `replaceState` fires no `hashchange` event, so the document is not opened again.
      if (address.href.length <= TOO_LONG) history.replaceState(null, '', address)
    })
  }, [shared, withCompany])

  const tooLong = link.length > TOO_LONG
  return (
    <Dialog id="share" title={messages.shareTitle} onClose={onClose}>
      {(close) => (
        <>
          <p>{tooLong ? messages.shareTooLong : messages.shareNote}</p>
          {tooLong ? null : (
            <div class="dialog-link">
              <input
                ref={field}
                readOnly
                value={link}
                aria-label={messages.shareTitle}
                onFocus={(event) => event.currentTarget.select()}
              />
              <PrimaryButton onClick={copy}>{copied ? messages.copied : messages.copy}</PrimaryButton>
            </div>
          )}
          {company && !tooLong ? (
            <label class="option-check">
              <input
                type="checkbox"
                checked={withCompany}
                onChange={({ currentTarget: { checked } }) => setWithCompany(checked)}
              />
              <span>{messages.shareCompany}</span>
            </label>
          ) : null}
          {!tooLong && link.length > LONG ? <p class="hint">{messages.shareLong(link.length)}</p> : null}
          <div class="dialog-foot">
            <LinkButton onClick={() => downloadFile(shared.text, 'invoice.json', 'application/json')}>
              {messages.download}
            </LinkButton>
            <QuietButton onClick={close}>{messages.close}</QuietButton>
          </div>
        </>
      )}
    </Dialog>
  )
}
