import { randomBytes } from 'node:crypto'
import { hashToken } from '@toolblocks/mcp-bridge/identity'
import { isJsonObject } from '@toolblocks/protocol'
import { settingsFile } from '../../../workspace/files/own-folders.ts'
import { openOwnList } from '../../../workspace/locks/own-list.ts'
import type { LockWait } from '../../../workspace/locks/with-lock.ts'

/** A token of a client of `toolblocks serve --http`, without the token itself. */
export interface ClientToken {
  /** The id by which it is revoked. */
  id: string
  /** The name of the client. */
  name: string
  hash: string
  /** ISO 8601, UTC. Absent: it does not expire. */
  expires?: string
  /** When it was added: ISO 8601, UTC. */
  at: string
}

/** A token in the file of a user. */
interface StoredToken extends ClientToken {
  /** What the token is for: the folder of a workspace, or the servers that were typed. */
  root: string
}

/** The tokens that this user has given to clients. */
interface TokenStore {
  /** Returns the tokens of one workspace, or all, the oldest first. */
  list(root?: string): readonly StoredToken[]
  /** Adds a token. It is returned once, and only its hash is stored. */
  add(
    token: Pick<StoredToken, 'root' | 'name' | 'expires'>,
  ): Promise<{ stored: StoredToken; token: string }>
  /** Removes a token and returns it. `undefined`: it does not exist. */
  revoke(id: string): Promise<StoredToken | undefined>
}

/** Tokens begin with this, so that programs which search for secrets recognize them. */
const PREFIX = 'toolblocks_'
const TOKEN_BYTES = 32

/** Opens the tokens of this user. A file that cannot be read has no tokens, and invalid entries are ignored. */
export function openStoredTokens(file: string, wait: LockWait = {}): TokenStore {
  const { list, add, revoke } = openOwnList(file, 'tokens', isStoredToken, wait)
  return {
    list,
    revoke,
    add: async (about) => {
      const { token, hash } = createToken()
      const { id, at } = await add({ ...about, hash })
      return { stored: { ...about, id, hash, at }, token }
    },
  }
}

/** Creates a token, and what is stored of it. */
export function createToken(): { token: string; hash: string } {
  const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, hash: hashToken(token) }
}

/** Returns the path of this user's file of tokens. */
export function tokensFile(): string {
  return settingsFile('client-tokens.json')
}

function isStoredToken(value: unknown): value is StoredToken {
  return isJsonObject(value) && typeof value['root'] === 'string' && isClientToken(value)
}

/** Whether a value is a token as it was stored. */
export function isClientToken(value: unknown): value is ClientToken {
  if (!isJsonObject(value)) return false
  const { expires } = value
  return (
    ['id', 'name', 'hash', 'at'].every((key) => typeof value[key] === 'string') &&
    (expires === undefined || (typeof expires === 'string' && !Number.isNaN(Date.parse(expires))))
  )
}
