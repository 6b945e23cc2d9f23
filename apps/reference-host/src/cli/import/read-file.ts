import {
  type ReadConversation,
  type ReadConversationsOptions,
  isSqlite,
  openSource,
  readConversations,
} from '@toolblocks/session-import'
import { startProgram } from '@toolblocks/local-executor'
import { type StartedProgram } from '@toolblocks/protocol'
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_MS } from '@toolblocks/protocol/internal'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import type { DatabaseMessage } from './read-database.ts'

/** The options of how a file is read. */
interface ReadFile extends ReadConversationsOptions {
  /** `counts`: without the events. */
  what: 'counts' | 'events'
  signal: AbortSignal
  /** The maximum time for a database, in milliseconds. Default: `MAX_IMPORT_MS`. */
  ms?: number
}

/**
 * Reads the conversations of a file. A database is read in a process of its own, which may crash. Rejects with the reason if the file cannot be
 * read.
 */
export async function readFile(
  path: string,
  { what, signal, ms = MAX_IMPORT_MS, ...options }: ReadFile,
): Promise<readonly ReadConversation[]> {
  const source = openSource(path)
  if (!isSqlite(source.head)) return readConversations(source, options)
  const { from } = options
  const started = await startProgram({
    program: process.execPath,
    args: [HEAP, '--no-warnings', PROGRAM, path, what, ...(from === undefined ? [] : [from])],
    cwd: dirname(path),
    env: {},
    inherits: 'usual',
    streams: 'pipes',
  })
  if (!started.ok) throw new Error(`could not be read: ${started.message}`)
  return await listen(started.program, { signal, ms })
}

/** The maximum memory for a database: several times what the largest known ones need. */
const HEAP = '--max-old-space-size=2048'

/** The program beside this file, in the sources and in the built command. */
const PROGRAM = fileURLToPath(
  new URL(`read-database.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
)

async function listen(
  program: StartedProgram,
  { signal, ms }: { signal: AbortSignal; ms: number },
): Promise<readonly ReadConversation[]> {
  let over: string | undefined
  const end = (why: string): void => {
    over ??= why
    void program.kill()
  }
  const stop = (): void => end('the import was stopped')
  const timer = setTimeout(() => end(`it took more than ${ms / 1000} s`), ms)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const chunks: Uint8Array[] = []
  let bytes = 0
  program.onStdout((chunk) => {
    bytes += chunk.length
    if (bytes <= MAX_IMPORT_FILE_BYTES) chunks.push(chunk)
    else end(`its conversations have more than ${MAX_IMPORT_FILE_BYTES.toLocaleString('en')} bytes`)
  })
  program.onStderr(() => {})
  program.endInput()
  const { code } = await program.exited
  if (over === undefined) await program.closed
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  program.release()
  signal.throwIfAborted()
  if (over === undefined && code !== 0) over = `its reader process ended with ${code}`
  if (over !== undefined) throw new Error(`could not be read: ${over}`)
  return getConversations(Buffer.concat(chunks, bytes))
}

const LENGTH = 4

function getConversations(bytes: Buffer): readonly ReadConversation[] {
  const conversations: ReadConversation[] = []
  for (let offset = 0; offset < bytes.length;) {
    const start = offset + LENGTH
    const end = start + bytes.readUInt32LE(offset)
    const message: DatabaseMessage = deserialize(bytes.subarray(start, end))
    if (message.kind === 'failed') throw new Error(`could not be read: ${message.message}`)
    conversations.push(message.conversation)
    offset = end
  }
  return conversations
}
