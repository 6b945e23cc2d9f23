import { appendPointer } from '@toolblocks/protocol'

/** A piece of base64 that a value always leaves, wherever in a longer text it stands. */
export interface Base64Form {
  /** What does not depend on the bytes around the value. */
  core: string
  /** Bytes of the value in its group of three: 0, 1 or 2 before it. */
  offset: 0 | 1 | 2
  /** How many bytes the value has. */
  length: number
}

/** How a value may be written in what was kept. */
export interface SecretForms {
  /** The longest first. */
  texts: readonly string[]
  base64: readonly Base64Form[]
}

/** Characters of base64 before the core, by offset: they hold bits of what stands before the value. */
export const BEFORE_CORE = [0, 2, 3] as const

/** Writes a value as it is, in JSON (also twice, also without letters beyond ASCII), in an address, in a JSON Pointer, and in base64. */
export function formsOf(secret: string): SecretForms {
  const once = inJson(secret)
  const texts = [
    secret,
    once,
    inJson(once),
    toAscii(once),
    encodeURIComponent(secret),
    appendPointer('', secret).slice(1),
  ]
  return {
    texts: [...new Set(texts)].toSorted((one, other) => other.length - one.length),
    base64: [...new Set([secret, once])].flatMap((text) => base64FormsOf(Buffer.from(text))),
  }
}

/** The same forms for a text in which every byte is one character (`latin1`). */
export function formsInBytes({ texts, base64 }: SecretForms): SecretForms {
  return { texts: texts.map((text) => Buffer.from(text).toString('latin1')), base64 }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function toAscii(text: string): string {
  return text.replaceAll(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function base64FormsOf(bytes: Uint8Array): readonly Base64Form[] {
  return ([0, 1, 2] as const).flatMap((offset) => {
    const placed = Buffer.concat([Buffer.alloc(offset), bytes])
    // The last characters hold bits of what follows, unless a group ends with the value.
    const whole = placed.length - (placed.length % 3)
    const rest = [0, 1, 2][placed.length % 3] ?? 0
    const end = (whole / 3) * 4 + rest
    return (['base64', 'base64url'] as const).map((alphabet) => ({
      core: placed.toString(alphabet).slice(BEFORE_CORE[offset], end),
      offset,
      length: bytes.length,
    }))
  })
}
