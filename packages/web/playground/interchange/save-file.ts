/** Downloads a text or bytes. */
export function downloadFile(content: BlobPart, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** Returns a text as a file name that is valid on every system. */
export const safeFileName = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/(?<![-.])[-.]+$|^[-.]+/g, '')
    .slice(0, 80) || 'invoice'
