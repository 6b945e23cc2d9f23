import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameProgram } from './command-words.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-name-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tools'))
  for (const name of ['tools/count-words.sh', 'my tool.py', '日本.sh'])
    writeFileSync(join(folder, name), '')
  return folder
}

test.for([
  ['./tools/count-words.sh', 'count_words'],
  ['sh tools/count-words.sh', 'count_words'],
  ['bash -e tools/count-words.sh --fast', 'count_words'],
  ['my tool.py', 'my_tool'],
  ['git log --oneline', 'git_log'],
  ['git log', 'git_log'],
  ['/usr/bin/git log -n 3', 'git_log'],
  ['docker compose ps -a', 'docker_compose_ps'],
  ['ls -l', 'ls'],
  ['grep TODO', 'grep'],
  ['日本.sh', 'program'],
  ['python3 gone.py', 'python3'],
] as const)('%j is the tool %s', ([line, name]) => {
  expect(nameProgram(line, makeFolder())).toBe(name)
})
