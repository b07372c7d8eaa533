import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#test/size.ts'
import { logoOf, renderPdf } from '../src/index.ts'
import { ordinary } from './samples.ts'

const chunk = (name: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

interface Shape {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly colorType: number
  readonly interlace: number
}

/** Writes a PNG. The rows are black; an interlaced one has more of them than it needs. */
function pngOf({ width, height, bits, colorType, interlace }: Shape, palette = colorType === 3): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([bits, colorType, 0, 0, interlace], 8)
  const channels = [1, 0, 3, 1, 2, 0, 4][colorType] ?? 1
  const rows = Buffer.alloc(height * (1 + 2 * interlace) * (1 + Math.ceil((width * bits * channels) / 8)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', Buffer.from('ff0000', 'hex'))] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const SHAPES: readonly Shape[] = [
  [0, 1],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 4],
  [3, 8],
  [4, 8],
  [6, 8],
  [6, 16],
].flatMap(([colorType = 0, bits = 0]) =>
  [0, 1].map((interlace) => ({ width: 9, height: 7, bits, colorType, interlace })),
)

/** A JPEG of one grey pixel. */
const JPEG = Buffer.from(
  'ffd8ffdb004300' +
    '01'.repeat(64) +
    'ffc0000b080001000101011100ffc40014000100000000000000000000000000000009ffc40014100100000000000000000000000000000000ffda0008010100003f0054df' +
    'ffd9',
  'hex',
)

const print = async (bytes: Uint8Array) =>
  renderPdf(ordinary(), { template: 'compact-blue', timestamp: '2026-03-05T12:00:00Z', logo: logoOf(bytes) })

it.each(SHAPES)(
  'a PNG of colour type $colorType with $bits bits is printed (interlace $interlace)',
  async (shape) => {
    const bytes = pngOf(shape)
    expect(logoOf(bytes)).toEqual({ bytes, width: 9, height: 7 })
    expect((await print(bytes)).length).toBeGreaterThan(1000)
  },
)

it('a JPEG is printed', async () => {
  expect(logoOf(JPEG)).toEqual({ bytes: JPEG, width: 1, height: 1 })
  expect((await print(JPEG)).length).toBeGreaterThan(1000)
})

const PNG = pngOf({ width: 60, height: 60, bits: 8, colorType: 2, interlace: 0 })
const changed = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy.set([bytes[at]! ^ 0xff], at)
  return copy
}

it.each([
  ['without its last bytes', PNG.subarray(0, -9), 'it is truncated'],
  ['without its second half', PNG.subarray(0, PNG.length / 2), 'it is truncated'],
  ['with a changed pixel', changed(PNG, 60), 'it is damaged'],
  ['with a changed size', changed(PNG, 19), 'it is damaged'],
  [
    'without its palette',
    pngOf({ width: 4, height: 4, bits: 8, colorType: 3, interlace: 0 }, false),
    'colour type',
  ],
  [
    'of 20,000 × 6,000 pixels',
    pngOf({ width: 20_000, height: 6000, bits: 1, colorType: 0, interlace: 0 }),
    '20000 x 6000',
  ],
  ['that is a JPEG without its end', JPEG.subarray(0, -2), 'it is truncated'],
  ['that is a JPEG without its scan', JPEG.subarray(0, 120), 'it is truncated'],
  [
    'that is a JPEG with arithmetic coding',
    Buffer.from(JPEG.toString('hex').replace('ffc0', 'ffc9'), 'hex'),
    'unusual JPEG',
  ],
  ['that is a GIF', Buffer.from('GIF89a'), 'cannot be read'],
  ['of no bytes', Buffer.alloc(0), 'cannot be read'],
])('a logo %s is refused', (_, bytes, reason) => {
  expect(() => logoOf(bytes)).toThrow(reason)
})

it('a logo with any bytes changed, and right check sums, is refused or printed', async () => {
  const pieces = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(JPEG, ...SHAPES.map((shape) => pngOf(shape))),
      pieces,
      async (bytes, changes) => {
        const copy = Buffer.from(bytes)
        for (const [at, value] of changes) copy.writeUInt8(value, at % copy.length)
        if (copy.subarray(1, 4).toString() === 'PNG')
          for (let at = 8; at + 12 <= copy.length; ) {
            const end = at + 8 + copy.readUInt32BE(at)
            if (end + 4 > copy.length) break
            copy.writeUInt32BE(crc32(copy.subarray(at + 4, end)), end)
            at = end + 4
          }
        try {
          logoOf(copy)
        } catch {
          return
        }
        await print(copy)
      },
    ),
    runs(2500, 50_000),
  )
})
