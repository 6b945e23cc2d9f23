/** Bytes of a block, and of the length at the end of the last one. */
const BLOCK = 64
const LENGTH = 8

/** The first 64 primes, from which the constants of SHA-256 are derived. */
const primes: readonly number[] = findPrimes(64)

/** The first 32 bits of the fractions of the square roots of 8 primes, and of the cube roots of 64 (FIPS 180-4, 5.3.3 and 4.2.2). */
const START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

/**
 * Returns the SHA-256 of a text as UTF-8, in base64, on any platform (FIPS 180-4). It exists because `crypto.subtle` is asynchronous and needs a
 * secure context.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + LENGTH) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - LENGTH, BigInt(bytes.length) * 8n)
  const state = START.slice()
  for (let at = 0; at < padded.length; at += BLOCK) addBlock(state, view, at)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => digest.setUint32(index * 4, word))
  return btoa(String.fromCharCode(...new Uint8Array(digest.buffer)))
}

/** The words of a block of 64 bytes. */
const words = new Uint32Array(64)

function addBlock(state: Uint32Array, view: DataView, start: number): void {
  for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(start + at * 4)
  for (let at = 16; at < 64; at += 1) {
    const [older, newer] = [wordAt(at - 15), wordAt(at - 2)]
    const first = rotate(older, 7) ^ rotate(older, 18) ^ (older >>> 3)
    const second = rotate(newer, 17) ^ rotate(newer, 19) ^ (newer >>> 10)
    words[at] = wordAt(at - 16) + first + wordAt(at - 7) + second
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at += 1) {
    const chosen = (e & f) ^ (~e & g)
    const sumOfE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sumOfE + chosen + (ROUND[at] ?? 0) + wordAt(at)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const sumOfA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    ;[h, g, f, e] = [g, f, e, (d + first) | 0]
    ;[d, c, b, a] = [c, b, a, (first + sumOfA + majority) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] = (state[at] ?? 0) + word
  })
}

function wordAt(at: number): number {
  return words[at] ?? 0
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function fraction(root: number): number {
  return (root - Math.floor(root)) * 2 ** 32
}

function findPrimes(count: number): readonly number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number += 1)
    if (found.every((prime) => number % prime !== 0)) found.push(number)
  return found
}
