// The libraries with a model on loopback. Each is driven by a script of this folder that connects the server and runs the agent as the library's documentation shows.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { anthropic } from '../../journeys/stage/providers/anthropic.ts'
import { openaiResponses } from '../../journeys/stage/providers/openai-responses.ts'

const SCRIPTS = join(import.meta.dirname, 'libraries')

/** Copies the script beside the packages that it imports. */
function command(id) {
  return ({ url, entry, modules }) => {
    const script = join(modules, '..', `${id}.mjs`)
    copyFileSync(join(SCRIPTS, `${id}.mjs`), script)
    return [process.execPath, script, url, entry.command, ...entry.args]
  }
}

/** `results`: the name for `--results`, because the library sends a name that its user chooses. The rest is as in hosts.mjs. */
export const LIBRARIES = [
  {
    id: 'ai-sdk',
    title: 'AI SDK',
    packages: ['@ai-sdk/mcp', 'ai', '@ai-sdk/anthropic', 'zod'],
    wire: anthropic,
  },
  {
    id: 'openai-agents',
    results: '@openai/agents',
    title: 'OpenAI Agents SDK',
    packages: ['@openai/agents', 'zod'],
    wire: openaiResponses,
  },
  {
    id: 'langchain',
    title: 'LangChain',
    packages: [
      '@langchain/mcp-adapters',
      'langchain',
      '@langchain/core',
      '@langchain/anthropic',
      'zod',
    ],
    wire: anthropic,
  },
  {
    id: 'mastra',
    results: '@mastra/mcp',
    never: ['picture beside structure'],
    title: 'Mastra',
    packages: ['@mastra/mcp', '@mastra/core', '@ai-sdk/anthropic', 'zod'],
    wire: anthropic,
  },
  {
    id: 'voltagent',
    results: '@voltagent/core',
    never: ['picture beside structure'],
    title: 'VoltAgent',
    packages: ['@voltagent/core', 'ai', '@ai-sdk/anthropic', 'zod'],
    wire: anthropic,
  },
  {
    id: 'strands',
    title: 'Strands Agents',
    packages: ['@strands-agents/sdk', '@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'zod'],
    wire: anthropic,
  },
].map((library) => ({ ...library, command: command(library.id) }))
