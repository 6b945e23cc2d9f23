import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'

const GO = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
const quietly = (name: string, command: readonly string[], run: string): string =>
  tool(name, command).replace('unattended', run)

test('promise call: the exit code and the result of --output json report how the call ended', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([{ type: 'question', question: GO }]),
    'toolblocks.toml': [
      quietly('fine', ['echo', 'ran'], 'ask'),
      tool('broken', ['sh', '-c', 'echo ran; exit 9']),
      quietly('denied', ['echo', 'ran'], 'deny'),
      quietly('skipped', ['echo', 'ran'], 'skip'),
      tool('slow', ['sleep', '30'], 'timeout_secs = 0.2\nparameters = {}'),
      tool('asks', ['cat', 'ask.json']),
    ].join(''),
  })
  const names = ['fine', 'broken', 'denied', 'skipped', 'slow', 'asks']
  const ran = await Promise.all(
    names.map(async (name) => await toolblocks(folder, 'call', name, '--output', 'json')),
  )
  const ended = ran.map(({ code, stdout }) => {
    const { isError, metadata } = JSON.parse(stdout)
    return [code, metadata.outcome, isError]
  })
  expect(ended).toEqual([
    [0, 'completed', false],
    [1, 'failed', true],
    [3, 'denied', true],
    [3, 'denied', true],
    [4, 'timeout', true],
    [5, 'unanswered', true],
  ])
  for (const denied of [ran[2], ran[3]]) expect(denied?.stdout).not.toContain('ran\\n')
  expect((await toolblocks(folder, 'call', 'fime')).stderr).toContain('did you mean "fine"?')
  expect((await toolblocks(folder, 'call', 'fime')).code).toBe(2)
  const { code } = await visit(folder, ['call', 'asks'], [[/Go\?[^]*No/, '\u0003']])
  expect(code).toBe(130)
})
