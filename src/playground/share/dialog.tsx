/** The link that carries the document, to be copied; or a file, where it is too long for one. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Plain, Primary, Quiet } from '../../parts/parts.tsx'
import { save } from '../interchange/save.ts'
import { useCopy } from '../parts/hooks.ts'
import { Dialog } from '../parts/parts.tsx'
import { useWords } from '../words/ui.ts'
import { encodeShared, type Shared } from './codec.ts'

/** From here on some programs cut links; from there on browsers refuse them. */
const LONG = 8_000
const TOO_LONG = 200_000

interface ShareProps {
  readonly shared: Shared
  readonly onClose: () => void
}

export function ShareDialog({ shared, onClose }: ShareProps) {
  const { words } = useWords()
  const [link, setLink] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { copied, copy } = useCopy(link, () => field.current?.select())
  const [withCompany, setWithCompany] = useState(true)
  const { company } = shared

  useEffect(() => {
    encodeShared(withCompany ? shared : { ...shared, company: null }).then((fragment) => {
      const address = new URL(location.href)
      address.hash = fragment
      setLink(address.href)
      // Without an event of its own: this document is the one in the link.
      if (address.href.length <= TOO_LONG) history.replaceState(null, '', address)
    })
  }, [shared, withCompany])

  const tooLong = link.length > TOO_LONG
  return (
    <Dialog id="share" title={words.shareTitle} onClose={onClose}>
      {(close) => (
        <>
          <p>{tooLong ? words.shareTooLong : words.shareNote}</p>
          {tooLong ? null : (
            <div class="dialog-link">
              <input
                ref={field}
                readOnly
                value={link}
                aria-label={words.shareTitle}
                onFocus={(event) => event.currentTarget.select()}
              />
              <Primary onClick={copy}>{copied ? words.copied : words.copy}</Primary>
            </div>
          )}
          {company && !tooLong ? (
            <label class="option-check">
              <input
                type="checkbox"
                checked={withCompany}
                onChange={({ currentTarget: { checked } }) => setWithCompany(checked)}
              />
              <span>{words.shareCompany}</span>
            </label>
          ) : null}
          {!tooLong && link.length > LONG ? <p class="hint">{words.shareLong(link.length)}</p> : null}
          <div class="dialog-foot">
            <Plain onClick={() => save(shared.text, 'invoice.json', 'application/json')}>
              {words.download}
            </Plain>
            <Quiet onClick={close}>{words.close}</Quiet>
          </div>
        </>
      )}
    </Dialog>
  )
}
