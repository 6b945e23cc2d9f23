#!/usr/bin/env node
// Counts how much of the results of an MCP server reaches models, and writes it into docs/fidelity.md: node tools/compare-model-requests.mjs. The
// other clients are installed into a temporary folder; no provider is called.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toAnthropicRequest as toAnthropic } from '../packages/formatter/src/anthropic.ts'
import { toGoogleRequest as toGoogle } from '../packages/formatter/src/google.ts'
import {
  openAiCompatibleProfile,
  toOpenAiChatRequest,
  toOpenAiResponsesRequest,
} from '../packages/formatter/src/openai.ts'
import { AI_SDK, createAiSdk } from './compare-model-requests/ai-sdk.mjs'
import {
  countRequests,
  findWrong,
  KINDS,
  MIXED_CHECKS,
  RESULTS,
} from './compare-model-requests/count-request.mjs'
import { createLangChain, LANGCHAIN } from './compare-model-requests/langchain.mjs'
import { replaceSection } from './bench/sections.mjs'
import { createOpenAIAgents, OPENAI_AGENTS } from './compare-model-requests/openai-agents.mjs'

const root = resolve(import.meta.dirname, '..')
const OTHERS = [...AI_SDK, ...LANGCHAIN, ...OPENAI_AGENTS, 'zod']
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-models-'))
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...OTHERS], {
  cwd: folder,
  stdio: 'ignore',
})
const from = createRequire(join(folder, 'package.json'))
const load = async (name) => await import(pathToFileURL(from.resolve(name)).href)

let answers = []
let sent
globalThis.fetch = async (request, options) => {
  const body = options?.body ?? (request instanceof Request ? await request.text() : undefined)
  const answer = answers.shift()
  if (answer) return Response.json(answer)
  if (body) sent = JSON.parse(body)
  return Response.json({ error: { message: 'this is not sent' } }, { status: 400 })
}

/** Catches the last request before it is sent; earlier ones are answered. */
async function catchRequest(send, ...before) {
  answers = before
  sent = undefined
  await send().catch(() => undefined)
  return sent
}

const program = join(root, 'packages/mcp-bridge/src/testing/odd-server.support.ts')
const setup = { load, catchRequest, command: process.execPath, args: [program, 'plain'] }
const aiSdk = await createAiSdk(setup)
const langChain = await createLangChain(setup)
const agents = await createOpenAIAgents(setup)

const FORMATTER = {
  Anthropic: toAnthropic,
  'OpenAI Responses': toOpenAiResponsesRequest,
  'OpenAI Chat': toOpenAiChatRequest,
  'Gemini 3': toGoogle,
  'OpenAI-compatible': (request) =>
    toOpenAiChatRequest(request, { profile: openAiCompatibleProfile }),
}

/** The clients that write a request for a provider from a result. */
const WRITERS = {
  'formatter, alone': (provider, _, request) => FORMATTER[provider](request),
  'formatter, through the AI SDK': async (provider, _, request) =>
    await aiSdk.formatted(provider, request),
  '`@toolblocks/ai-sdk`': aiSdk.ours,
  '`@ai-sdk/mcp`': aiSdk.own,
  '`@langchain/mcp-adapters`': langChain.own,
  '`@openai/agents`': agents.own,
}

/** The providers of clients that do not have all. */
const CLIENTS_OF = {
  '`@langchain/mcp-adapters`': ['Anthropic', 'OpenAI Responses', 'OpenAI Chat', 'Gemini 3'],
  '`@openai/agents`': ['OpenAI Responses', 'OpenAI Chat'],
}

const call = { id: 'c', name: 'answer', arguments: {} }
const rows = []
for (const provider of Object.keys(FORMATTER))
  for (const [by, write] of Object.entries(WRITERS)) {
    if (!(CLIENTS_OF[by] ?? Object.keys(FORMATTER)).includes(provider)) continue
    const requests = {}
    for (const [kind, result] of Object.entries(RESULTS)) {
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [], calls: [call] },
        { role: 'tool', results: [{ call, result }] },
      ]
      requests[kind] = await write(provider, result, { messages, tools: [] })
    }
    if (process.argv.includes('--print')) console.log(provider, by, JSON.stringify(requests))
    const { media, misplaced, base64, texts, failed, sent: times } = countRequests(requests)
    const failure = failed ? 'yes' : 'no'
    const wrong = findWrong(requests)
    console.log(`${provider}, ${by}: ${wrong.join(', ')}`)
    rows.push({
      provider,
      by,
      cells: [media, misplaced, base64, texts, failure, times, wrong.length].join(' | '),
    })
  }
/** Clients with the same values for a provider share a line. */
const shared = Map.groupBy(rows, ({ provider, cells }) => `${provider} ${cells}`)
const lines = [...shared.values()].map((alike) => {
  const [{ provider, cells }] = alike
  return `| ${provider} | ${alike.map(({ by }) => by).join('; ')} | ${cells} |`
})
await Promise.all([aiSdk.close(), langChain.close(), agents.close()])

const versions = [...new Set(OTHERS)]
  .filter((name) => !['zod', 'openai', '@langchain/langgraph'].includes(name))
  .map((name) => {
    const file = join(folder, 'node_modules', name, 'package.json')
    return `\`${name}\` ${JSON.parse(readFileSync(file, 'utf8')).version}`
  })
const section = `## What models receive

The table counts ${KINDS.length} results of tools (an image with text, two images, a recording, a PDF, a failure with an image, a text file, a link, structured content), each in a request to a provider:

- **Media**, of 6: media that are media in the request. Anthropic and OpenAI accept no audio from tools.
- **Misplaced**: media where the provider's types do not allow them: in the message of a tool for OpenAI's Chat, which accepts only text, and in
  Gemini's \`response\`, which is JSON that the model reads.
- **Base64**: other media that the model would have to read as base64 text.
- **Texts**, of 3: whether the model can read the text of the file, the address of the link and the structured content.
- **Failed**: whether the request marks the failure with an image as failed.
- **Requests**, of ${KINDS.length}: requests that were created. For the others the client fails before it calls the provider.
- **Wrong**, of ${MIXED_CHECKS}: of 8 results that mix kinds, what the model lacks, or reads although it is for the user, as for [hosts](hosts.md).

\`node tools/compare-model-requests.mjs\` writes this section; it calls no provider. \`@openai/agents\` supports only OpenAI here. Versions: ${versions.join(', ')}.

| provider | by | media | misplaced | base64 | texts | failed | requests | wrong |
| -------- | -- | ----: | --------: | -----: | ----: | ------ | -------: | ----: |
${lines.join('\n')}
`
rmSync(folder, { recursive: true })
console.log(lines.join('\n'))
const page = join(root, 'docs/fidelity.md')
writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'What models receive', section))
process.exit()
