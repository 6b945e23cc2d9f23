import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownCommand } from './own-command.ts'

const source = '/clone/apps/reference-host/src/main.ts'
const clone = { npm_lifecycle_event: 'demo', npm_package_name: 'toolblocks-monorepo' }
const pnpm = { ...clone, npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v24.21.0' }

test.for<[string, string, string, Record<string, string>, string]>([
  ['installed', '/usr/bin/toolblocks', '/w', { PATH: '/bin:/usr/bin' }, 'toolblocks'],
  ['by npx', '/root/.npm/_npx/1f/node_modules/.bin/toolblocks', '/w', {}, 'npx toolblocks'],
  [
    'by pnpm in a clone',
    source,
    '/clone',
    { ...pnpm, npm_execpath: '/bin/pnpm' },
    'pnpm toolblocks',
  ],
  [
    'by pnpm that npx brought',
    source,
    '/clone',
    { ...pnpm, npm_execpath: '/root/.npm/_npx/2a/node_modules/pnpm/bin/pnpm.mjs' },
    'npx -y pnpm@12.21.0 toolblocks',
  ],
  ['by pnpm in a clone, for another folder', source, '/w', pnpm, `node ${source}`],
  [
    'by a script of somebody else',
    source,
    '/clone',
    { ...pnpm, npm_lifecycle_event: 'test' },
    'node apps/reference-host/src/main.ts',
  ],
  ['by npm in a clone', source, '/clone', clone, 'npm run toolblocks --'],
  ['by its file', source, '/clone', { PATH: '/bin' }, 'node apps/reference-host/src/main.ts'],
  ['by a file elsewhere', source, '/w', {}, `node ${source}`],
  ['by a link that is in no folder of the shell', '/x/toolblocks', '/w', {}, 'node /x/toolblocks'],
])(
  'a program started %s gets the command that starts it again',
  ([, program, folder, environment, command]) => {
    expect(ownCommand({ program, folder, environment })).toBe(command)
  },
)

test('a program that is named by a starter on the PATH is started by the name of the starter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-own-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'toolblocks'), `#!/bin/sh\nexec node '${source}' "$@"\n`)
  const environment = { PATH: `/bin:${folder}` }
  expect(ownCommand({ program: source, folder: '/w', environment })).toBe('toolblocks')
  expect(ownCommand({ program: '/else/main.js', folder: '/w', environment })).toBe(
    'node /else/main.js',
  )
})
