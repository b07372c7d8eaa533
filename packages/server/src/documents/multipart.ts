/**
 * Receives the single file of a form (`multipart/form-data`, RFC 7578). The file is measured and stored while it
 * arrives.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import { parseHeaderValue } from './header-value.ts'
import { hasBody, receive } from './receiving.ts'

export interface ReceivedFile {
  /** The file name that the client sent; untrusted. */
  readonly fileName: string
  /** The type that the client declared. */
  readonly contentType: string | undefined
  readonly size: number
  readonly sha256: string
}

export interface FileLimits {
  readonly maxBytes: number
  readonly seconds: number
}

const FIELD = 'file'
const MULTIPART = 'multipart/form-data'
const LONGEST_SHOWN = 80
/** Maximum total number of bytes of a form outside the file: boundaries and headers. */
const MAX_AROUND = 64 * 1024
/** Maximum number of characters of the boundary. RFC 2046 allows 70, but some clients use more. */
const MAX_BOUNDARY = 200
/** Maximum number of bytes of the headers of a part. */
const MAX_HEADERS = 16 * 1024
/** Limits of the parser, which silently drops headers beyond them. They are therefore larger than `MAX_HEADERS`. */
const PARSER_LIMITS = { maxHeaderPairs: MAX_AROUND, maxHeaderSize: MAX_AROUND }

const notComplete = () => invalidRequest('the form is incomplete', 'el formulario está incompleto')
const noFile = () =>
  invalidRequest(`the form has no field "${FIELD}"`, `el formulario no tiene el campo «${FIELD}»`, {
    field: FIELD,
  })

/** Returns the boundary of a form. Throws before reading anything if the body is not a form or is too large. */
export function requireMultipartForm(incoming: IncomingMessage, maxBytes: number): string {
  const header = incoming.headers['content-type'] ?? ''
  const { value, parameters } = parseHeaderValue(header)
  if (value !== MULTIPART)
    throw new ApiError('unsupported_media_type', {
      received: header.slice(0, LONGEST_SHOWN),
      expected: MULTIPART,
    })
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes + MAX_AROUND) throw tooLarge(maxBytes)
  const boundary = parameters.boundary ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY)
    throw invalidRequest(
      'the Content-Type of the form has no usable boundary',
      'el Content-Type del formulario no tiene un boundary utilizable',
    )
  if (!hasBody(incoming)) throw invalidRequest('the body is missing', 'falta el cuerpo')
  return boundary
}

const tooLarge = (maxBytes: number) => new ApiError('file_too_large', { max_bytes: maxBytes })

/** Parses the headers of a part. Throws if the part is not the expected file. */
function describe(headers: Readonly<Record<string, readonly string[] | undefined>>) {
  if (JSON.stringify(headers).length > MAX_HEADERS)
    throw invalidRequest(
      `a part of the form has more than ${MAX_HEADERS} bytes of headers`,
      `una parte del formulario tiene más de ${MAX_HEADERS} bytes de cabeceras`,
    )
  const { value, parameters } = parseHeaderValue(headers['content-disposition']?.[0] ?? '')
  const { name } = parameters
  if (value !== 'form-data' || name === undefined)
    throw invalidRequest('a part of the form has no name', 'una parte del formulario no tiene nombre')
  if (name !== FIELD) {
    const field = name.slice(0, LONGEST_SHOWN)
    throw invalidRequest(
      `unknown field "${field}": send the file in "${FIELD}"`,
      `campo desconocido «${field}»: envíe el fichero en «${FIELD}»`,
      { field, allowed: [FIELD] },
    )
  }
  // Browsers write a quote as `%22` (HTML, "multipart/form-data encoding algorithm").
  const fileName = parameters['filename*'] ?? parameters.filename?.replaceAll('%22', '"')
  if (fileName === undefined)
    throw invalidRequest(
      `the field "${FIELD}" is text, not a file (curl: -F ${FIELD}=@invoice.pdf)`,
      `el campo «${FIELD}» es un texto, no un fichero (curl: -F ${FIELD}=@factura.pdf)`,
      { field: FIELD },
    )
  // The header is deprecated in forms (RFC 7578, section 4.7). If it states another encoding, the stored bytes would
  // not be those of the file.
  const encoding = headers['content-transfer-encoding']?.[0]?.trim() ?? ''
  if (!/^(?:|7bit|8bit|binary)$/i.test(encoding)) {
    const shown = encoding.slice(0, LONGEST_SHOWN)
    throw invalidRequest(
      `the file is sent with Content-Transfer-Encoding "${shown}": send its bytes as they are`,
      `el fichero viene con Content-Transfer-Encoding «${shown}»: envíe sus bytes tal como son`,
      { field: FIELD, received: shown, allowed: ['binary', '8bit', '7bit'] },
    )
  }
  return { fileName, contentType: headers['content-type']?.[0] }
}

