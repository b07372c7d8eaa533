/** From a member of the document to its field. */

/** The field that writes a member, or the nearest thing to it that the form has. */
function fieldOf(path: string): HTMLElement | null {
  for (let at = path; at.split('/').length > 2; at = at.slice(0, at.lastIndexOf('/'))) {
    const own = CSS.escape(at)
    const field = document.querySelector<HTMLElement>(
      `.form [data-path="${own}"], .form [data-path^="${CSS.escape(`${at}/`)}"]`,
    )
    if (field) return field
  }
  return null
}

/** Brings the field of a member to sight and into focus; false where the form has none. */
export function focusField(path: string): boolean {
  const field = fieldOf(path)
  if (!field) return false
  field.closest('details')?.setAttribute('open', '')
  field.scrollIntoView({ block: 'center' })
  field.focus({ preventScroll: true })
  return true
}
