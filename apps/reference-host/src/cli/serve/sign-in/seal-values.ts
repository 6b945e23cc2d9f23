import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { canonicalJson } from '@toolblocks/schema-check'

/** Encrypts values so that only this key opens them, and only for what they are about. */
export interface ValueSealer {
  /** Returns a text of letters, digits, `-` and `_`. */
  seal(value: JsonObject, about: readonly string[]): string
  /** Returns `undefined` for a text that was changed, has another key, or is about something else. */
  open(sealed: string, about: readonly string[]): JsonObject | undefined
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Creates a sealer with AES-256-GCM. `purpose` separates keys: what is sealed for one purpose cannot be opened for another. */
export function createValueSealer(key: Uint8Array, purpose: string): ValueSealer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `toolblocks ${purpose}`, KEY_BYTES))
  return {
    seal: (value, about) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, derived, nonce)
      cipher.setAAD(Buffer.from(canonicalJson(about)))
      const sealed = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    open: (sealed, about) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
      try {
        const opener = createDecipheriv(CIPHER, derived, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
        opener.setAAD(Buffer.from(canonicalJson(about)))
        opener.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const opened = [opener.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), opener.final()]
        const value: unknown = JSON.parse(Buffer.concat(opened).toString('utf8'))
        return isJsonObject(value) ? value : undefined
      } catch {
        return undefined
      }
    },
  }
}
