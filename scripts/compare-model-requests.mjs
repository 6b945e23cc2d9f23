#!/usr/bin/env node
// Counts what reaches models of the results of an MCP server, and writes it into docs/fidelity.md:
// node scripts/compare-model-requests.mjs. The AI SDK's client is installed into a temporary folder; no provider is called.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { aiSdkProfile, toPrompt } from '../packages/formatter/src/ai-sdk.ts'
import { toRequest as toAnthropic } from '../packages/formatter/src/anthropic.ts'
import { toRequest as toGoogle } from '../packages/formatter/src/google.ts'
import { toChatRequest, toResponsesRequest } from '../packages/formatter/src/openai.ts'
import { ALL_BYTES, EVERY_KIND } from '../packages/formatter/src/testing/every-kind.suite.ts'

const root = resolve(import.meta.dirname, '..')
const OTHERS = ['ai', '@ai-sdk/mcp', '@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/google', 'zod']
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-models-'))
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...OTHERS], {
  cwd: folder,
  stdio: 'ignore',
})
const from = createRequire(join(folder, 'package.json'))
const load = async (name) => await import(pathToFileURL(from.resolve(name)).href)

let sent
const fetch = async (_url, { body }) => {
  sent = JSON.parse(body)
  throw new Error('not sent')
}
const settings = { apiKey: 'none', fetch }
const { createAnthropic } = await load('@ai-sdk/anthropic')
const { createOpenAI } = await load('@ai-sdk/openai')
const { createGoogleGenerativeAI, createGoogle } = await load('@ai-sdk/google')
const openai = createOpenAI(settings)
const models = {
  Anthropic: [createAnthropic(settings)('claude-sonnet-4-5'), toAnthropic],
  'OpenAI Responses': [openai.responses('gpt-5'), toResponsesRequest],
  'OpenAI Chat': [openai.chat('gpt-4.1'), toChatRequest],
  'Gemini 3': [
    (createGoogle ?? createGoogleGenerativeAI)(settings)('gemini-3-pro-preview'),
    toGoogle,
  ],
}

const { createMCPClient, experimental_createMCPClient } = await load('@ai-sdk/mcp')
const { Experimental_StdioMCPTransport } = await load('@ai-sdk/mcp/mcp-stdio')
const program = join(root, 'packages/mcp-bridge/src/testing/odd-server.suite.ts')
const client = await (createMCPClient ?? experimental_createMCPClient)({
  transport: new Experimental_StdioMCPTransport({
    command: process.execPath,
    args: [program, 'plain'],
  }),
})
const { z } = await load('zod')
const { answer } = await client.tools({ schemas: { answer: { inputSchema: z.any() } } })

/** What the AI SDK's own MCP client makes of a result. */
async function outputOf({ content, isError }) {
  const input = { result: { content, isError } }
  const output = await answer.execute(input, { toolCallId: 'c', messages: [] })
  return await answer.toModelOutput({ toolCallId: 'c', input, output })
}

async function sendTo(model, prompt, tools = []) {
  sent = undefined
  await model.doGenerate({ prompt, tools }).catch(() => undefined)
  return sent
}

/** Every text of a request. */
function* textsOf(value) {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) yield* textsOf(item)
}

const KINDS = ['image', 'images', 'audio', 'pdf', 'error with image']
const score = () => ({ media: 0, of: 0, base64: 0, failed: false, sent: 0 })

function count(into, kind, request) {
  if (!request) return
  into.sent += 1
  const texts = [...textsOf(request)]
  for (const data of ALL_BYTES) {
    into.media += texts.filter((text) => text === data || text.endsWith(`;base64,${data}`)).length
    into.base64 += texts.filter(
      (text) => text.includes(data) && text !== data && !/^data:[^,]*;base64,[^"]*$/.test(text),
    ).length
  }
  if (kind === 'error with image')
    into.failed = JSON.stringify(request).match(/"is_error":true|"error":|call failed/) !== null
}

const call = { id: 'c', name: 'answer', arguments: {} }
const rows = []
for (const [name, [model, write]] of Object.entries(models)) {
  const scores = {
    'formatter, alone': score(),
    'formatter, through the AI SDK': score(),
    'the AI SDK and `@ai-sdk/mcp`': score(),
  }
  for (const kind of KINDS) {
    const { result } = EVERY_KIND[kind]
    const request = {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [], calls: [call] },
        { role: 'tool', results: [{ call, result }] },
      ],
      tools: [],
    }
    const [own, through, theirs] = Object.values(scores)
    count(own, kind, write(request))
    const { prompt, tools } = toPrompt(request, { profile: aiSdkProfile(model) })
    count(through, kind, await sendTo(model, prompt, tools))
    const output = await outputOf(result).catch(() => undefined)
    const part = { type: 'tool-result', toolCallId: 'c', toolName: 'answer', output }
    const said = prompt.filter(({ role }) => role !== 'tool').slice(0, 2)
    if (output)
      count(theirs, kind, await sendTo(model, [...said, { role: 'tool', content: [part] }]))
  }
  for (const [by, { media, base64, failed, sent: times }] of Object.entries(scores))
    rows.push(
      `| ${name} | ${by} | ${media} of 6 | ${base64} | ${failed ? 'yes' : 'no'} | ${times} of ${KINDS.length} |`,
    )
}
await client.close().catch(() => undefined)
const version = (name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
const section = `## What models receive

${KINDS.length} results of tools (an image beside text, two images, a recording, a PDF, a failure with an image), each in a request as it is sent to a provider:

- **Media**: of the 6 in them, those that stand in the request as media. Anthropic and OpenAI take no audio of tools.
- **Base64 as text**: media that the model would have to read letter by letter.
- **Failed**: whether the failure with an image is said to be one.

Written by \`node scripts/compare-model-requests.mjs\`; \`@ai-sdk/mcp\` is ${version('@ai-sdk/mcp')}. No provider is called.

| provider | by | media | base64 as text | failed | requests |
| -------- | -- | ----: | -------------: | ------ | -------: |
${rows.join('\n')}
`
rmSync(folder, { recursive: true })
console.log(rows.join('\n'))
const page = join(root, 'docs/fidelity.md')
const [clients = ''] = readFileSync(page, 'utf8').split('\n## What models receive')
writeFileSync(page, `${clients.trimEnd()}\n\n${section}`)
process.exit()
