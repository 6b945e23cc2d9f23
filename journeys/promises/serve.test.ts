import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { dirname, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { openStore } from '@toolblocks/conversation-store'
import { connectServer } from '@toolblocks/mcp-bridge'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_TRUST, startToolblocks, toolblocks, withoutTrust } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import {
  type AnswerForm,
  connectClient,
  connectOverHttp,
  startOverHttp,
} from '../stage/mcp-client.ts'
import { NOTES_TABLE } from '../stage/notes-server.ts'

const TOOLS = `
[tools.echo]
source = "local"
command = ["echo", "{{tool.arguments.text}}"]
run = "unattended"
parameters = { text = { type = "string" } }
[tools.remove]
source = "local"
command = ["echo", "removed"]
parameters = {}
[tools.never]
source = "local"
command = ["echo", "never"]
run = "deny"
parameters = {}
`

/** An MCP host that has started `toolblocks serve`, and the questions that its person received. */
async function host(
  folder: string,
  args: readonly string[],
  answer?: 'accept' | 'decline',
  environment?: Readonly<Record<string, string>>,
): Promise<{ client: Client; asked: string[] }> {
  const asked: string[] = []
  const person: AnswerForm = ({ message, requestedSchema }) => {
    asked.push(message)
    const [field = ''] = Object.keys(Object(Reflect.get(Object(requestedSchema), 'properties')))
    return answer === 'accept'
      ? { action: answer, content: { [field]: true } }
      : { action: 'decline' }
  }
  const client = await connectClient(folder, ['serve', ...args], answer && person, environment)
  return { client, asked }
}

const getText = (result: unknown): unknown => JSON.stringify(Reflect.get(Object(result), 'content'))

test('promise serve: the tools of a workspace are served over stdio, except tools that may never run', async () => {
  const { client } = await host(makeFolder({ 'toolblocks.toml': TOOLS }), [])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'remove'])
  expect(getText(await client.callTool({ name: 'echo', arguments: { text: 'hello' } }))).toContain(
    'hello',
  )
})

test('promise serve: the number of served tools counts those of the person, and names those that Toolblocks adds', async () => {
  const more = [
    ['', '2 tools'],
    ['[store]\nurl = "sqlite:kept.db"\n', '2 tools and read_tool_result'],
    [NOTES_TABLE, '6 tools and read_resource'],
  ] as const
  for (const [table, what] of more) {
    const folder = makeFolder({ 'toolblocks.toml': table + TOOLS })
    // A server that takes longer to start is counted when it has started, which this line does not wait for.
    await vi.waitFor(
      async () => {
        const { running } = await startOverHttp(folder, [])
        const [line] = await running.said(/Serving .* at /)
        expect(line).toBe(`Serving ${what} at `)
      },
      { timeout: 50_000 },
    )
  }
})

test('promise serve: tools without agreement are not served, and both the user and the client are told', async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const { client } = await host(folder, [], undefined, NO_TRUST)
  expect(await client.listTools()).toMatchObject({ tools: [] })
  expect(client.getInstructions()).toBe(
    `3 of the tools and servers of this folder are not available, because the user has not agreed to them. To agree, the user runs "toolblocks trust" in a terminal in "${folder}", and then restarts this server.`,
  )
  const { stderr } = await withoutTrust(folder, 'serve')
  expect(stderr).toMatch(/echo, remove, never: not available[^\n]*"toolblocks trust"/)
  expect(stderr).toContain('Serving 0 tools')
})

test('promise serve: the approval of a tool with run = "ask" is asked by elicitation', async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const { client, asked } = await host(folder, [], 'accept')
  expect(getText(await client.callTool({ name: 'remove' }))).toContain('removed')
  expect(asked).toEqual([expect.stringContaining('Run remove?')])
  const other = await host(folder, [], 'decline')
  const declined = await other.client.callTool({ name: 'remove' })
  expect(declined.isError).toBe(true)
  expect(getText(declined)).not.toContain('removed')
})

