import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atTerminal } from '../../toolblocks.support.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-session-'))
})
afterEach(async () => rm(folder, { recursive: true }))

const SCRIPT = 'printf "Name? "; read name; echo "Hello $name"; printf "More? "; read more'
const CONFIGURATION = `[tools.tool]
source = "local"
command = ["sh", "tool.sh"]
pty = true
parameters = {}

[store]
url = "sqlite:calls.db"
`

test('a tool at a pseudo-terminal runs in a session with a person who types', async () => {
  await writeFile(join(folder, 'tool.sh'), SCRIPT)
  await writeFile(join(folder, 'toolblocks.toml'), CONFIGURATION)
  const typing = [
    ['Ctrl-D ends the call', 'Ada\r'],
    ['More?', '\u0004'],
  ] as const
  const written = await atTerminal(folder, ['call', 'tool'], {}, typing)
  expect(written).toContain('Hello Ada')
  expect(written).toContain('The call was aborted.')
  const store = await openStore(`sqlite:${join(folder, 'calls.db')}`)
  const [conversation] = (await store.list()).conversations
  const { events } = await store.read(conversation?.id ?? '')
  await store.close()
  const calls = ['tool_call', 'tool_result', 'tool_call', 'tool_result']
  const types = events.map(({ event }) => event.type)
  expect(types.slice(0, 6)).toEqual(['configuration', 'turn_start', ...calls])
})
