/** The link that carries the document, to be copied; or a file, where it is too long for one. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { Plain, Primary, Quiet } from '../../parts/parts.tsx'
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
  const dialog = useRef<HTMLDialogElement>(null)
  const [link, setLink] = useState('')
  const [copied, setCopied] = useState(false)
  const [withCompany, setWithCompany] = useState(true)
  const { company } = shared

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    encodeShared(withCompany ? shared : { ...shared, company: null }).then((fragment) => {
      const address = new URL(location.href)
      address.hash = fragment
      setLink(address.href)
      setCopied(false)
      // Without an event of its own: this document is the one in the link.
      if (address.href.length <= TOO_LONG) history.replaceState(null, '', address)
    })
  }, [shared, withCompany])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      setCopied(true)
    } catch {
      // Refused: the link is selected, so that it can be copied by hand.
      dialog.current?.querySelector('input')?.select()
    }
  }
  const save = () => {
    const address = URL.createObjectURL(new Blob([shared.text], { type: 'application/json' }))
    const anchor = Object.assign(document.createElement('a'), { href: address, download: 'invoice.json' })
    anchor.click()
    URL.revokeObjectURL(address)
  }
  const tooLong = link.length > TOO_LONG
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="share-title" onClose={onClose}>
      <h2 id="share-title">{words.shareTitle}</h2>
      <p>{tooLong ? words.shareTooLong : words.shareNote}</p>
      {tooLong ? null : (
        <div class="dialog-link">
          <input
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
        <Plain onClick={save}>{words.download}</Plain>
        <Quiet onClick={() => dialog.current?.close()}>{words.close}</Quiet>
      </div>
    </dialog>
  )
}