/** Creates a stream that passes on a file of up to `maxBytes` unchanged and measures it. */
function measure(maxBytes: number) {
  const hash = createHash('sha256')
  const measured = { size: 0, sha256: '' }
  const content = new Transform({
    transform(chunk: Buffer, _, done) {
      measured.size += chunk.length
      if (measured.size > maxBytes) done(tooLarge(maxBytes))
      else {
        hash.update(chunk)
        done(null, chunk)
      }
    },
    flush(done) {
      measured.sha256 = hash.digest('hex')
      done()
    },
  })
  return { content, measured }
}

/**
 * Receives the form of a request. Calls `store` when the file begins, and waits for it. `store` must read the file to
 * its end. Use the stored file only if this function resolves, because an error can follow the file in the form.
 */
export async function receiveFile(
  incoming: IncomingMessage,
  boundary: string,
  { maxBytes, seconds }: FileLimits,
  store: (content: Readable) => Promise<void>,
): Promise<ReceivedFile> {
  const stopped = new AbortController()
  const stop = (error: unknown) => stopped.abort(error)
  const { content, measured } = measure(maxBytes)
  content.on('error', stop)
  const form = new Dicer({ boundary, ...PARSER_LIMITS })
  let described: ReturnType<typeof describe> | undefined
  let stored: Promise<void> | undefined
  form.on('part', (part) => {
    part.on('error', () => stop(notComplete()))
    part.on('header', (headers) => {
      try {
        if (stored)
          throw invalidRequest(
            `the form has several parts: send one file, in the field "${FIELD}"`,
            `el formulario tiene varias partes: envíe un solo fichero, en el campo «${FIELD}»`,
          )
        described = describe(headers as Parameters<typeof describe>[0])
      } catch (error) {
        part.resume()
        stop(error)
        return
      }
      part.pipe(content)
      stored = store(content)
      stored.catch(stop)
    })
  })
  let isOver = false
  const over = new Promise<void>((resolve, reject) => {
    form.on('finish', () => {
      isOver = true
      resolve()
      // Discards everything after the form, which the parser does not read.
      incoming.resume()
    })
    form.on('error', () => stop(notComplete()))
    stopped.signal.addEventListener('abort', () => reject(stopped.signal.reason))
  })
  over.catch(() => undefined)
  let left = maxBytes + MAX_AROUND
  try {
    await receive(incoming, { seconds, signal: stopped.signal }, (chunk) => {
      left -= chunk.length
      if (left < 0) throw tooLarge(maxBytes)
      if (isOver || form.write(chunk)) return
      incoming.pause()
      form.once('drain', () => {
        if (!stopped.signal.aborted) incoming.resume()
      })
    })
    if (!isOver) form.end()
    await over
    await stored
  } catch (error) {
    stop(error)
    content.destroy(error as Error)
    await stored?.catch(() => undefined)
    throw stopped.signal.reason
  }
  if (!described) throw noFile()
  return { ...described, ...measured }
}
