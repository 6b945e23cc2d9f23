/** Packages to install for it. */
export const OPENAI_AGENTS = ['@openai/agents', 'openai']

/** OpenAI's Agents: a model without a network calls the tool of the server, and receives the result in its next request. */
export async function createOpenAIAgents({ load, catchRequest, command, args }) {
  const agents = await load('@openai/agents')
  const { Agent, MCPServerStdio, OpenAIChatCompletionsModel, OpenAIResponsesModel } = agents
  const { default: OpenAI } = await load('openai')
  agents.setTracingDisabled(true)
  const server = new MCPServerStdio({ command, args, name: 'odd' })
  await server.connect()
  const MODELS = {
    'OpenAI Responses': [OpenAIResponsesModel, 'gpt-5', responseThatCalls],
    'OpenAI Chat': [OpenAIChatCompletionsModel, 'gpt-4.1', completionThatCalls],
  }
  return {
    own: async (provider, { content, isError, structuredContent }) => {
      if (!MODELS[provider]) return undefined
      const [Model, name, answer] = MODELS[provider]
      const output = JSON.stringify({ result: { content, isError, structuredContent } })
      const request = await catchRequest(async () => {
        const model = new Model(new OpenAI({ apiKey: 'none', maxRetries: 0 }), name)
        const agent = new Agent({ name: 'looker', model, mcpServers: [server] })
        await agents.run(agent, 'Look.')
      }, answer(output))
      // The arguments of the call contain the result too, so they are removed.
      return (
        request && JSON.parse(JSON.stringify(request).replaceAll(JSON.stringify(output), '"{}"'))
      )
    },
    close: async () => await server.close().catch(() => undefined),
  }
}

function responseThatCalls(argumentsText) {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c',
    name: 'answer',
    arguments: argumentsText,
  }
  return {
    id: 'resp_1',
    object: 'response',
    output: [{ ...item, status: 'completed' }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }
}

function completionThatCalls(argumentsText) {
  const call = { id: 'c', type: 'function', function: { name: 'answer', arguments: argumentsText } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}
