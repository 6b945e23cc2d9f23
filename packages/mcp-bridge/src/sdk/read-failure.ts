import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { Loss, Reply } from '../connection/connection.ts'
import { META_COVERED } from './see-through.ts'

/** Reads what the SDK rejects a request with. */
export function readFailure(
  error: unknown,
  { ended, isAborted }: { ended: Loss | undefined; isAborted: boolean },
): Reply {
  const loss = lossIn(error)
  if (loss) return { kind: 'loss', loss }
  if (isAborted) return { kind: 'aborted' }
  // What the SDK says of its own has no data of ours, and comes of the end.
  if (isServersError(error)) {
    const data = field(error.data, 'data')
    return {
      kind: 'error',
      code: error.code,
      message: withoutPrefix(error.message),
      ...(data !== undefined && { data }),
    }
  }
  if (ended) return { kind: 'loss', loss: ended }
  // It may quote what came of a server.
  const said = error instanceof Error ? error.message : String(error)
  const reason = 'it could not be sent'
  return {
    kind: 'loss',
    loss: { kind: 'lost', reason, said, maybeExecuted: false, transient: true },
  }
}

/** The loss that stands in an error's data: nobody but `seeThrough` can have put it there. */
export function lossIn(error: unknown): Loss | undefined {
  if (!isServersError(error)) return undefined
  const loss = field(error.data, 'loss')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- covered errors have no other
  return isJsonObject(loss) ? (loss as unknown as Loss) : undefined
}

/** An error with the data that `seeThrough` gives it; those of the SDKs' own have a name for a code, or no such data. */
export function isServersError(
  error: unknown,
): error is Error & { code: number; data: JsonObject } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'number' &&
    'data' in error &&
    isJsonObject(error.data) &&
    field(error.data, META_COVERED) === true
  )
}

/** Servers made with the SDK put the prefix before messages that have it already. */
export function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error -?\d+: )+/, '')
}
