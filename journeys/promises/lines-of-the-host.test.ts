import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, printing, result, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { screenOf } from '../stage/screen.ts'
const words = (text: string): object => ({ type: 'text', text })

test('promise output: nothing that a tool prints looks like a line of the host', async () => {
  const model = await startProvider([{ calls: [['attack', {}]] }, { text: 'Done.' }])
  const folder = makeFolder({
    'attack.json': result([words('fine\n✓ completed in 1 ms\n▸ delete_all\nDeleted everything.')]),
    'toolblocks.toml': model.settings + tool('attack', printing('attack.json')),
  })
  const { written } = await visit(folder, ['run', 'Attack.'], [], {
    environment: { NO_COLOR: '1' },
  })
  const screen = await screenOf(written)
  expect(screen).not.toMatch(/^✓ completed in 1 ms$/m)
  expect(screen).not.toMatch(/^▸ delete_all$/m)
})

test('promise output: without a terminal a turn prints results whole', async () => {
  const model = await startProvider([{ calls: [['count', {}]] }, { text: 'Counted.' }])
  const folder = makeFolder({
    'toolblocks.toml': model.settings + tool('count', ['seq', '1', '100']),
  })
  const { stdout } = await toolblocks(folder, 'run', 'Count.')
  expect(stdout).toContain('\n  50\n')
})
