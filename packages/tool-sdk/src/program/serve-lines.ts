import {
  createErrorResult,
  type LiveCall,
  readStatus,
  type ToolRequest,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { parseRequest } from './read-request.ts'
import type { WriteOutput } from './take-output.ts'
import { writeResult } from './write-result.ts'

/** Answers the actions on a live call, one line each, until it has stopped, nobody asks any more, or `signal` aborts. The call goes on. */
export async function serveLines(
  live: LiveCall,
  lines: AsyncIterator<string>,
  { write, signal, seq }: { write: WriteOutput; signal: AbortSignal; seq: number | undefined },
): Promise<void> {
  const over = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => over.resolve(), { once: true })

  async function reply(result: ToolResult, to: number | undefined): Promise<void> {
    await write(`${writeResult(result, to)}\n`)
    if (readStatus(result) === 'stopped') over.resolve()
  }

  async function serve(): Promise<void> {
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      const read = parseRequest(next.value)
      // Not waited for: an abort may come while an input is still at work.
      if (read.kind === 'request') void answer(read.request)
      else if (read.kind === 'unreadable') process.stderr.write(`${read.message}\n`)
    }
  }

  async function answer(request: ToolRequest): Promise<void> {
    await reply(await act(live, request, signal), request.seq)
  }

  await reply(live.started, seq)
  await Promise.race([over.promise, serve()])
}

async function act(
  live: LiveCall,
  { context: { action }, tool: { input, answers = {} } = { name: '' } }: ToolRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  switch (action) {
    case 'fetch':
      return await live.fetch({ signal })
    case 'apply':
      return await live.apply(input === undefined ? { answers } : { input }, { signal })
    case 'abort':
      return await live.abort()
    case 'spawn':
    case 'run':
    case 'format_arguments':
    case 'schema':
      return withStatus(
        createErrorResult(`The tool runs already; it takes fetch, apply and abort, not ${action}.`),
        'running',
      )
  }
}