test("promise serve: a client without elicitation is told how to allow the call, and --trust-client accepts the client's approval", async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const { client } = await host(folder, [])
  const denied = await client.callTool({ name: 'remove' })
  expect(denied.isError).toBe(true)
  expect(getText(denied)).toContain('--trust-client')
  const why = 'the call could not wait for a person, because no [store] is configured'
  expect(getText(denied)).toContain(why)
  const { served, running } = await startOverHttp(folder, [])
  const other = await connectOverHttp(served)
  for (let made = 0; made < 2; made += 1)
    expect(getText(await other.callTool({ name: 'remove' }))).toContain(why)
  // Of each tool once.
  const [reported = ''] = await running.said(/a call of "remove" was denied: [^]*\n/)
  expect(reported.split(why)).toHaveLength(2)
  const refusing = await host(folder, ['--no-park'])
  expect(getText(await refusing.client.callTool({ name: 'remove' }))).toContain(
    'because of --no-park',
  )
  const trusting = await host(folder, ['--trust-client'])
  expect(getText(await trusting.client.callTool({ name: 'remove' }))).toContain('removed')
})

test('promise serve: programs need no configuration: a self-describing program has its parameters, any other a list of arguments', async () => {
  const folder = makeFolder({})
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  write('tools/say-words.sh', '#!/bin/sh\nfor word in "$@"; do echo "<$word>"; done\n')
  write(
    'tools/greet.mjs',
    `#!${process.execPath}
let text = ''
for await (const part of process.stdin) text += part
const { context, tool } = JSON.parse(text)
console.log(context.action === 'schema'
  ? JSON.stringify({ tools: [{ name: 'greet', summary: 'Greets.', parameters: { name: { type: 'string' } } }] })
  : 'Hello ' + tool.arguments.name)
`,
  )
  const { client } = await host(folder, ['tools/say-words.sh', 'tools/greet.mjs'])
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    { name: 'say_words', inputSchema: { properties: { args: { type: 'array' } } } },
    { name: 'greet', inputSchema: { properties: { name: { type: 'string' } } } },
  ])
  const result = await client.callTool({
    name: 'say_words',
    arguments: { args: ['-e', 'a b', '{{x}}', '$HOME'] },
  })
  expect(getText(result)).toContain(String.raw`<-e>\n<a b>\n<{{x}}>\n<$HOME>`)
  expect(getText(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } }))).toContain(
    'Hello Ada',
  )
})

test('promise serve: over HTTP a token is required, and results of other servers are passed on unchanged', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `store = { url = "sqlite:calls.db" }\n${NOTES_TABLE}run = "unattended"\n`,
  })
  const running = startToolblocks(
    folder,
    ['serve', '--http', '0', '--token-env', 'OUR_TOKEN', '--trust'],
    { OUR_TOKEN: 's3cret' },
  )
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const transport = (headers: Record<string, string>) => ({ kind: 'http' as const, url, headers })
  await expect(connectServer({ name: 'ours', transport: transport({}) })).rejects.toMatchObject({
    code: 'unauthorized',
  })
  const server = await connectServer(
    { name: 'ours', transport: transport({ authorization: 'Bearer s3cret' }) },
    { canAsk: true },
  )
  const [read] = server.tools()
  expect(read?.name).toBe('ours__notes__read')
  expect(server.tools().map(({ name }) => name)).toContain('ours__read_resource')
  const context = { signal: AbortSignal.timeout(10_000), root: folder, answers: {} }
  const call = { id: '1', name: 'ours__notes__read', arguments: { path: 'a.md' } }
  expect(await read?.execute(call, context)).toMatchObject({
    isError: false,
    content: [{ resource: { uri: 'file:///notes/a.md' }, annotations: { priority: 0.5 } }],
  })
  const sign = server.tools().find(({ name }) => name === 'ours__notes__sign')
  const signed = await sign?.execute(
    { id: '2', name: 'ours__notes__sign', arguments: {} },
    { ...context, ask: async () => ({ action: 'accept', value: { name: 'Ada' } }) },
  )
  expect(JSON.stringify(signed)).toContain('Ada')
  await server.close()
  expect(await running.end('SIGTERM')).toBe(0)
  const store = await openStore(`sqlite:${join(folder, 'calls.db')}`)
  onTestFinished(async () => await store.close())
  const [kept] = (await store.list({ limit: 10 })).conversations
  const { events } = await store.read(kept?.id ?? '', { limit: 100 })
  expect(events.map(({ event }) => event.type)).toEqual([
    'configuration',
    'turn_start',
    'tool_call',
    'tool_result',
    'turn_start',
    'tool_call',
    'question',
    'answer',
    'tool_result',
  ])
})

