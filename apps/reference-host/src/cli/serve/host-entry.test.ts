import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeHostEntry } from './host-entry.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-name-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tools'))
  for (const name of ['tools/count-words.sh', 'my tool.py', '日本.sh'])
    writeFileSync(join(folder, name), '')
  return folder
}

test('the script of a program has an absolute path, also if its interpreter has one', () => {
  const folder = makeFolder()
  const script = join(folder, 'tools/count-words.sh')
  const programs = [
    './tools/count-words.sh',
    'sh tools/count-words.sh',
    '/bin/sh tools/count-words.sh',
  ]
  const { args } = makeHostEntry(
    'n',
    { programs, serverArgs: [], folder },
    { execPath: '/node', program: folder },
  )
  expect(args.slice(2)).toEqual([script, `sh ${script}`, `/bin/sh ${script}`])
})

test('an entry keeps the form of results, the trust of the client and the log', () => {
  const { args } = makeHostEntry(
    'n',
    {
      programs: ['ls'],
      serverArgs: [],
      folder: '/',
      trustClient: true,
      results: 'as-is',
      log: 'json',
    },
    { execPath: '/node', program: '/' },
  )
  expect(args).toEqual([
    '/',
    'serve',
    '--trust-client',
    '--results',
    'as-is',
    '--log',
    'json',
    'ls',
  ])
})
