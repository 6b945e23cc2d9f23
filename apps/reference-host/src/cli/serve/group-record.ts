import type { ConversationEvent } from '@toolblocks/conversation-store'
import { READ_TOOL_RESULT } from '@toolblocks/conversation-store'
import type { ExecuteCall } from '@toolblocks/protocol'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'

/** Milliseconds until events are written: each write waits for the disk. */
const DELAY_MS = 50

/** A record whose events are written in groups. */
export interface GroupedRecord extends CallRecord {
  /** Writes all events so far. */
  flush(): Promise<void>
}

/** Writes the events of a record in groups, so that no call waits for the disk. A process that is killed loses the last group. */
export function groupRecord(record: CallRecord): GroupedRecord {
  let waiting: ConversationEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      // Also what has arrived while the group before was written.
      const events = waiting
      waiting = []
      if (events.length > 0) await record.record(...events)
    })
    await writing
  }

  return {
    ...record,
    record: async (...events) => {
      waiting.push(...events)
      timer ??= setTimeout(() => void flush(), DELAY_MS)
    },
    flush,
    close: async () => {
      await flush()
      await record.close()
    },
  }
}

/** Writes the record before the tool reads it. */
export function flushBeforeRead(
  callTool: ExecuteCall,
  { flush }: Pick<GroupedRecord, 'flush'>,
): ExecuteCall {
  return async (call, context) => {
    if (call.name === READ_TOOL_RESULT) await flush()
    return await callTool(call, context)
  }
}
