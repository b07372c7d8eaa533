/** Reads a file. Runs in its own process, because the file may be malicious. */
import type { FileKind, Page } from '../material.ts'
import type { ReadingRequest, ReadingResult } from '../recognition-messages.ts'
import { kindOf } from '../sniff.ts'
import { rastersOf, requireReadable } from './image.ts'
import { readPdf } from './read-pdf.ts'
import { readScan } from './scan-image.ts'
import { reasonOf } from './unreadable.ts'

async function readImage({ bytes, need, isFine }: ReadingRequest, kind: FileKind): Promise<ReadingResult> {
  if (need === 'text') {
    await requireReadable(bytes)
    return { needs: 'pixels' }
  }
  const pages: Page[] = []
  const codes: string[] = []
  for await (const raster of rastersOf(bytes)) {
    const scan = await readScan(raster, isFine)
    pages.push(scan.page)
    codes.push(...scan.codes)
  }
  return { material: { kind, pages, xml: null, codes } }
}

/**
 * Returns the content of a file, or the reason why it cannot be read. Any error of a library means that the file is
 * broken. With `text`, returns `needs` for a file that can only be read from its pixels.
 */
export async function readFile(order: ReadingRequest): Promise<ReadingResult> {
  try {
    const kind = kindOf(order.bytes)
    if (!kind) return { unreadable: 'unknown_type' }
    if (kind === 'pdf') return await readPdf(order)
    return await readImage(order, kind)
  } catch (error) {
    return { unreadable: reasonOf(error) }
  }
}
