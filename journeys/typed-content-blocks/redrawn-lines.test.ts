import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readStoredRows } from '../stage/rows.ts'
import { getScreen } from '../stage/screen.ts'

/** A progress bar, a spinner, and a line with columns; then lines with each kind of end. */
const PRINTED =
  '\rFetching   0%\rFetching  40%\rFetching 100%\npacking |\b/\b-\b.\nold\u001B[2K\u001B[1Gnew\u001B[3Dn\none\r\ntwo\n'
const LAST_STATE = ['Fetching 100%', 'packing .', 'new', 'one', 'two']

test('000 raw text: of lines that redraw themselves, a person and a model receive the last state, the model with a note, and the store has all bytes', async () => {
  const model = await startProvider([{ calls: [['fetch', {}]] }, { text: 'Fetched.' }])
  const folder = makeFolder({
    printed: PRINTED,
    'toolblocks.toml': model.settings + tool('fetch', ['cat', 'printed']),
  })
  const { code, written } = await visit(folder, ['run', 'Fetch it.'], [])
  expect(code).toBe(0)
  const screen = await getScreen(written)
  expect(screen).toContain(LAST_STATE.map((line) => `  ${line}`).join('\n'))
  expect(screen).not.toMatch(/40%|old/)
  expect(model.results()).toEqual([
    `[The tool's text writes over itself, as progress bars do: you receive what a terminal shows in the end.]\n\n${LAST_STATE.join('\n').replace('one', 'one\r')}\n`,
  ])
  const [kept] = readStoredRows(folder).filter(({ type }) => type === 'tool_result')
  expect(JSON.stringify(kept)).toContain(JSON.stringify(PRINTED).slice(1, -1))
  const called = await toolblocks(folder, 'call', 'fetch')
  expect(
    called.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(LAST_STATE)
})
