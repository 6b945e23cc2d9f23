import { expect, inject, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { createPrintCommand, makeFolder, tool } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'

const LONG = `${'word '.repeat(154_000)}the end`

/** Runs a turn with one long result, and returns what the model got. */
async function run(settings: string): Promise<string> {
  const model = await startProvider([{ calls: [['print', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'long.txt': LONG,
    'toolblocks.toml': model.settings + settings + tool('print', createPrintCommand('long.txt')),
  })
  await toolblocks(folder, 'run', 'Print it.')
  return model.results()[0] ?? ''
}

test('promise long results: a model gets 100,000 characters of a result of 770,000, and the result says what reads the rest', async () => {
  const result = await run('')
  expect(result.length).toBeLessThan(101_000)
  expect(result.length).toBeGreaterThan(99_000)
  expect(result).toContain('the end')
  expect(result).toMatch(/of 7700\d\d characters were left out .* read_tool_result reads all of it/)
})

test('promise long results: with per_result and per_turn = "all", a model gets the complete result', async () => {
  const result = await run('[budget]\nper_result = "all"\nper_turn = "all"\n')
  expect(result).toBe(LONG)
})

test('promise long results: another value is refused with what is expected', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '[budget]\nper_result = "some"\n' })
  const { code, stderr } = await toolblocks(folder, 'tools')
  expect(code).toBe(2)
  expect(stderr).toContain('budget.per_result')
  expect(stderr).toContain('expected a number of characters, or "all", got string "some"')
})

test('promise long results: a known host that cuts at 11,500 characters gets less, and a note names the call that reads the rest', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join('\n')
  const answer = `return { content: [{ type: 'text', text: ${JSON.stringify(lines)} }] }`
  const long = { name: 'long', inputSchema: { type: 'object' } }
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram([long], answer) })
  const entry = {
    command: process.execPath,
    args: [inject('command'), 'serve', '--server', `"${process.execPath}" ${SERVER_FILE}`],
  }
  const client = await connectEntry(entry, folder, 'codex-mcp-client')
  const read = async (name: string, values: Record<string, unknown>): Promise<string[]> => {
    const { content } = await client.callTool({ name, arguments: values })
    return (content as { text: string }[]).map(({ text }) => text)
  }
  const received = await read('long', {})
  expect(received.join('').length).toBeLessThan(11_500)
  const [, call] = /read_tool_result reads all of it: call "([^"]+)"/.exec(received[1] ?? '') ?? []
  const [part] = await read('read_tool_result', { call, from: 1500, lines: 1 })
  expect(part).toContain('line 1500')
  const all = await read('read_tool_result', { call, lines: 3000 })
  expect(all.join('').length).toBeLessThan(11_500)
  expect(all.at(-1)).toBe('[Ask for fewer lines at a time to read all of them.]')
  await client.close()
})
