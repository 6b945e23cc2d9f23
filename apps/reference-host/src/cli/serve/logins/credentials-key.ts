import { resolve } from 'node:path'
import { getErrorText } from '@toolblocks/protocol/internal'
import { readRegularFile } from '../../../workspace/files/read-regular-file.ts'

/** The variable with the key. */
const KEY_VARIABLE = 'TOOLBLOCKS_CREDENTIALS_KEY'

const KEY_BYTES = 32
const MAX_FILE_BYTES = 4096

/** Reads the key that encrypts logins of people: from the file of the configuration, else from the environment. A message never contains what was read. */
export function readCredentialsKey(
  { root, file }: { root: string; file: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): { ok: true; key: Uint8Array } | { ok: false; message: string } {
  const where = file === undefined ? KEY_VARIABLE : `[serve] credentials_key_file`
  let text = environment[KEY_VARIABLE] ?? ''
  try {
    if (file !== undefined) text = readRegularFile(resolve(root, file), MAX_FILE_BYTES)
  } catch (error) {
    return { ok: false, message: `${where}: ${getErrorText(error)}` }
  }
  const trimmed = text.trim()
  if (trimmed === '')
    return {
      ok: false,
      message: `login = "each" needs a key for the logins of people: set ${KEY_VARIABLE} or [serve] credentials_key_file; "openssl rand -base64 32" makes one`,
    }
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64')
  if (key.length === KEY_BYTES) return { ok: true, key }
  return {
    ok: false,
    message: `${where}: expected ${KEY_BYTES} bytes in base64 or hexadecimal digits, got ${key.length}`,
  }
}
