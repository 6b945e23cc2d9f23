import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = { type: 'image', data: PICTURE, mimeType: 'image/png' }
const textBlock = { type: 'text', text: 'One red dot.' }

/** What each tool of the server returns. */
const RESULTS = {
  wrapped: { content: [image, textBlock], structuredContent: { result: [image, textBlock] } },
  more: { content: [textBlock, image], structuredContent: { drawing: image, width: 7 } },
  plain: { content: [textBlock], structuredContent: { result: textBlock.text } },
}
const tools = Object.keys(RESULTS).map((name) => ({ name, inputSchema: { type: 'object' } }))
const TABLES = `[mcp.servers.notes]
command = "node"
args = ["${SERVER_FILE}"]
run = "unattended"
`
const FILES = {
  [SERVER_FILE]: createServerProgram(tools, `return (${JSON.stringify(RESULTS)})[name]`),
}

const count = (text: string, part: string): number => text.split(part).length - 1

test.for([
  ['wrapped', 1, 'image/png'],
  ['more', 1, '\\"width\\":7'],
  ['plain', 0, textBlock.text],
] as const)(
  '000 structured content: a model gets the texts and pictures of the result "%s" once, and no base64 as text',
  async ([name, pictures, beyond]) => {
    const model = await startProvider(
      [{ calls: [[`notes__${name}`, {}]] }, { text: 'Seen.' }],
      'anthropic',
    )
    const folder = makeFolder({ ...FILES, 'toolblocks.toml': model.settings + TABLES })
    await toolblocks(folder, 'run', 'Draw a dot.')
    const sent = JSON.stringify(model.requests.at(-1))
    expect(count(sent, textBlock.text)).toBe(1)
    expect(count(sent, PICTURE)).toBe(pictures)
    expect(count(sent, `"data":"${PICTURE}"`)).toBe(pictures)
    expect(sent).toContain(beyond)
  },
)

test('000 structured content: a person sees what the blocks have once, and what is beyond them', async () => {
  const folder = makeFolder({ ...FILES, 'toolblocks.toml': TABLES })
  const call = async (name: string) => (await toolblocks(folder, 'call', `notes__${name}`)).stdout
  const wrapped = await call('wrapped')
  expect(count(wrapped, textBlock.text)).toBe(1)
  expect(count(await call('plain'), textBlock.text)).toBe(1)
  const more = await call('more')
  expect(more).toContain('"width": 7')
  expect(wrapped + more).not.toContain(PICTURE.slice(0, 40))
})
