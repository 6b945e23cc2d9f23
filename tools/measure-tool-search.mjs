// Measures what search_tools and call_tool save: the characters of the definitions of all recorded servers (packages/mcp-bridge/recordings), beside
// those of the built-in tools and one search. A token has about four characters.
//
//   pnpm exec node tools/measure-tool-search.mjs
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { mergeToolOverrides } from '../packages/protocol/src/internal.ts'
import { createToolExecutor } from '../packages/tool-executor/src/index.ts'

const CHARACTERS_PER_TOKEN = 4
const QUERIES = ['read a file', 'take a screenshot of a page', 'search the web', 'list pods']

const folder = join(import.meta.dirname, '../packages/mcp-bridge/recordings')
const recordings = readdirSync(folder)
  .filter((file) => file.endsWith('.gz'))
  .map((file) => JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8')))
const tools = recordings.flatMap(({ name, exchanges }) =>
  exchanges
    .flatMap(({ result }) => result.tools ?? [])
    .map((tool) => ({ ...tool, name: `${name}__${tool.name}` })),
)
const entries = tools.map((tool) => ({
  tool: {
    ...mergeToolOverrides(tool, {}).definition,
    execute: async () => ({ content: [], isError: false }),
  },
  policy: 'unattended',
}))
const executor = createToolExecutor({ tools: entries, receivedText: 'description', deferAbove: 0 })
const count = (value) => Math.round(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
const all = count(
  tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
)
const listed = executor.definitions()
const two = count(
  listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
)
console.log(`${tools.length} definitions of ${recordings.length} servers: ${all} tokens`)
console.log(`${listed.map(({ name }) => name).join(', ')}: ${two} tokens`)
for (const query of QUERIES) {
  const call = { id: '1', name: 'search_tools', arguments: { query } }
  const { content } = await executor.execute(call, {
    signal: new AbortController().signal,
    root: '/',
  })
  const searchTokens = count(content)
  const saved = 100 * (1 - (two + searchTokens) / all)
  console.log(
    `with the search "${query}": ${two + searchTokens} tokens, ${saved.toFixed(1)} % less`,
  )
}
await executor.close()
