/**
 * Repairs the accessibility of Scalar 1.46, whose elements lack names or have invalid roles. `test/server/pages` checks
 * the result with axe; what a later version does right can be removed here.
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
  // Its text is hidden from screen readers.
  [
    'button.scalar-code-copy:not([aria-label])',
    (element) => {
      element.ariaLabel = 'Copy'
    },
  ],
  ['button.group\\/toggle', named('Dark colours')],
  ['button:not([aria-label]):has(svg)', named('More')],
  // On phones its text is hidden.
  [
    'button.client-libraries__select:not([aria-label])',
    (element) => {
      element.ariaLabel = 'More: select from all clients'
    },
  ],
  ['aside[role="navigation"], button[role="search"]', without('role')],
  // On phones it is a second banner of the page.
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
  // Its name must contain its text, "Show More".
  ['.show-more[aria-label^="Show all"]', without('aria-label')],
  [
    '.scalar-card[role="region"], .scalar-card[role="group"]',
    // Landmarks need names of their own.
    (element) => element.setAttribute('role', 'presentation'),
  ],
  ['.endpoints:not([tabindex])', (element) => element.setAttribute('tabindex', '0')],
]

/** Repairs the elements that are there, and those that Scalar adds later. */
export function repair(root: HTMLElement): void {
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
