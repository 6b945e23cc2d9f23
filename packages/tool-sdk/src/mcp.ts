import { runInquiry } from '@toolblocks/inquiry'
import { describeMissingPeer } from '@toolblocks/protocol/internal'
import { Console } from 'node:console'
import { basename, extname } from 'node:path'
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { checkExamplesThoroughly } from './definition/check-examples.ts'
import { readTools } from './describe-tools.ts'
import type { DefinedTool } from './run/defined-tool.ts'
import { formatLogEntry, type LogLevel } from './run/tool-context.ts'
import { toTool } from './to-tool.ts'

/** How the server describes itself, and what its tools get. */
interface ServeToolsOptions {
  /** The name of the server. Default: the file name of the program, without its extension. */
  readonly name?: string
  /** The version of the server. Default: `0.0.0`. */
  readonly version?: string
  /** How a model should use the tools. Default: none. */
  readonly instructions?: string
  /** The absolute path of the workspace, for `context.root`. Default: the current directory. */
  readonly root?: string
  /** The tools' own settings, for `context.options`. Default: `{}`. */
  readonly options?: Readonly<Record<string, unknown>>
}

const ENTRY = { entry: '@toolblocks/tool-sdk/mcp', peer: '@toolblocks/mcp-bridge' }

/**
 * Runs a program of tools as an MCP server on standard input and output, in every version of MCP that `@toolblocks/mcp-bridge` speaks, and ends the process when the
 * client closes the input. Everything else that is printed, and what tools write with `context.log`, goes to standard error. Questions become elicitations, reports of
 * progress become progress notifications, and a stateful tool runs from start to end while its questions are asked. SIGTERM and SIGINT abort the calls that run.
 * Rejects with a `ToolDefinitionError` for an empty list, two tools of one name and an example that does not fit; and with an error that says what to install
 * where `@toolblocks/mcp-bridge`, an optional peer, is missing.
 */
export async function serveTools(
  defined: readonly DefinedTool[],
  options: ServeToolsOptions = {},
): Promise<void> {
  const parts = readTools(defined)
  const output = takeOutput()
  const { serveStdio } = await import('@toolblocks/mcp-bridge/server').catch((cause: unknown) => {
    throw describeMissingPeer(cause, ENTRY)
  })
  await Promise.all(parts.map(checkExamplesThoroughly))
  const { name = nameOfProgram(), version = '0.0.0', instructions, root = process.cwd() } = options
  const tools = new Map(defined.map((tool) => [tool.name, toTool(tool, { onLog: writeLog })]))
  const definitions = parts.map(({ definition }) => definition)
  const served = await serveStdio(
    {
      name,
      version,
      ...(instructions !== undefined && { instructions }),
      root,
      definitions: () => definitions,
      callTool: async (call, context) => {
        const tool = tools.get(call.name)
        // The bridge refuses calls of tools that are not offered.
        if (!tool) throw new Error(`no tool is called ${JSON.stringify(call.name)}`)
        const inquiry = { context, ...(options.options && { options: options.options }) }
        return await runInquiry(tool, call, inquiry)
      },
    },
    { output },
  )
  process.on('uncaughtException', (thrown) => void process.stderr.write(`${inspect(thrown)}\n`))
  const stop = (): void => void served.close({ graceMs: 0 })
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  await served.closed
  process.exit(0)
}

function writeLog(level: LogLevel, message: string): void {
  process.stderr.write(`${formatLogEntry(level, message)}\n`)
}

function nameOfProgram(): string {
  const { 1: program = 'tools' } = process.argv
  return basename(program, extname(program))
}

/** Takes standard output for messages of MCP: everything else goes to standard error. */
function takeOutput(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  globalThis.console = new Console(stderr)
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) =>
      void write(chunk, (error) => done(error ?? null)),
  })
}
