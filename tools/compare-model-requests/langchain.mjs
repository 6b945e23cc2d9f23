/** Packages to install for it. */
export const LANGCHAIN = [
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/mcp-adapters',
  '@langchain/anthropic',
  '@langchain/openai',
  '@langchain/google-genai',
]

/** The chat models of LangChain, with the messages that its tool node creates from the results of its MCP adapters. */
export async function createLangChain({ load, catchRequest, command, args }) {
  const { MultiServerMCPClient } = await load('@langchain/mcp-adapters')
  const { ToolNode } = await load('@langchain/langgraph/prebuilt')
  const { AIMessage, HumanMessage } = await load('@langchain/core/messages')
  const { ChatAnthropic } = await load('@langchain/anthropic')
  const { ChatOpenAI } = await load('@langchain/openai')
  const { ChatGoogleGenerativeAI } = await load('@langchain/google-genai')
  const settings = { apiKey: 'none', maxRetries: 0 }
  const models = {
    Anthropic: new ChatAnthropic({ ...settings, model: 'claude-sonnet-4-5' }),
    'OpenAI Responses': new ChatOpenAI({ ...settings, model: 'gpt-5', useResponsesApi: true }),
    'OpenAI Chat': new ChatOpenAI({ ...settings, model: 'gpt-4.1' }),
    'Gemini 3': new ChatGoogleGenerativeAI({ ...settings, model: 'gemini-3-pro-preview' }),
  }
  const client = new MultiServerMCPClient({
    mcpServers: { odd: { transport: 'stdio', command, args } },
    throwOnLoadError: false,
  })
  const tools = (await client.getTools()).filter(({ name }) => name === 'answer')
  const node = new ToolNode(tools)
  return {
    own: async (provider, { content, isError, structuredContent }) => {
      const call = {
        id: 'c',
        name: 'answer',
        args: { result: { content, isError, structuredContent } },
      }
      const calling = new AIMessage({ content: '', tool_calls: [call] })
      const { messages } = await node.invoke({ messages: [calling] })
      const short = new AIMessage({ content: '', tool_calls: [{ ...call, args: {} }] })
      const conversation = [new HumanMessage('Look.'), short, ...messages]
      return await catchRequest(async () => await models[provider].invoke(conversation))
    },
    close: async () => await client.close().catch(() => undefined),
  }
}
