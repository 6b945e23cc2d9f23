import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { hasResults, startProvider } from '../stage/provider.ts'

test('promise approvals: a yes for ever holds for the tool as it is: not for another one of its name, and not once it is revoked', async () => {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: [['clean', {}]] },
  )
  const folder = makeFolder({})
  const write = (words: string): void =>
    writeFileSync(
      `${folder}/toolblocks.toml`,
      `${model.settings}[tools.clean]\nsource = "local"\ncommand = ["echo", "${words}"]\nparameters = {}\n`,
    )
  const ask = async (): Promise<string> => {
    await toolblocks(folder, 'run', 'Clean up.', '--no-input')
    return model.results().join('')
  }
  write('swept')
  expect(await ask()).toMatch(/denied/)
  await visit(
    folder,
    ['run', 'Clean up.'],
    [[/Run clean\?[^]*never ask again/, '\u001b[B'.repeat(4) + '\r']],
  )
  expect(await ask()).toBe('swept\n')

  write('burnt')
  expect(await ask()).toMatch(/denied/)
  write('swept')
  expect(await ask()).toBe('swept\n')
  const listed = await toolblocks(folder, 'approvals', '--output', 'json')
  const [, id = ''] = /"id": "(\w+)"/.exec(listed.stdout) ?? []
  expect((await toolblocks(folder, 'approvals', 'revoke', id)).code).toBe(0)
  expect(await ask()).toMatch(/denied/)
})
