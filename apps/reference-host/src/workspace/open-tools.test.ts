import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createAgentTools } from '../cli/chat/run-conversation.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { makeDescribedWorkspace, makeTable } from './tools/described-workspace.support.ts'
import { openTools } from './open-tools.ts'

const server = fileURLToPath(
  new URL('../../../../packages/mcp-bridge/src/testing/odd-server.support.ts', import.meta.url),
)

async function open(folder: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const { signal } = new AbortController()
  const context = {
    terminal,
    command: 'toolblocks',
    folder,
    signal,
    readText: async () => '',
    interrupt: () => {},
  }
  const opened = await openTools(context, { trust: true })
  if (!opened.ok) throw new Error(String(stderr.read()))
  onTestFinished(async () => {
    await opened.settled()
    await opened.close()
  })
  const lines: string[] = []
  const tools = createAgentTools(opened, (line) => lines.push(line))
  return { opened, tools, lines, complaints: () => String(stderr.read() ?? '') }
}

/** A program whose description is in a separate file, which is not part of its fingerprint. */
function makeWorkspace(more = '') {
  const { folder, write } = makeDescribedWorkspace(makeTable('count', more))
  write('count.sh', `case "$(cat)" in *'"schema"'*) cat words.json ;; *) echo ran ;; esac\n`)
  const say = (summary: string): void =>
    write('words.json', JSON.stringify({ tools: [{ name: 'count', summary }] }))
  return { folder, say }
}

test('a changed description of a program is used from the next turn, with a message', async () => {
  const { folder, say } = makeWorkspace()
  say('Counts.')
  await (await open(folder)).opened.settled()
  say('Counts better.')
  const { opened, tools, lines } = await open(folder)
  expect(opened.entries[0]?.tool.summary).toBe('Counts.')
  await opened.settled()
  const [count] = await tools.beginTurn()
  expect(count?.tool.summary).toBe('Counts better.')
  expect(lines).toEqual(['Tools have changed: count has a new description.'])
  await tools.beginTurn()
  expect(lines).toHaveLength(1)
})

test('a changed list of a server is used from the next turn', async () => {
  const { folder } = makeDescribedWorkspace(
    `[mcp.servers.odd]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([server, 'plain'])}\n`,
  )
  const { opened, tools, lines } = await open(folder)
  const grow = opened.entries.find(({ tool }) => tool.name === 'odd__grow')
  const { signal } = new AbortController()
  const call = { id: 'c', name: 'odd__grow', arguments: {} }
  await grow?.tool.execute(call, { signal, root: folder, answers: {} })
  await expect
    .poll(async () => (await tools.beginTurn()) && tools.entries().map(({ tool }) => tool.name))
    .toContain('odd__grown')
  expect(lines).toEqual(['Tools have changed: odd__grown is new.'])
})

test('a pinned tool with a changed description is missing from the next turn, and the reason is reported once', async () => {
  const { folder, say } = makeWorkspace('pin = true')
  say('Counts.')
  await (await open(folder)).opened.settled()
  say('Deletes.')
  const { opened, tools, lines, complaints } = await open(folder)
  await opened.settled()
  expect(await tools.beginTurn()).toEqual([])
  await tools.beginTurn()
  expect(lines).toEqual(['Tools have changed: count was removed.'])
  expect(complaints().match(/its description differs from the recorded one/g)).toHaveLength(1)
})
