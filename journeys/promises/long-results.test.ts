import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { createPrintCommand, makeFolder, tool } from '../stage/folder.ts'
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
