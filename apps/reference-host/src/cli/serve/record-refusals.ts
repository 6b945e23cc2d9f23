import { randomUUID } from 'node:crypto'
import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import {
  type CallContext,
  createFailure,
  type ExecuteCall,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { MAX_CALL_NAME_BYTES, quoteName, takeCodeUnits } from '@toolblocks/protocol/internal'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'
import { recordCalls } from './record-calls.ts'
import type { ClientRights } from './clients/client-rights.ts'

/** Where calls of tools that a client is not offered are recorded. */
export interface RefusalRecord {
  /** Records a call that `execute` answers. */
  recordEach(execute: ExecuteCall): ExecuteCall
  record: CallRecord['record']
  /** Returns what the record says of a call. */
  describe(name: string): ToolResult
  close(): Promise<void>
}

/** Records the calls of tools that a client is not offered. */
export interface Refusals {
  /** Records a call, if the limits of the client allow one more. It never rejects. */
  add(call: ToolCall): Promise<void>
  close(): Promise<void>
}

/**
 * Records calls of tools that a client is not offered, without their arguments: their size is not limited, and no schema says what they are. They count as calls of the
 * client. Of those above its limits, the record has the number, so a client can neither fill the record nor hide that it tries names.
 */
export function recordRefusals(
  { recordEach, record, describe, close }: RefusalRecord,
  {
    root,
    limitCall,
  }: {
    root: string
    limitCall: (call: ToolCall, run: () => Promise<ToolResult>) => Promise<ToolResult>
  },
): Refusals {
  const context: CallContext = { root, signal: new AbortController().signal }
  let omitted = 0

  async function recordOmitted(): Promise<void> {
    if (omitted === 0) return
    const event = countOmitted(omitted)
    omitted = 0
    await record(event)
  }

  return {
    add: async (call) => {
      omitted += 1
      await limitCall(call, async () => {
        omitted -= 1
        await recordOmitted()
        const name = shortenName(call.name)
        const recorded = { id: call.id, name, arguments: {} }
        const result = { ...describe(name), id: call.id }
        return await recordEach(async () => result)(recorded, context)
      }).catch(() => undefined)
    },
    close: async () => {
      await recordOmitted()
      await close()
    },
  }
}

function countOmitted(count: number): ConversationEvent {
  return { type: 'configuration', values: { refused_calls_over_limit: count } }
}

function shortenName(name: string): string {
  return Buffer.byteLength(name) > MAX_CALL_NAME_BYTES ? `${takeCodeUnits(name, 64)}…` : name
}

/** Says in the record of a client that a tool is not offered to it. */
export function describeUnoffered(name: string): ToolResult {
  return createFailure(
    `The client is not offered a tool ${quoteName(name)}; nothing was run. ${WITHOUT_ARGUMENTS}`,
  )
}

const WITHOUT_ARGUMENTS = 'Its arguments are not recorded.'

/**
 * Opens the record of the calls that a client with restricted rights is refused. It is a conversation of its own that belongs to nobody: the client reads its own
 * conversations on pages and with `read_tool_result`, and must not learn there which of these tools exist.
 */
export function openRefusalRecord(
  { beginRecord }: { beginRecord(conversation: string): CallRecord },
  { maySee }: Pick<ClientRights, 'maySee'>,
  { root, client }: { root: string; client: Pick<ServedClient, 'identified' | 'info' | 'address'> },
): RefusalRecord {
  const { identified, info, address } = client
  const turns = { last: 0, running: 0 }
  let begun: CallRecord | undefined
  const begin = (): CallRecord => (begun ??= beginRecord(randomUUID()))
  return {
    recordEach: (execute) => async (call, context) =>
      await recordCalls(
        execute,
        begin(),
        {
          folder: root,
          ...(info && { client: info }),
          ...(identified && { refused: { id: identified.id, name: identified.name } }),
          ...(address !== undefined && { address }),
        },
        { turns },
      )(call, context),
    record: async (...events) => await begin().record(...events),
    describe: (name) =>
      maySee(name)
        ? describeUnoffered(name)
        : createFailure(
            `The rights of the client ${quoteName(identified?.name ?? '')} do not include a tool ${quoteName(name)}. The client was answered that there is no such tool; nothing was run. ${WITHOUT_ARGUMENTS}`,
            'denied',
          ),
    close: async () => await begun?.close(),
  }
}
