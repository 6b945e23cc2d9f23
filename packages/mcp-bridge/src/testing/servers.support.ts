import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@toolblocks/local-executor'
import type { InputRequest, QuestionContext, ToolContext, ToolResult } from '@toolblocks/protocol'
import { onTestFinished } from 'vitest'
import { connectServer } from '../connect-server.ts'
import type { McpServer, ServerHooks } from '../client/mcp-server.ts'
import type { ServerConfig } from '../client/server-config.ts'

const ODD = fileURLToPath(new URL('odd-server.support.ts', import.meta.url))

type Settings = Omit<Partial<ServerConfig>, 'transport'> & {
  args?: readonly string[]
  env?: Record<string, string>
}

/** Connects a server that behaves as the called tool's name says; closed with the test. */
export async function connectOdd(
  { args = [], env = {}, ...config }: Settings = {},
  hooks: ServerHooks = {},
): Promise<McpServer> {
  return await connect(
    {
      name: 'odd',
      transport: { kind: 'stdio', command: process.execPath, args: [ODD, ...args], env },
      ...config,
    },
    hooks,
  )
}

/** Connects a published server, by the name of its package. */
export async function connectPublished(
  name: string,
  args: readonly string[],
  hooks: ServerHooks = {},
  env: Record<string, string> = {},
  tools: NonNullable<ServerConfig['tools']> = {},
): Promise<McpServer> {
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  )
  const program = manifest.replace('package.json', 'dist/index.js')
  return await connect(
    {
      name,
      transport: { kind: 'stdio', command: process.execPath, args: [program, ...args], env },
      tools,
    },
    hooks,
  )
}

export async function connect(config: ServerConfig, hooks: ServerHooks = {}): Promise<McpServer> {
  const server = await connectServer(config, hooks, { startProgram })
  onTestFinished(async () => await server.close())
  return server
}

export function getContext(context: Partial<ToolContext> = {}): ToolContext {
  return { signal: new AbortController().signal, root: '/', answers: {}, ...context }
}

/** Calls a tool by the server's name of it. */
export async function call(
  server: McpServer,
  name: string,
  values: Record<string, unknown> = {},
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const tool = server.tools().find((candidate) => server.nameOnServer(candidate.name) === name)
  if (!tool)
    throw new Error(
      `no tool ${name} among ${server
        .tools()
        .map((known) => known.name)
        .join(', ')}`,
    )
  return await tool.execute(
    { id: 'call-1', name: tool.name, arguments: values },
    getContext(context),
  )
}

/** Answers every question with the result of the function, and records the questions. */
export function answering(
  answer: (
    request: InputRequest,
    context: QuestionContext,
  ) => Awaited<ReturnType<NonNullable<ToolContext['ask']>>>,
): {
  ask: NonNullable<ToolContext['ask']>
  asked: { request: InputRequest; context: QuestionContext }[]
} {
  const asked: { request: InputRequest; context: QuestionContext }[] = []
  return {
    asked,
    ask: async (request, context) => {
      asked.push({ request, context })
      return answer(request, context)
    },
  }
}

/** Returns the text of every block. */
export function getTexts({ content }: ToolResult): readonly string[] {
  return content.map((block) => (block.type === 'text' ? block.text : block.type))
}

export function firstText({ content }: ToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}
