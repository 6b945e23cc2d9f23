import {
  type AnswerQuestion,
  type LiveCall,
  type ToolRequest,
  type ToolResult,
  createErrorResult,
  readStatus,
  withStatus,
} from '@toolblocks/protocol'
import {
  formatProgressLine,
  MAX_OUTPUT_BYTES,
  META_RE,
  formatByteSize,
} from '@toolblocks/protocol/internal'
import { inspect } from 'node:util'
import { getMessage } from '../results/output.ts'
import type { ToolParts } from '../run/defined-tool.ts'
import { formatCall, runCall } from '../run/run-call.ts'
import { formatLogEntry, type GivenCall } from '../run/tool-context.ts'
import { parseRequest } from './read-request.ts'

/** Writes to the real standard output; settles when it is written. */
export type WriteOutput = (text: string) => Promise<void>

/** Answers the actions on a live call, one line each, until it has stopped, nobody asks any more, or `signal` aborts. The call continues. */
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

/** The tool that a request is for, or the result that says which there are. One alone is meant by any name. */
export function findTool(
  tools: readonly ToolParts[],
  { tool: called }: ToolRequest,
): ToolParts | ToolResult {
  const [only] = tools
  const tool = tools.find(({ name }) => name === called?.name)
  if (tool) return tool
  if (only && tools.length === 1) return only
  const names = tools.map(({ name }) => name).join(', ')
  return createErrorResult(
    `No tool is called ${JSON.stringify(called?.name)}; there are: ${names}.`,
  )
}

/** Runs the tool, or shows its arguments. Never rejects. */
export async function answerRequest(
  tool: ToolParts,
  request: ToolRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const call = readCall(request, signal)
  switch (request.context.action) {
    case 'run':
      return asksNothing(tool, await runCall(tool, call, { ask: cannotWait, onThrow: log }))
    case 'format_arguments':
      return await formatCall(tool, call)
    case 'schema':
    case 'spawn':
    case 'fetch':
    case 'apply':
    case 'abort':
      return createErrorResult(
        `No tool is running that could ${request.context.action}; spawn it first.`,
      )
  }
}

/** A program that runs once is started anew for an answer: one that stays alive would do again what it did before. */
const cannotWait: AnswerQuestion = async () => ({
  action: 'cancel',
  reason: 'nobody',
  message: 'a stateful tool can wait only where it is spawned, so declare it stateful',
})

/** Whoever gets a question starts the program again. */
function asksNothing({ work }: ToolParts, result: ToolResult): ToolResult {
  return work.stateful
    ? { ...result, content: result.content.filter(({ type }) => type !== 'question') }
    : result
}

/** Whoever writes the tool wants to know where it threw. */
function log(thrown: unknown): void {
  process.stderr.write(`${inspect(thrown)}\n`)
}

/** Reads a call from a request. Its progress and its log go to standard error (docs/protocol.md). */
export function readCall({ context, tool }: ToolRequest, signal: AbortSignal): GivenCall {
  const { root, workspace_id: workspaceId, conversation_id: conversationId } = context
  const { name = '', arguments: args = {} } = tool ?? {}
  return {
    call: { id: context.call_id ?? '', name, arguments: args },
    answers: tool?.answers ?? {},
    options: tool?.options ?? {},
    root,
    signal,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(conversationId !== undefined && { conversationId }),
    reports: {
      progress: (report) => writeLine(formatProgressLine(report)),
      log: (level, message) => writeLine(formatLogEntry(level, message)),
    },
  }
}

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A result as one line of JSON. What JSON cannot carry, or a host would not read, becomes an error result. */
export function writeResult(result: ToolResult, seq?: number): string {
  const line = tryWrite(result, seq)
  const { _meta: meta } = result
  return typeof line === 'string'
    ? line
    : JSON.stringify(
        withSeq({ ...createErrorResult(line.problem), ...(meta && { _meta: meta }) }, seq),
      )
}

function tryWrite(result: ToolResult, seq: number | undefined): string | { problem: string } {
  try {
    const line = JSON.stringify(withSeq(result, seq))
    const bytes = Buffer.byteLength(line)
    if (bytes <= MAX_OUTPUT_BYTES) return line
    return {
      problem: `The result of the tool has ${formatByteSize(bytes)}; a host reads ${formatByteSize(MAX_OUTPUT_BYTES)}. Ask for less at once.`,
    }
  } catch (thrown) {
    return { problem: `The result of the tool is no JSON: ${getMessage(thrown)}` }
  }
}

function withSeq(result: ToolResult, seq: number | undefined): ToolResult {
  const { _meta: meta } = result
  return seq === undefined ? result : { ...result, _meta: { ...meta, [META_RE]: seq } }
}
