/**
 * Repairs the accessibility of Scalar 1.46, in which some elements lack names or have invalid roles.
 * `packages/server/test/pages` checks the result with axe. Remove a repair when a later version of Scalar does not need it.
 */

type Repair = readonly [selector: string, apply: (element: HTMLElement) => void]

const named = (name: string) => (element: HTMLElement) => {
  if (!element.textContent?.trim()) element.ariaLabel ??= name
}

const without =
  (...attributes: readonly string[]) =>
  (element: HTMLElement) => {
    for (const attribute of attributes) element.removeAttribute(attribute)
  }

const REPAIRS: readonly Repair[] = [
  ['button.code-copy', named('Copy')],
  // The text of this button is hidden from screen readers.
  [
    'button.scalar-code-copy:not([aria-label])',
    (element) => {
      element.ariaLabel = 'Copy'
    },
  ],
  ['button.group\\/toggle', named('Dark colours')],
  ['button:not([aria-label]):has(svg)', named('More')],
  // The text of this button is hidden on phones.
  [
    'button.client-libraries__select:not([aria-label])',
    (element) => {
      element.ariaLabel = 'More: select from all clients'
    },
  ],
  ['aside[role="navigation"], button[role="search"]', without('role')],
  // On phones, this element would be a second banner of the page.
  ['#app header:not([role])', (element) => element.setAttribute('role', 'presentation')],
  [
    '[aria-selected]:not([role="tab"], [role="option"])',
    (element) => {
      element.ariaCurrent = element.ariaSelected === 'true' ? 'location' : null
      element.removeAttribute('aria-selected')
    },
  ],
  [
    '[role="textbox"]:not([aria-label], [aria-labelledby])',
    (element) => {
      const label = element.closest('label, tr, .scalar-card, td')?.querySelector('label, .text-c-2, th')
      element.ariaLabel = label?.textContent?.trim() || 'Value'
    },
  ],
  ['.client-libraries-list[role="tablist"]', without('role', 'aria-orientation', 'aria-labelledby')],
  ['.client-libraries-list [role="tab"]', without('role', 'aria-selected')],
  ['.selected-client[role="tabpanel"]', without('role', 'aria-labelledby')],
  // The name of this button must contain its text, "Show More".
  ['.show-more[aria-label^="Show all"]', without('aria-label')],
  [
    '.scalar-card[role="region"], .scalar-card[role="group"]',
    // These regions would need names, so they must not be landmarks.
    (element) => element.setAttribute('role', 'presentation'),
  ],
  // Every other client is named after its language; this one is named as people know it.
  [
    '[data-testid="client-picker"], .selected-client',
    (element) => {
      for (const node of element.childNodes)
        if (node.nodeValue?.trim() === 'Shell Curl') node.nodeValue = 'curl '
    },
  ],
  ['.endpoints:not([tabindex])', (element) => element.setAttribute('tabindex', '0')],
]

/** Repairs the current elements, and the elements that Scalar adds later. */
export function repairReferencePage(root: HTMLElement): void {
  const apply = () => {
    for (const [selector, one] of REPAIRS)
      for (const element of root.querySelectorAll<HTMLElement>(selector)) one(element)
  }
  let isWaiting = false
  new MutationObserver(() => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      apply()
    })
  }).observe(root, { childList: true, subtree: true })
  apply()
}
