import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalTool } from './create-local-tool.ts'
import { explainNoProgram, resolveProgram } from './resolve-program.ts'

function makeFolder(...programs: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-program-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of programs) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

test('a program that is named by a path is found from the folder in which it starts', () => {
  const root = makeFolder('run')
  expect(resolveProgram('./run {{tool.arguments.x}}', { root })).toBe(join(root, 'run'))
  expect(resolveProgram(['./missing'], { root })).toBeUndefined()
})

test('a bare name is searched for in PATH only, never in the folder itself', () => {
  const [root, programs] = [makeFolder('git'), makeFolder('git')]
  const find = (PATH: string) => resolveProgram('git log', { root, environment: { PATH } })
  expect(find(`.::${programs}`)).toBe(join(programs, 'git'))
  expect(find('.:')).toBeUndefined()
})

test.for([
  ['./missing', /^There is no program .*missing: check the path in its command\.$/],
  ['not-there-at-all x', /^There is no program "not-there-at-all" in PATH: install it/],
  ['./plain', /^.*plain is not executable: chmod \+x it\.$/],
  ['./folder', /^.*folder is a directory, not a program\.$/],
  [
    './orphan',
    /^.*orphan could not be started: .* the interpreter \/not\/there, which does not exist/,
  ],
  [
    './report.py',
    /^.*report\.py could not be started: its first line names no interpreter\. Write this line before it: #!\/usr\/bin\/env python3$/,
  ],
] as const)(
  '%s is explained in the words of a call, and nothing is started',
  async ([command, expected]) => {
    const root = makeFolder('orphan')
    writeFileSync(join(root, 'orphan'), '#!/not/there\n')
    writeFileSync(join(root, 'plain'), '')
    writeFileSync(join(root, 'report.py'), 'import sys\n', { mode: 0o755 })
    mkdirSync(join(root, 'folder'))
    const explained = explainNoProgram(command, { root })
    expect(explained).toMatch(expected)
    const call = { id: 'c', name: 't', arguments: {} }
    const tool = createLocalTool({ name: 't', inputSchema: { type: 'object' }, command })
    const answers = {}
    const result = await tool.execute(call, { root, answers, signal: new AbortController().signal })
    expect(JSON.stringify(result)).toContain(JSON.stringify(explained).slice(1, -1))
  },
)

test('a script that an interpreter should run must exist; options, values and texts are no scripts', () => {
  const root = makeFolder('tool.js')
  const explain = (...args: readonly string[]): string | undefined =>
    explainNoProgram([process.execPath, ...args], { root })
  expect(explain('missing.js', 'x')).toBe(
    `There is no file missing.js, which node should run. Write its path from ${root}.`,
  )
  for (const args of [['tool.js'], ['-e', 'missing'], ['{{tool.arguments.file}}'], []])
    expect(explain(...args)).toBeUndefined()
  expect(explainNoProgram('sh missing.sh', { root })).toContain('missing.sh, which sh should run')
  expect(explainNoProgram({ program: 'missing.sh', shell: true }, { root })).toBeUndefined()
})

test.for([
  ['a.mjs', 'console.log(1)\n', 'node'],
  ['a.ts', "import { a } from './a.ts'\n", 'node'],
  ['a.rb', 'puts 1\n', 'ruby'],
  ['a.pl', '# prints\n', 'perl'],
  ['a.php', '<?php echo 1;\n', 'php'],
  ['A.PY', '\n#!/usr/bin/env python3\n', 'python3'],
] as const)(
  '%s without an interpreter in its first line needs a line for %s',
  ([name, source, needed]) => {
    const root = makeFolder(name)
    writeFileSync(join(root, name), source)
    expect(explainNoProgram([`./${name}`], { root })).toContain(`#!/usr/bin/env ${needed}`)
    expect(resolveProgram([`./${name}`], { root })).toBe(join(root, name))
  },
)

test.for([
  ['a.py', '#!/bin/sh\n'],
  ['a.js', '\':\' //; exec node "$0" "$@"\n'],
  ['a.py', '""":"\nexec python3 "$0"\n":"""\n'],
  ['a.mjs', '//usr/bin/env node "$0"; exit\n'],
  ['a.pl', '\u007fELF\0'],
  ['a.rb', ''],
  ['a.sh', 'echo a\n'],
  ['a.txt', 'echo a\n'],
  ['a', 'echo a\n'],
] as const)('%s that a shell or the system can run is not explained: %j', ([name, source]) => {
  const root = makeFolder(name)
  writeFileSync(join(root, name), source)
  expect(explainNoProgram([`./${name}`], { root })).toBeUndefined()
})

test('nothing speaks against a program that can be started, and a command that is invalid is not explained', () => {
  const root = makeFolder('run')
  expect(explainNoProgram('./run x', { root })).toBeUndefined()
  expect(explainNoProgram('run "', { root })).toBeUndefined()
})

test('a shell script is started by sh, and an invalid command starts nothing', () => {
  const root = makeFolder()
  const programs = makeFolder('sh')
  const environment = { PATH: programs }
  expect(resolveProgram({ program: 'echo', shell: true }, { root, environment })).toBe(
    join(programs, 'sh'),
  )
  expect(resolveProgram('echo "', { root })).toBeUndefined()
})
