import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa, execaSync } from 'execa'
import { findFreePort, waitFor } from './registry.mjs'

const PACKAGES = [
  'ai-sdk',
  'conversation-store',
  'local-executor',
  'mcp-bridge',
  'protocol',
  'react',
  'tool-executor',
]
const OTHERS = ['next@16.4.6', 'react@19', 'react-dom@19', 'ai@7', '@ai-sdk/provider@4', 'zod@4']

/** The application: a page that a server component renders, one of a client component, and a route that runs a tool of a model. */
const FILES = {
  'package.json': '{"private":true,"type":"module"}',
  'app/layout.jsx': `
import '@toolblocks/react/style.css'
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}`,
  'app/page.jsx': `
import { ToolResult } from '@toolblocks/react'
export default function Page() {
  return <ToolResult result={{ content: [{ type: 'text', text: 'Two boats.' }], isError: false }} />
}`,
  'app/form/page.jsx': `
'use client'
import { QuestionForm } from '@toolblocks/react'
const question = { id: 'q', text: 'Which boat?', schema: { enum: ['Ada', 'Tern'] } }
export default function Page() {
  return <QuestionForm question={question} onAnswer={() => {}} />
}`,
  'app/turn/route.js': `
import { toAiSdkTools } from '@toolblocks/ai-sdk'
import { openStore } from '@toolblocks/conversation-store'
import { startProgram } from '@toolblocks/local-executor'
import { connectServer } from '@toolblocks/mcp-bridge'
import { createSuccessResult } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { isStepCount, streamText } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

const draw = {
  name: 'draw',
  inputSchema: { type: 'object' },
  execute: async () => createSuccessResult([{ type: 'text', text: 'A dot.' }]),
}
const tokens = { total: 1 }
const usage = { inputTokens: tokens, outputTokens: tokens }
const end = (unified) => ({ type: 'finish', usage, finishReason: { unified, raw: unified } })
const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => ({
    stream: convertArrayToReadableStream(
      prompt.some(({ role }) => role === 'tool')
        ? [end('stop')]
        : [{ type: 'tool-call', toolCallId: 'c', toolName: 'draw', input: '{}' }, end('tool-calls')],
    ),
  }),
})

export async function GET() {
  const store = await openStore('sqlite:' + process.env.STORE)
  const executor = createToolExecutor({ tools: [{ tool: draw, policy: 'unattended' }] })
  const context = { root: process.cwd(), conversationId: 'c1' }
  const { tools, toolApproval, prepareModel } = toAiSdkTools(executor, { context, approvals: store.documents })
  const turn = streamText({ model: prepareModel(model), tools, toolApproval, prompt: 'Draw.', stopWhen: isStepCount(3) })
  const parts = []
  for await (const part of turn.fullStream) parts.push(part)
  await store.close()
  const program = { command: process.execPath, args: ['-e', 'process.exit(3)'] }
  const server = { name: 'none', transport: { kind: 'stdio', ...program } }
  const failed = await connectServer(server, {}, { startProgram }).catch(({ code }) => code)
  return Response.json({ parts, failed })
}`,
}

/** Addresses, and what each must return. */
const EXPECTED = { '': /Two boats\./, form: /Which boat\?/, turn: /A dot\..*not-started/s }

/** Builds an application of Next.js that uses the packages, with both of its bundlers and without optional peers, and starts it. Returns the problems. */
export async function buildWithNext(work, registry, version) {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text.trimStart())
  }
  const wanted = [...PACKAGES.map((name) => `@toolblocks/${name}@${version}`), ...OTHERS]
  // Optional peers that others bring along are not installed.
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--registry', registry.url]
  execaSync('npm', ['install', ...options, ...wanted], { cwd: work })
  const problems = []
  for (const bundler of ['turbopack', 'webpack'])
    problems.push(...(await tryBundler(work, bundler)).map((each) => `next (${bundler}): ${each}`))
  if (problems.length === 0) console.log('Next.js built and ran an application with both bundlers')
  return problems
}

async function tryBundler(cwd, bundler) {
  const env = { NEXT_TELEMETRY_DISABLED: '1', STORE: join(cwd, `${bundler}.db`) }
  const next = join(cwd, 'node_modules/next/dist/bin/next')
  const built = await execa(process.execPath, [next, 'build', `--${bundler}`], {
    cwd,
    env,
    all: true,
    reject: false,
  })
  if (built.exitCode !== 0) return [built.all]
  const port = await findFreePort()
  const args = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)]
  const server = execa(process.execPath, args, { cwd, env, reject: false })
  try {
    const address = `http://127.0.0.1:${port}/`
    await waitFor(address)
    const problems = []
    for (const [path, expected] of Object.entries(EXPECTED)) {
      const body = await (await fetch(address + path)).text()
      if (!expected.test(body)) problems.push(`/${path} returned ${body.slice(0, 500)}`)
    }
    return problems
  } finally {
    server.kill()
    await server
  }
}
