import { toAiSdkTools } from '../../packages/ai-sdk/src/index.ts'
import { aiSdkProfile, toAiSdkPrompt } from '../../packages/ai-sdk/src/internal.ts'
import { createToolExecutor } from '../../packages/tool-executor/src/index.ts'

/** Packages to install for it. */
export const AI_SDK = [
  'ai',
  '@ai-sdk/mcp',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/google',
  '@ai-sdk/openai-compatible',
]

const call = { id: 'c', name: 'answer', arguments: {} }

/** The language models of the AI SDK: with the formatter's prompt, and with the prompt that its own MCP client creates from a result. */
export async function createAiSdk({ load, catchRequest, command, args }) {
  const settings = { apiKey: 'none' }
  const { createAnthropic } = await load('@ai-sdk/anthropic')
  const { createOpenAI } = await load('@ai-sdk/openai')
  const { createGoogleGenerativeAI, createGoogle } = await load('@ai-sdk/google')
  const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible')
  const { generateText } = await load('ai')
  const openai = createOpenAI(settings)
  const models = {
    Anthropic: createAnthropic(settings)('claude-sonnet-4-5'),
    'OpenAI Responses': openai.responses('gpt-5'),
    'OpenAI Chat': openai.chat('gpt-4.1'),
    'Gemini 3': (createGoogle ?? createGoogleGenerativeAI)(settings)('gemini-3-pro-preview'),
    'OpenAI-compatible': createOpenAICompatible({ name: 'local', baseURL: 'https://local.test' })(
      'm',
    ),
  }
  const { createMCPClient, experimental_createMCPClient } = await load('@ai-sdk/mcp')
  const { Experimental_StdioMCPTransport } = await load('@ai-sdk/mcp/mcp-stdio')
  const client = await (createMCPClient ?? experimental_createMCPClient)({
    transport: new Experimental_StdioMCPTransport({ command, args }),
  })
  const { z } = await load('zod')
  const { answer } = await client.tools({ schemas: { answer: { inputSchema: z.any() } } })

  const send = async (provider, prompt, tools = []) =>
    await catchRequest(async () => await models[provider].doGenerate({ prompt, tools }))

  /** Returns the output that the AI SDK's own MCP client creates from a result. */
  async function readOutput({ content, isError, structuredContent }) {
    const input = { result: { content, isError, structuredContent } }
    const output = await answer.execute(input, { toolCallId: 'c', messages: [] })
    return await answer.toModelOutput({ toolCallId: 'c', input, output })
  }

  const tool = { name: call.name, inputSchema: {}, execute: async () => ({ content: [] }) }
  const executor = createToolExecutor({ tools: [{ tool }] })
  const { tools: ourTools, prepareModel } = toAiSdkTools(executor, {
    context: { root: '/', conversationId: 'c' },
  })

  return {
    /** As `streamText` does: the output of the tool in a message, and the prepared model. */
    ours: async (provider, output) => {
      const made = { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: {} }
      const result = { type: 'tool-result', toolCallId: call.id, toolName: call.name }
      const toolOutput = await ourTools[call.name].toModelOutput({ output })
      return await catchRequest(
        async () =>
          await generateText({
            model: prepareModel(models[provider]),
            maxRetries: 0,
            messages: [
              { role: 'user', content: 'Look.' },
              { role: 'assistant', content: [made] },
              { role: 'tool', content: [{ ...result, output: toolOutput }] },
            ],
          }),
      )
    },
    formatted: async (provider, request) => {
      const profile = aiSdkProfile(models[provider])
      const { prompt, tools } = toAiSdkPrompt(request, { profile })
      return await send(provider, prompt, tools)
    },
    own: async (provider, result) => {
      const output = await readOutput(result).catch(() => undefined)
      if (!output) return undefined
      const part = { type: 'tool-result', toolCallId: call.id, toolName: call.name, output }
      const made = { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: {} }
      return await send(provider, [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [made] },
        { role: 'tool', content: [part] },
      ])
    },
    close: async () => await client.close().catch(() => undefined),
  }
}
