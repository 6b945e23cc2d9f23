import { inspect } from 'node:util'
import {
  createErrorResult,
  type ToolRequest,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import type { DefinedTool } from './defined-tool.ts'
import { checkTools, describeTools } from './describe-tools.ts'
import { spawnCall } from './live/spawn-call.ts'
import { answerRequest, findTool, runOf } from './program/answer-request.ts'
import { readLines } from './program/read-lines.ts'
import { readRequest } from './program/read-request.ts'
import { serveLines } from './program/serve-lines.ts'
import { takeOutput, type WriteOutput } from './program/take-output.ts'
import { usage } from './program/usage.ts'
import { writeResult } from './program/write-result.ts'
import { failure } from './run/failure.ts'

/**
 * Is the main program of tools: reads a request on standard input (else on the command line), answers it on standard output, and ends the process.
 * From its call on, whatever else is printed goes to standard error. An error that nobody caught is an error result, with exit code 0; SIGTERM
 * aborts the `signal` of the run. A person at a terminal gets a short usage text. Throws a `ToolDefinitionError` for tools that cannot be told apart.
 */
export async function runTools(tools: readonly DefinedTool[]): Promise<void> {
  checkTools(tools)
  const write = takeOutput()
  const [, , ...words] = process.argv
  const isTerminal = process.stdin.isTTY
  const isHelp = words.length === 1 && (words[0] === '--help' || words[0] === '-h')
  if (isHelp || (isTerminal && words.length === 0)) {
    await write(usage(tools))
    process.exit(0)
  }
  const lines = readLines(isTerminal ? nothing() : process.stdin)
  const read = await readRequest(lines, words)
  switch (read.kind) {
    case 'request':
      await answer(tools, read.request, { lines, write })
      process.exit(0)
    case 'unreadable':
      await write(writeResult(createErrorResult(read.message)))
      process.exit(1)
    case 'nothing':
      process.stderr.write(usage(tools))
      process.exit(1)
  }
}

async function answer(
  tools: readonly DefinedTool[],
  request: ToolRequest,
  { lines, write }: { lines: AsyncIterator<string>; write: WriteOutput },
): Promise<void> {
  if (request.context.action === 'schema') return await write(JSON.stringify(describeTools(tools)))
  const tool = findTool(tools, request)
  if ('isError' in tool) return await write(writeResult(tool, request.seq))
  const signal = abortOnTerminate()
  const unexpected = uncaught(tool.name)
  if (request.context.action !== 'spawn') {
    const result = await Promise.race([answerRequest(tool, request, signal), unexpected])
    return await write(writeResult(result))
  }
  const live = await Promise.race([spawnCall(tool, runOf(request, signal)), unexpected])
  if ('isError' in live) return await write(writeResult(withStatus(live, 'stopped'), request.seq))
  const serving = serveLines(live, lines, { write, signal, seq: request.seq })
  const ended = await Promise.race([serving, unexpected])
  if (ended) await write(`${writeResult(withStatus(ended, 'stopped'))}\n`)
  await live.abort()
}

function abortOnTerminate(): AbortSignal {
  const abort = new AbortController()
  process.once('SIGTERM', () => abort.abort())
  return abort.signal
}

/** What a tool lets happen outside of its promise is the result of the call too, and that nothing more can happen. */
function uncaught(tool: string): Promise<ToolResult> {
  return new Promise((resolve) => {
    process.on('uncaughtException', (thrown) => {
      process.stderr.write(`${inspect(thrown)}\n`)
      resolve(failure(tool, thrown))
    })
    process.once('beforeExit', () => {
      resolve(failure(tool, new Error('it waits for something that cannot come any more')))
    })
  })
}

/** A terminal has nobody at it who would type JSON. */
async function* nothing(): AsyncGenerator<Uint8Array> {}