test('promise serve: over HTTP a new token is printed if none is set', async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const running = startToolblocks(folder, ['serve', '--http', '0'])
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const [, token = ''] = await running.said(/Authorization: Bearer ([\w-]{43})/)
  const server = await connectServer({
    name: 'ours',
    transport: { kind: 'http', url, headers: { authorization: `Bearer ${token}` } },
  })
  expect(server.tools().map(({ name }) => name)).toEqual(['ours__echo', 'ours__remove'])
  await server.close()
  expect(await running.end('SIGTERM')).toBe(0)
})

test('promise serve: mistakes in the command line are reported', async () => {
  const folder = makeFolder({ 'toolblocks.toml': TOOLS })
  const unset = await toolblocks(folder, 'serve', '--http', '0', '--token-env', 'NOT_SET_ANYWHERE')
  expect([unset.code, unset.stdout]).toEqual([2, ''])
  expect(unset.stderr).toContain(
    '--token-env NOT_SET_ANYWHERE: this environment variable is not set',
  )
  expect((await toolblocks(folder, 'serve', '--http', 'x')).code).toBe(2)
  const gone = await toolblocks(folder, 'serve', './gone', 'not-there-at-all', 'toolblocks.toml')
  expect([gone.code, gone.stdout]).toEqual([2, ''])
  expect(gone.stderr).toMatch(/error: There is no program \S+\/gone: check the path/)
  expect(gone.stderr).toContain('error: There is no program "not-there-at-all" in PATH')
  expect(gone.stderr).toMatch(/error: \S+toolblocks\.toml is not executable: chmod \+x it\./)
  const configured = await toolblocks(folder, 'serve', 'remove')
  expect([configured.code, configured.stderr]).toEqual([
    2,
    expect.stringMatching(/"remove" is not a program but a tool of \S+toolblocks\.toml: /),
  ])
})

test('promise serve: over HTTP it listens at the given address, accepts additional host names, and serves the tools of the given file', async () => {
  const folder = makeFolder({
    'other.toml':
      '[tools.where]\nsource = "local"\ncommand = ["pwd"]\nrun = "unattended"\nparameters = {}\n',
  })
  mkdirSync(join(folder, 'below'))
  const args = ['--host', '127.0.0.2', '--allow-host', 'lamps.example', '--config', '../other.toml']
  const running = startToolblocks(join(folder, 'below'), ['serve', '--http', '0', ...args])
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const [, token = ''] = await running.said(/Authorization: Bearer ([\w-]{43})/)
  expect(new URL(url).hostname).toBe('127.0.0.2')
  const getStatus = async (name: string): Promise<number | undefined> => {
    const asked = request(url, {
      method: 'POST',
      headers: {
        host: `${name}:${new URL(url).port}`,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  expect(await getStatus('evil.example')).toBe(403)
  expect(await getStatus('lamps.example')).not.toBe(403)
  const server = await connectServer({
    name: 'ours',
    transport: { kind: 'http', url, headers: { authorization: `Bearer ${token}` } },
  })
  expect(server.info?.version).toBe((await toolblocks(folder, '--version')).stdout.trim())
  const [where] = server.tools()
  const context = { signal: AbortSignal.timeout(10_000), root: '/', answers: {} }
  const call = { id: '1', name: 'ours__where', arguments: {} }
  expect(await where?.execute(call, context)).toMatchObject({ content: [{ text: `${folder}\n` }] })
  await server.close()
  expect(await running.end('SIGTERM')).toBe(0)
})

test('promise serve: a given program runs in the folder, and servers of a workspace may ask questions', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}run = "unattended"\n`,
    'where.sh': '#!/bin/sh\npwd\n',
  })
  chmodSync(join(folder, 'where.sh'), 0o755)
  const named = await host(folder, ['where.sh'])
  expect(getText(await named.client.callTool({ name: 'where' }))).toContain(folder)
  const { client, asked } = await host(folder, [], 'decline')
  expect(getText(await client.callTool({ name: 'notes__sign' }))).toContain('decline')
  expect(asked).toEqual([expect.stringContaining('Who signs?')])
  const linked = await client.callTool({ name: 'notes__list' })
  expect(getText(linked)).toContain('note:///a')
  expect(JSON.stringify(await client.readResource({ uri: 'note:///a' }))).toContain(
    'All of note:///a.',
  )
})
