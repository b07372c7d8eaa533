/**
 * `POST /received-invoices/recognize`: reads a supplier's PDF or image and returns a proposal. Nothing is registered
 * (specification, "Recognition").
 */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { CanonicalInvoice, CanonicalInvoiceInput, Text, ValidationItem } from '../../../invoice/index.ts'
import {
  type Proposal,
  propose,
  proposeXml,
  type RecognitionStatus,
  reasonsIn,
  reviewReasons,
  scoreOf,
  scoresIn,
  statusOf,
} from '../../../recognition/fields/index.ts'
import type { Material, Unreadable } from '../../../recognition/index.ts'
import { receiveFile, requireForm } from '../../documents/multipart.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { RecognitionResult } from '../../shapes/schemas.ts'
import { type Encoded, type JsonAnswer, ok } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { once } from '../access/idempotency.ts'
import { dropJob, finishJob, holdJob, takeJob } from './recognition-jobs.ts'
import { validateProposal } from './validate.ts'

/** Limits of the specification, section "Limits". */
const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_PAGES = 8

/** Why a file cannot be read, and what to do. */
const MESSAGES: Readonly<Record<Unreadable, Text>> = {
  empty: {
    en: 'The file is empty. Send a file with content.',
    es: 'Está vacío. Envíe un fichero con contenido.',
  },
  too_large: {
    en: 'The file has more than 10 MB. Send a smaller one, for example with images at 200 dpi.',
    es: 'Supera los 10 MB. Envíe uno menor, por ejemplo con imágenes de 200 ppp.',
  },
  unknown_type: {
    en: 'Not a PDF, JPEG, PNG or TIFF, despite its name. Send one of these.',
    es: 'No es un PDF, JPEG, PNG ni TIFF, pese a su nombre. Envíe uno de estos formatos.',
  },
  too_many_pages: {
    en: 'The file has more than 8 pages. Send only the pages of the invoice.',
    es: 'Tiene más de 8 páginas. Envíe solo las páginas de la factura.',
  },
  too_many_pixels: {
    en: 'The image is too large to be opened. Scan it at 200 to 300 dpi.',
    es: 'Su imagen es demasiado grande para abrirla. Escanéela a entre 200 y 300 ppp.',
  },
  encrypted: {
    en: 'The file is encrypted. Send it without a password.',
    es: 'Está cifrado. Envíelo sin contraseña.',
  },
  broken: {
    en: 'The file is damaged or incomplete. Save or scan it again, and send the new file.',
    es: 'Está dañado o incompleto. Guárdelo o escanéelo de nuevo y envíe el fichero nuevo.',
  },
  out_of_time: {
    en: 'Reading the file takes too long. Send fewer pages, or a simpler scan.',
    es: 'Su lectura tarda demasiado. Envíe menos páginas o un escaneo más sencillo.',
  },
  out_of_memory: {
    en: 'Reading the file takes too much memory. Send fewer pages, or a smaller scan.',
    es: 'Su lectura necesita demasiada memoria. Envíe menos páginas o un escaneo menor.',
  },
}

/** Refuses a file: `reason` is for programs, `hint` states what to do. */
const unreadable = (reason: Unreadable): ApiError =>
  new ApiError('recognition_file_invalid', {
    reason,
    hint: MESSAGES[reason],
    max_bytes: MAX_FILE_BYTES,
    max_pages: MAX_PAGES,
  })

/** Why recognition is not available now, and what to do. */
const UNAVAILABLE = {
  switched_off: {
    en: 'It is switched off on this server. Ask the administrator to set CUADRA_RECOGNITION to on.',
    es: 'Está desactivado en este servidor. Pida al administrador que ponga CUADRA_RECOGNITION en on.',
  },
  not_installed: {
    en: 'The libraries for reading files are not installed. Ask the administrator to install the optional dependencies of the server.',
    es: 'No están instaladas las bibliotecas para leer ficheros. Pida al administrador que instale las dependencias opcionales del servidor.',
  },
  busy: {
    en: 'Too many files are waiting. Send the file again in a few seconds.',
    es: 'Hay demasiados ficheros en espera. Envíelo de nuevo dentro de unos segundos.',
  },
  closing: {
    en: 'The server is stopping. Send the file again in a few seconds.',
    es: 'El servidor se está deteniendo. Envíelo de nuevo dentro de unos segundos.',
  },
} as const

