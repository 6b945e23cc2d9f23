import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveCall, ToolContext, ToolResult } from '@toolblocks/protocol'
import { makeContext, makeTool, makeWorkspace, type Workspace } from '../workspace.support.ts'

/** A live tool: `on` maps an action to the JavaScript that handles `request` with `reply(response, status)` and `say(line)`. */
const RUNTIME = `
import { createInterface } from 'node:readline'
const say = (line) => process.stdout.write(line + '\\n')
createInterface({ input: process.stdin }).on('line', (text) => {
  const request = JSON.parse(text)
  const reply = (words, status, more = {}) =>
    say(JSON.stringify({ content: [{ type: 'text', text: words }], ...more, _meta: { 'toolblocks/re': request.seq, ...(status && { 'computer.jp/status': status }) } }))
  on[request.context.action]?.(request, reply)
})
`

export interface Started {
  live: LiveCall
  workspace: Workspace
  context: ToolContext
}

/** Starts a tool with these handlers, and code before them. */
export async function start(
  handlers: Record<string, string>,
  {
    before = '',
    values = {},
    timeoutMs = 5000,
    graceMs = 400,
    context,
  }: {
    before?: string
    values?: object
    timeoutMs?: number
    graceMs?: number
    context?: Partial<ToolContext>
  } = {},
): Promise<Started> {
  const workspace = makeWorkspace()
  const on = Object.entries(handlers).map(
    ([action, body]) => `${action}: (request, reply) => { ${body} }`,
  )
  writeFileSync(
    join(workspace.root, 'tool.mjs'),
    `${RUNTIME}\n${before}\nconst on = { ${on.join(',\n')} }\n`,
  )
  const tool = makeTool([process.execPath, 'tool.mjs'], { stateful: true, timeoutMs }, { graceMs })
  const toolContext = makeContext(workspace.root, context)
  const call = { id: 'c', name: 'probe', arguments: { ...values } }
  const live = await tool.spawn?.(call, toolContext)
  if (!live) throw new Error('the tool is not stateful')
  return { live, workspace, context: toolContext }
}

export const running = "reply('ready', 'running')"
export const signal = new AbortController().signal
export const getWords = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')
