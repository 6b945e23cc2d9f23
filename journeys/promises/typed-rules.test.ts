import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

const ERASE = `
[tools.erase]
source = "local"
command = ["echo", "erased {{tool.arguments.path}}"]
run = "unattended"
parameters = { path = { type = "string" } }
`

test('promise approvals: a command ends before any call if a typed rule that denies or asks names an argument which its tool does not have', async () => {
  const model = await startProvider(() => ({ calls: [['erase', { path: 'old' }]] }))
  const folder = makeFolder({
    'toolblocks.toml': model.settings + ERASE,
    'wipe.sh': '#!/bin/sh\necho wiped\n',
  })
  chmodSync(join(folder, 'wipe.sh'), 0o755)
  const mistake = (effect: string, tool: string): string =>
    `error: --${effect}-tool "${tool}(pth=old)": the tool ${tool} has no argument "pth", so `
  for (const command of [
    ['call', 'erase', '--arg', 'path=old'],
    ['run', 'Go.', '--no-input'],
    ['serve', '--http', '0'],
    ['serve'],
  ])
    for (const effect of ['deny', 'ask']) {
      const typed = [...command, `--${effect}-tool`, 'erase(pth=old)']
      const { code, stdout, stderr } = await toolblocks(folder, ...typed)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(mistake(effect, 'erase'))
      expect(stderr).toContain('did you mean "path"?')
    }
  const wipe = await toolblocks(folder, 'call', './wipe.sh', 'x', '--deny-tool', 'wipe(pth=old)')
  expect([wipe.code, wipe.stdout]).toEqual([2, ''])
  expect(wipe.stderr).toContain(mistake('deny', 'wipe'))
})
