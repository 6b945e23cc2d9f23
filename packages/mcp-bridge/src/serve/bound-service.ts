import { createFailure, MAX_SERVED_CALLS, type ToolResult } from '@toolblocks/protocol'
import type { ToolService } from './tool-service.ts'

/**
 * The same service, which runs, or keeps waiting, so many calls and reads at a time, whoever its clients are. One more has failed at once, and
 * its result says why: a queue would only move the memory that it takes.
 */
export function boundService(service: ToolService, most: number = MAX_SERVED_CALLS): ToolService {
  let running = 0

  async function within(work: () => Promise<ToolResult>): Promise<ToolResult> {
    if (running >= most) return createFailure(tooMany(most))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }

  const { callTool, readResource } = service
  return {
    ...service,
    callTool: async (call, context) => await within(async () => await callTool(call, context)),
    ...(readResource && {
      readResource: async (uri, signal) =>
        await within(async () => await readResource(uri, signal)),
    }),
  }
}

function tooMany(most: number): string {
  return `This server runs ${most} calls at a time, and so many are running. The call was not run; make it again when another one has ended.`
}
