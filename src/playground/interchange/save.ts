/** Files that the page hands out. */

/** Offers bytes or a text under a name. */
export function save(content: BlobPart, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** A text that a file can be named by, wherever it is saved. */
export const fileName = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'invoice'
