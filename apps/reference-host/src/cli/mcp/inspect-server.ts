import type { Terminal } from '../../terminal/terminal.ts'
import type { McpServer, WireMessage } from '@toolblocks/mcp-bridge'
import type { Tool, ToolResult } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { readArguments, type TypedArguments } from '../../terminal/typed/read-arguments.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { EXIT, getExitCode } from '../../process/exit-codes.ts'
import { openServers } from '../../workspace/servers/open-servers.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { loadServer } from './load-servers.ts'

/** The options of `toolblocks mcp inspect`. */
export interface InspectOptions extends SharedOptions, TypedArguments {}

/** `toolblocks mcp inspect NAME [TOOL]`: shows the messages of the connection, and how Toolblocks reads them. */
export async function inspectServer(
  context: CommandContext,
  { name, tool }: { name: string; tool: string | undefined },
  options: InspectOptions,
): Promise<number> {
  const { terminal, signal } = context
  const loaded = await loadServer(context, name, options)
  if (!loaded.ok) return loaded.code
  const { configuration, written } = loaded
  const messages: WireMessage[] = []
  const [opened] = await openServers([written], {
    root: configuration.root,
    environment: { ...process.env },
    hooks: () => ({
      canAsk: terminal.isInteractive,
      onMessage: (message) => void messages.push(message),
    }),
    signal,
  })
  if (!opened?.ok) {
    show(context.terminal, messages, options)
    if (opened?.reason !== 'failed') return EXIT.cancelled
    terminal.report(
      'error',
      [opened.message, ...(opened.fix === undefined ? [] : [opened.fix])].join('. '),
    )
    return EXIT.failed
  }
  const { server } = opened
  try {
    if (tool === undefined) {
      show(context.terminal, messages, options, describeServer(server))
      return EXIT.ok
    }
    messages.length = 0
    const called = await callTool(server, tool, { context, options, root: configuration.root })
    if (!called.ok) return refuse(context.terminal, called.message)
    show(context.terminal, messages, options, called.result)
    return getExitCode(called.result)
  } finally {
    await server.close()
  }
}

type Called = { ok: true; result: ToolResult } | { ok: false; message: string }

/** Calls a tool by its name on the server, or by its name in the workspace. */
async function callTool(
  server: McpServer,
  name: string,
  {
    context: { terminal, signal, readText, interrupt },
    options,
    root,
  }: { context: CommandContext; options: InspectOptions; root: string },
): Promise<Called> {
  const tools = server.tools()
  const getName = (tool: Tool): string => server.nameOnServer(tool.name) ?? tool.name
  const tool =
    tools.find((each) => getName(each) === name) ?? tools.find((each) => each.name === name)
  if (!tool) {
    const names = tools.map(getName)
    const message = `the server "${server.name}" has no tool ${JSON.stringify(name)}${formatSuggestions(name, names, 'it has')}`
    return { ok: false, message }
  }
  const values = await readArguments(options, { schema: tool.inputSchema, readText })
  if (!values.ok) return values
  const executor = createToolExecutor({
    tools: [{ tool, policy: 'unattended', arguments: 'as-given' }],
  })
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const user = createPerson(terminal, { root, interrupt })
  const call = { id: 'call-1', name: tool.name, arguments: values.values }
  const result = await executor.execute(call, { signal, root, ...(user && { ask: { user } }) })
  return { ok: true, result }
}

function describeServer(server: McpServer): unknown {
  const { name, protocolVersion, info, instructions, problems } = server
  const tools = server.tools().map(({ execute: _execute, ...definition }) => definition)
  return { name, protocolVersion, info, instructions, tools, problems }
}

function show(
  terminal: Terminal,
  messages: readonly WireMessage[],
  { output }: InspectOptions,
  made?: unknown,
): void {
  if (output === 'json')
    return terminal.printJson({ messages, ...(made !== undefined && { made }) })
  const { style } = terminal
  for (const { direction, message } of messages) {
    terminal.print(style.bold(direction === 'sent' ? 'sent:' : 'received:'))
    terminal.printJson(message)
  }
  if (made === undefined) return
  terminal.print(style.bold('read as:'))
  terminal.printJson(made)
}

function refuse(terminal: Terminal, message: string): number {
  terminal.report('error', message)
  return EXIT.usage
}
