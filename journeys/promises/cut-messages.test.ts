import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { PROVIDERS, type ProviderResponse, startProvider } from '../stage/provider.ts'

const TOOLS =
  tool('look', ['echo', 'a lamp']) +
  tool('clear', ['touch', 'cleared'], 'parameters = { path = { type = "string" } }')

const names = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]

test.for(names)(
  'promise cut messages: if %s cuts a message at its token limit, its last, possibly incomplete call is not made, and the model reads the reason',
  async (provider) => {
    const model = await startProvider(
      [
        {
          cut: 'tokens',
          calls: [
            ['look', {}],
            ['clear', {}],
          ],
        },
        { text: 'I try again.' },
      ],
      provider,
    )
    const folder = makeFolder({ 'toolblocks.toml': model.settings + TOOLS })
    const { code, stderr } = await toolblocks(folder, 'run', 'Clear the cache.')
    expect(code).toBe(0)
    expect(stderr).toContain('the message ended at the limit of output tokens')
    expect(existsSync(join(folder, 'cleared'))).toBe(false)
    const [look, clear] = model.results()
    expect(look).toContain('a lamp')
    expect(clear).toContain('Your message was truncated at its token limit')
    expect(clear).toContain('The call was not run.')
  },
)

test.for(names)(
  'promise cut messages: if %s ends a message by a filter or an error, none of its calls is made',
  async (provider) => {
    const calls: ProviderResponse['calls'] = [['clear', { path: 'a' }]]
    const model = await startProvider(
      [{ cut: 'error', calls }, { cut: 'filter', calls }, { text: 'I stop.' }],
      provider,
    )
    const folder = makeFolder({ 'toolblocks.toml': model.settings + TOOLS })
    const { stderr } = await toolblocks(folder, 'run', 'Clear the cache.')
    expect(stderr).toContain('asking again')
    expect(stderr).toContain('the message was ended by a content filter of the provider')
    expect(existsSync(join(folder, 'cleared'))).toBe(false)
    expect(model.results()).toEqual([
      expect.stringContaining('truncated by a filter of the provider'),
    ])
  },
)

test('promise cut messages: a turn ends if the messages of a model are cut repeatedly', async () => {
  const model = await startProvider(() => ({ cut: 'tokens', calls: [['clear', {}]] }))
  const folder = makeFolder({ 'toolblocks.toml': model.settings + TOOLS })
  const { code, stderr } = await toolblocks(folder, 'run', 'Clear the cache.')
  expect(code).toBe(1)
  expect(stderr).toContain('three messages of the model were cut')
  expect(model.requests).toHaveLength(3)
})
