import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import {
  createFailure,
  type ToolCall,
  type ToolResult,
  withErrorDetails,
} from '@toolblocks/protocol'
import type { CallUsage, Usage } from './call-usage.ts'

/** How much one client may use; `Infinity`: no limit. */
interface CallLimits {
  /** Calls that run. */
  atATime: number
  /** Calls in 60 seconds. */
  aMinute: number
  /** Bytes of arguments and results in 60 seconds. */
  bytesAMinute: number
}

const MINUTE_MS = 60_000

/** Limits the calls of one client, of all its sessions. A call that is refused says which limit is reached, and when it can be made again. */
export function limitCalls(
  usage: CallUsage,
  { id, name }: Pick<ClientIdentity, 'id' | 'name'>,
  limits: CallLimits,
): (call: Pick<ToolCall, 'arguments'>, run: () => Promise<ToolResult>) => Promise<ToolResult> {
  const hasLimits = Object.values(limits).some((most) => most < Infinity)
  const countBytes = (value: unknown): number =>
    limits.bytesAMinute < Infinity ? Buffer.byteLength(JSON.stringify(value) ?? '') : 0
  return async (call, run) => {
    if (!hasLimits) return await run()
    const bytes = countBytes(call.arguments)
    await usage.refresh()
    const refused = findExceeded(usage.read(id), limits, bytes)
    if (refused !== undefined) return refuse(name, refused)
    usage.count(id, { running: 1, calls: 1, bytes })
    let answered = 0
    try {
      const result = await run()
      answered = countBytes(result)
      return result
    } finally {
      usage.count(id, { running: -1, bytes: answered })
    }
  }
}

/** Says which limit a call would exceed, how much is used, and when again; `undefined`: none. */
function findExceeded(
  { running, spent }: Usage,
  { atATime, aMinute, bytesAMinute }: CallLimits,
  bytes: number,
): { text: string; isForever?: boolean } | undefined {
  if (running >= atATime)
    return {
      text: `may make ${format(atATime)} at a time, and ${format(running)} run or wait now. This call was not executed; make it again when one of them has ended`,
    }
  const calls = spent.reduce((sum, each) => sum + each.calls, 0)
  if (calls >= aMinute) {
    const again = findAge(spent, (each) => each.calls, calls - aMinute + 1)
    return {
      text: `may make ${format(aMinute)} a minute, and has made ${format(calls)}. This call was not executed; make it again in ${formatWait(again)}`,
    }
  }
  if (bytes > bytesAMinute)
    return {
      text: `may send and receive ${format(bytesAMinute)} bytes a minute, and the arguments of this call have ${format(bytes)}. It was not executed`,
      isForever: true,
    }
  const used = spent.reduce((sum, each) => sum + each.bytes, 0)
  const most = bytesAMinute - bytes
  if (used === 0 || (used < bytesAMinute && used <= most)) return undefined
  const again = findAge(spent, (each) => each.bytes, Math.max(used - most, used - bytesAMinute + 1))
  return {
    text: `may send and receive ${format(bytesAMinute)} bytes a minute, and has used ${format(used)}. This call was not executed; make it again in ${formatWait(again)}`,
  }
}

/** Returns the age of the latest use that must be forgotten so that this much is free. */
function findAge(
  spent: Usage['spent'],
  count: (each: Usage['spent'][number]) => number,
  needed: number,
): number {
  let freed = 0
  for (const each of spent) {
    freed += count(each)
    if (freed >= needed) return each.age
  }
  return 0
}

function formatWait(age: number): string {
  return `${Math.max(1, Math.ceil((MINUTE_MS - age) / 1000))} s`
}

function format(count: number): string {
  return count.toLocaleString('en')
}

function refuse(
  client: string,
  { text, isForever = false }: { text: string; isForever?: boolean },
): ToolResult {
  return withErrorDetails(
    createFailure(`Too many calls: the client ${JSON.stringify(client)} ${text}.`),
    {
      transient: !isForever,
      trace: [],
    },
  )
}
