import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

test('000 response format: the output of a shell script reaches the model unchanged, whatever it looks like', async () => {
  const printed = 'one  line\n\t{"not": "a result"}\n```\nthe end'
  const model = await startProvider([{ calls: [['notes', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'notes.txt': printed,
    'toolblocks.toml': model.settings + tool('notes', ['cat', 'notes.txt']),
  })
  await toolblocks(folder, 'run', 'Read my notes.')
  expect(model.results()).toEqual([printed])
})

test('000 response format: JSON without a content array is plain text, for the model, in a file and for a client', async () => {
  const printed = '{"content": 3, "rows": [1, 2]}'
  const model = await startProvider([{ calls: [['rows', {}]] }, { text: 'Read.' }])
  const folder = makeFolder({
    'rows.json': printed,
    'toolblocks.toml': model.settings + tool('rows', ['cat', 'rows.json']),
  })
  await toolblocks(folder, 'run', 'Count the rows.')
  expect(model.results()).toEqual([printed])
  const { stdout } = await toolblocks(folder, 'call', 'rows', '--output', 'json')
  expect(JSON.parse(stdout).content).toEqual([{ type: 'text', text: printed }])
})
