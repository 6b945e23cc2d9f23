import {
  type ToolRequest,
  type ToolResult,
  createErrorResult,
  withStatus,
} from '@toolblocks/protocol'
import { inspect } from 'node:util'
import { checkExamplesThoroughly } from './definition/check-examples.ts'
import { readTools } from './describe-tools.ts'
import { readLines, readRequest } from './program/read-request.ts'
import {
  type WriteOutput,
  answerRequest,
  findTool,
  readCall,
  serveLines,
  writeResult,
} from './program/serve-lines.ts'
import type { DefinedTool, ToolParts } from './run/defined-tool.ts'
import { thrownResult } from './results/output.ts'

/**
 * Runs a program of tools: reads one request from standard input, or from the command line where that is empty, answers it on standard output, and ends the process
 * with exit code 0. From then on everything else that is printed goes to standard error. An error that nothing caught becomes an error result.
 * SIGTERM aborts the `signal` of the run. A person who starts the program at a terminal gets a short usage text. Rejects with a `ToolDefinitionError` for
 * an empty list and for two tools of one name.
 */
export async function runTools(defined: readonly DefinedTool[]): Promise<void> {
  const tools = readTools(defined)
  const write = takeOutput()
  const [, , ...args] = process.argv
  const isTerminal = process.stdin.isTTY
  const isHelp = args.length === 1 && (args[0] === '--help' || args[0] === '-h')
  if (isHelp || (isTerminal && args.length === 0)) {
    await write(usage(tools))
    process.exit(0)
  }
  const lines = readLines(isTerminal ? emptyInput() : process.stdin)
  const read = await readRequest(lines, args)
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
  tools: readonly ToolParts[],
  request: ToolRequest,
  { lines, write }: { lines: AsyncIterator<string>; write: WriteOutput },
): Promise<void> {
  if (request.context.action === 'schema') {
    await Promise.all(tools.map(checkExamplesThoroughly))
    return await write(JSON.stringify({ tools: tools.map(({ description }) => description) }))
  }
  const tool = findTool(tools, request)
  if ('isError' in tool) return await write(writeResult(tool, request.seq))
  const signal = abortOnTerminate()
  const unexpected = uncaught(tool.name)
  if (request.context.action !== 'spawn') {
    const result = await Promise.race([answerRequest(tool, request, signal), unexpected])
    return await write(writeResult(result))
  }
  const { spawnCall } = await import('./run/start-live-run.ts')
  const live = await Promise.race([spawnCall(tool, readCall(request, signal)), unexpected])
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
      resolve(thrownResult(tool, thrown))
    })
    process.once('beforeExit', () => {
      resolve(thrownResult(tool, new Error('it waits for something that cannot come any more')))
    })
  })
}

/** A terminal has nobody at it who would type JSON. */
async function* emptyInput(): AsyncGenerator<Uint8Array> {}

/** Takes standard output for responses alone: whatever else the tool prints goes to standard error. */
function takeOutput(): WriteOutput {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return (text) =>
    new Promise((resolve) => {
      // A host that has gone away is no failure of the tool.
      write(text, () => resolve())
    })
}

/** What a person reads who starts the program without a request. */
function usage(tools: readonly ToolParts[]): string {
  const width = Math.max(...tools.map(({ name }) => name.length))
  const lines = tools.map(({ name, description: { summary = '', title = '' } }) =>
    `  ${name.padEnd(width)}  ${summary || title}`.trimEnd(),
  )
  return `A program with tools for a model. A host starts it with a request on standard input.

${lines.join('\n')}

What it says of itself:
  echo '{"context":{"action":"schema","root":"."}}' | PROGRAM
A call:
  echo '{"context":{"action":"run","root":"."},"tool":{"name":${JSON.stringify(tools[0]?.name)},"arguments":{}}}' | PROGRAM
`
}
