import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { readIn } from '../stage/waiting.ts'

/** Ends when the file `go` exists, and returns a text for everyone and one for the user, both with the mark of the call. */
const BUILD = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
const { mark } = JSON.parse(readFileSync(0, 'utf8')).tool.arguments
while (!existsSync('go')) await pause(50)
appendFileSync('runs.txt', mark + '\\n')
const seen = { type: 'text', text: 'seen ' + mark, annotations: { audience: ['user'] } }
console.log(JSON.stringify({ content: [{ type: 'text', text: 'built ' + mark }, seen] }))
`

const FILES = {
  'build.mjs': BUILD,
  'toolblocks.toml': `[store]
url = "sqlite:kept.db"

[tools.build]
source = "local"
run = "unattended"
command = ["node", "build.mjs"]
parameters = { mark = { type = "string" } }
`,
}

async function call(client: Client, name: string, values: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: values })
  return content as { text: string; annotations?: unknown }[]
}

function toText(content: readonly { text: string }[]): string {
  return content.map(({ text }) => text).join('\n')
}

/** Waits with \`await\` until the call has ended. */
async function awaitResult(client: Client, id: string) {
  for (;;) {
    const content = await call(client, 'await', { any: [id] })
    if (toText(content).includes('built')) return content
  }
}

test('promise long calls: two clients get only their own content, each once', async () => {
  const folder = makeFolder(FILES)
  const args = ['serve', '--answer-within', '1', '--results', 'as-is']
  const [first, second] = await Promise.all([
    connectClient(folder, args),
    connectClient(folder, args),
  ])
  const [running, lost] = await Promise.all([
    call(first, 'build', { mark: 'one' }),
    // The client gives up before the server has answered.
    second
      .callTool({ name: 'build', arguments: { mark: 'two' } }, undefined, { timeout: 500 })
      .then(String, String),
  ])
  expect(toText(running)).toContain('is still running')
  expect(lost).toContain('timed out')
  const [, id = ''] = /any":\["([^"]+)/.exec(toText(running)) ?? []
  writeFileSync(join(folder, 'go'), '')
  const one = await awaitResult(first, id)
  expect(toText(one)).toContain('built one')
  expect(JSON.stringify(one)).not.toContain('two')
  expect(one.find(({ text }) => text === 'seen one')?.annotations).toEqual({ audience: ['user'] })
  expect(toText(await call(first, 'await', { any: [id] }))).toContain('No call waits under')
  let two = await call(second, 'build', { mark: 'two' })
  while (!toText(two).includes('built two')) two = await call(second, 'build', { mark: 'two' })
  expect(toText(two)).toContain('It was not made again.')
  expect(two.find(({ text }) => text === 'seen two')?.annotations).toEqual({ audience: ['user'] })
  expect(readIn(folder, 'runs.txt').split('\n').toSorted()).toEqual(['', 'one', 'two'])
  await Promise.all([first.close(), second.close()])
  const { stdout } = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  const { conversations } = JSON.parse(stdout) as { conversations: { id: string }[] }
  expect(conversations).toHaveLength(2)
  const recorded = await Promise.all(
    conversations.map(async ({ id: each }) => await readEvents(folder, each)),
  )
  const calls = recorded.map((events) =>
    events.flatMap(({ call: made }) => (made?.name === 'build' ? [made] : [])),
  )
  const results = recorded.flat().filter(({ result }) => result !== undefined)
  // The lost request is made again, and its second call says that the tool was not.
  expect(new Set(calls.map((made) => made.length))).toEqual(new Set([1, 2]))
  const [only] = calls.find((made) => made.length === 1) ?? []
  expect(only).toMatchObject({ id, arguments: { mark: 'one' } })
  expect(results.filter(({ result }) => result?.id === id)).toHaveLength(1)
})

interface RecordedEvent {
  call?: { id: string; name: string; arguments: Record<string, unknown> }
  result?: { id: string }
}

async function readEvents(folder: string, conversation: string): Promise<readonly RecordedEvent[]> {
  const { stdout } = await toolblocks(
    folder,
    'conversations',
    'export',
    conversation,
    '--output',
    'jsonl',
  )
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { event: RecordedEvent }).event)
}
