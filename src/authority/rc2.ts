/**
 * RC2 in CBC mode, to read and never to write: files with certificates that Windows, browsers and Java wrote for
 * twenty years hide the certificate with it. OpenSSL has it only where Node was started for it, WebCrypto never had it.
 *
 * Source: RFC 2268, sections 2 (key expansion), 4 (decryption) and the table PITABLE of section 2.
 */

/** The permutation of RFC 2268, made of the digits of pi. */
const PI = Buffer.from(
  `d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2
   179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82
   54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626
   6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7
   08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec
   c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731
   2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9
   0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad`.replaceAll(/\s/g, ''),
  'hex',
)

const BLOCK = 8
/** Words of the expanded key. */
const WORDS = 64

/** The 64 words of a key, of which `bits` are effective. */
function expand(key: Uint8Array, bits: number): Uint16Array {
  const bytes = new Uint8Array(2 * WORDS)
  bytes.set(key)
  for (let i = key.length; i < bytes.length; i++)
    bytes[i] = PI[(bytes[i - 1]! + bytes[i - key.length]!) & 0xff]!
  const effective = Math.ceil(bits / 8)
  const mask = 0xff >> (8 * effective - bits)
  const start = bytes.length - effective
  bytes[start] = PI[bytes[start]! & mask]!
  for (let i = start - 1; i >= 0; i--) bytes[i] = PI[bytes[i + 1]! ^ bytes[i + effective]!]!
  return Uint16Array.from({ length: WORDS }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8))
}

/** How far each word is turned in a mixing round. */
const TURNS = [1, 2, 3, 5] as const
/** Rounds after which a mashing round comes, counted from the end. */
const MASHED = [5, 11]
const ROUNDS = 16

/** One block, in place. */
function decryptBlock(words: Uint16Array, r: Uint16Array): void {
  let at = WORDS - 1
  for (let round = 1; round <= ROUNDS; round++) {
    for (let i = 3; i >= 0; i--) {
      const turn = TURNS[i]!
      const turned = (r[i]! >>> turn) | (r[i]! << (16 - turn))
      const [before, second, third] = [r[(i + 3) & 3]!, r[(i + 2) & 3]!, r[(i + 1) & 3]!]
      r[i] = turned - words[at]! - (before & second) - (~before & third)
      at--
    }
    if (MASHED.includes(round)) for (let i = 3; i >= 0; i--) r[i] = r[i]! - words[r[(i + 3) & 3]! & 63]!
  }
}

/** What was encrypted, with its padding taken off. Throws for a length or a padding that RC2 in CBC never has. */
export function decryptRc2(key: Uint8Array, iv: Uint8Array, data: Uint8Array, bits: number): Uint8Array {
  if (data.length === 0 || data.length % BLOCK !== 0)
    throw new Error('its length is not that of whole blocks')
  const words = expand(key, bits)
  const plain = new Uint8Array(data.length)
  const block = new Uint16Array(4)
  let before = iv
  for (let at = 0; at < data.length; at += BLOCK) {
    const piece = data.subarray(at, at + BLOCK)
    for (let i = 0; i < 4; i++) block[i] = piece[2 * i]! | (piece[2 * i + 1]! << 8)
    decryptBlock(words, block)
    for (let i = 0; i < BLOCK; i++) plain[at + i] = ((block[i >> 1]! >> (8 * (i & 1))) & 0xff) ^ before[i]!
    before = piece
  }
  const padding = plain.at(-1)!
  const end = plain.length - padding
  if (padding === 0 || padding > BLOCK || plain.subarray(end).some((one) => one !== padding))
    throw new Error('its padding is damaged')
  return plain.subarray(0, end)
}
