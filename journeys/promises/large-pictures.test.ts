import { expect, inject, test } from 'vitest'
import { makePng } from '../../packages/formatter/src/pictures/pictures.support.ts'
import { run, toolblocks } from '../stage/command.ts'
import { createPrintCommand, makeFolder, tool } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { hasResults, startProvider } from '../stage/provider.ts'

const SCREENSHOT = { type: 'image', data: makePng(3456, 300), mimeType: 'image/png' }

/** Reads the width of a PNG from its header. */
const readWidth = (data: string): number => Buffer.from(data, 'base64').readUInt32BE(16)

test('promise large pictures: a model gets them scaled, the same in each request; the record has the originals', async () => {
  const model = await startProvider((messages) => {
    const looks = messages.filter(({ role }) => role === 'call').length
    return looks < 2 ? { calls: [['look', {}]] } : { text: `Seen ${hasResults(messages)}.` }
  }, 'anthropic')
  const settings = `[model]\nprovider = "anthropic"\nname = "m"\nbase_url = "${model.url}"\napi_key_env = "SOME_KEY"\n`
  const folder = makeFolder({
    'result.json': JSON.stringify({ content: [SCREENSHOT] }),
    'toolblocks.toml': settings + tool('look', createPrintCommand('result.json')),
  })
  const ran = await run(folder, ['run', 'Look.'], { ...process.env, SOME_KEY: 'k' })
  expect(ran.code).toBe(0)
  const [, second = [], third = []] = model.requestMessages.map((messages) =>
    messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.parse(String(content))),
  )
  expect(third[0]).toEqual(second[0])
  const [text, picture] = second[0]
  expect(text.text).toContain(
    'was scaled from 3456 × 300 px to 2000 × 174 px. You get it only like this.',
  )
  expect(readWidth(picture.source.data)).toBe(2000)
  const { stdout } = await toolblocks(
    folder,
    'conversations',
    'export',
    'latest',
    '--output',
    'jsonl',
  )
  expect(stdout).toContain(SCREENSHOT.data)
})

test('promise large pictures: a known host gets them scaled, also from read_tool_result; the record has the original', async () => {
  const answer = `return { content: [${JSON.stringify(SCREENSHOT)}] }`
  const look = { name: 'look', inputSchema: { type: 'object' } }
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram([look], answer) })
  const entry = {
    command: process.execPath,
    args: [inject('command'), 'serve', '--server', `"${process.execPath}" ${SERVER_FILE}`],
  }
  const client = await connectEntry(entry, folder, 'claude-code')
  const { content } = await client.callTool({ name: 'look', arguments: {} })
  expect(content).toMatchObject([{ type: 'image' }, { type: 'text' }])
  const [picture, note] = content as [{ data: string }, { text: string }]
  expect(readWidth(picture.data)).toBe(2000)
  const [, call = '', block] =
    /A person sees the original: call "([^"]+)", block (\d)\./.exec(note.text) ?? []
  const again = await client.callTool({
    name: 'read_tool_result',
    arguments: { call, block: Number(block) },
  })
  expect(again.content).toMatchObject([
    picture,
    { text: expect.stringContaining('only like this') },
  ])
  await client.close()
  const { stdout } = await toolblocks(
    folder,
    'conversations',
    'export',
    'latest',
    '--output',
    'jsonl',
  )
  expect(stdout).toContain(SCREENSHOT.data)
})
