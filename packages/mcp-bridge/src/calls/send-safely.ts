import type { ToolDefinition } from '@toolblocks/protocol'
import type { Connection, Loss, Reply } from '../connection/connection.ts'
import { type Ending, signalOf } from '../connection/ending.ts'
import type { KeptConnection } from '../connection/keep-connection.ts'

/** A request that may be made twice, if it surely was not executed or does no harm. */
export interface SafeRequest {
  definition: ToolDefinition
  ending: Ending
  send: (connection: Connection) => Promise<Reply>
}

/** Sends a request, on a new connection where there is none; once more where that is safe. */
export async function sendSafely(
  { kept, trusted }: { kept: KeptConnection; trusted: boolean },
  { definition, ending, send }: SafeRequest,
): Promise<Reply> {
  const first = await sendOnce(kept, { ending, send })
  if (first.kind !== 'loss' || ending.hasEnded) return first
  const isHarmless = trusted && isRepeatable(definition)
  if (!mayRepeat(first.loss, isHarmless)) return first
  const second = await sendOnce(kept, { ending, send })
  // Whatever the second try did: the first may have done it.
  return second.kind === 'loss' && first.loss.maybeExecuted
    ? { kind: 'loss', loss: { ...second.loss, maybeExecuted: true } }
    : second
}

async function sendOnce(
  kept: KeptConnection,
  { ending, send }: Pick<SafeRequest, 'ending' | 'send'>,
): Promise<Reply> {
  const connection = kept.current ?? (await kept.get(signalOf(ending)))
  if (ending.hasEnded) return { kind: 'aborted' }
  if ('reason' in connection) return { kind: 'loss', loss: connection }
  const reply = await send(connection)
  if (reply.kind === 'loss' && reply.loss.kind === 'session-expired') await kept.drop(connection)
  return reply
}

function mayRepeat({ kind, maybeExecuted, transient }: Loss, isHarmless: boolean): boolean {
  switch (kind) {
    case 'session-expired':
      return true
    case 'lost':
      return maybeExecuted ? isHarmless && transient : true
    case 'not-started':
    case 'unreachable':
    case 'unauthorized':
    case 'timeout':
    case 'not-understood':
    case 'closed':
    case 'too-large':
      return false
  }
}

/** What a tool says of itself; counts only where the user trusts its server. */
function isRepeatable({ annotations }: ToolDefinition): boolean {
  return annotations?.['readOnlyHint'] === true || annotations?.['idempotentHint'] === true
}