/** Reasons that pass with time. */
const PASSING: readonly (keyof typeof UNAVAILABLE)[] = ['busy', 'closing']

const unavailable = (reason: keyof typeof UNAVAILABLE): ApiError =>
  new ApiError(
    'recognition_disabled',
    { reason, hint: UNAVAILABLE[reason] },
    PASSING.includes(reason) ? { 'Retry-After': '10' } : {},
  )

interface Upload {
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** Receives the file of the form in memory, which it is small enough for. */
async function receiveUpload({ app }: Call, incoming: IncomingMessage): Promise<Upload> {
  try {
    const boundary = requireForm(incoming, MAX_FILE_BYTES)
    const limits = { maxBytes: MAX_FILE_BYTES, seconds: app.config.requestTimeout }
    let bytes: Uint8Array = new Uint8Array()
    const { size, sha256 } = await receiveFile(incoming, boundary, limits, async (content) => {
      bytes = await buffer(content)
    })
    if (size === 0) throw unreadable('empty')
    return { bytes, sha256 }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'file_too_large') throw unreadable('too_large')
    throw error
  }
}

/** Reads the pages and codes of a file. Throws the reason if that is not possible. */
async function read({ app }: Call, bytes: Uint8Array): Promise<Material> {
  const reading = await app.recogniser.read(bytes)
  if ('unreadable' in reading) throw unreadable(reading.unreadable)
  if ('unavailable' in reading) throw unavailable(reading.unavailable)
  return reading.material
}

/** Returns the proposal from the embedded XML if that can be read, otherwise from the printed text. */
async function proposalOf(call: Call, material: Material): Promise<Proposal> {
  const { app, company, locale } = call
  const { xml } = material
  const { document } = xml ? await app.work.readInvoice({ bytes: xml.bytes, locale }) : {}
  if (document) return proposeXml(document, material)
  return propose(material, { company: company.data, today: app.clock.today() })
}

interface Assessment {
  readonly status: RecognitionStatus
  readonly score: number
  readonly warnings: readonly ValidationItem[]
  readonly draft: object
}

/** Validates and completes the proposal. */
async function assess(call: Call, proposal: Proposal): Promise<Assessment> {
  const { data, errors, is_valid } = await validateProposal(call, proposal.document)
  const status = statusOf(proposal, is_valid)
  const score = scoreOf(proposal, is_valid)
  if (!proposal.isRead) return { status, score, warnings: [], draft: {} }
  const document: CanonicalInvoice | CanonicalInvoiceInput = data ?? proposal.document
  const draft = {
    ...document,
    meta: { ...document.meta, recognition_status: status, recognition_score: score },
    recognition: {
      requires_human_review: status !== 'recognized_ready',
      review_reasons: reasonsIn(reviewReasons(proposal, is_valid), call.locale),
      field_scores: scoresIn(document, proposal.document, proposal.scores),
    },
  }
  return { status, score, warnings: errors, draft }
}

type Recognised = Encoded | JsonAnswer<200, RecognitionResult>

/** Recognises the file of a form. */
export async function recognize(call: Call, incoming: IncomingMessage): Promise<Recognised> {
  const { app, company, store } = call
  if (!company.data.features.includes('recognition'))
    throw new ApiError('feature_outside_plan', { feature: 'recognition' })
  if (!app.config.recognition) throw unavailable('switched_off')
  if (!app.recogniser.available) throw unavailable('not_installed')
  const { bytes, sha256 } = await receiveUpload(call, incoming)
  // A repeated form has another boundary, so the file identifies the request.
  const request = once(call, sha256)
  const earlier = await request.earlier()
  if (earlier) return earlier
  const job = await store.transaction((tx) => takeJob(tx, call, sha256))
  const release = holdJob(call, job)
  try {
    const proposal = await proposalOf(call, await read(call, bytes))
    const { status, score, draft, warnings } = await assess(call, proposal)
    return await store.transaction((tx) =>
      request.within(tx, async () => {
        await finishJob(tx, job, { status, score })
        return ok({ job_id: job.job_id, status, score, canonical_draft: draft, warnings })
      }),
    )
  } catch (error) {
    await dropJob(store, job)
    throw error
  } finally {
    release()
  }
}
