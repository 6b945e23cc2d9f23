import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveProgram } from './resolve-program.ts'

function makeFolder(...programs: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-program-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of programs) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

test('a program that is named by a path is found from the folder where it starts', () => {
  const root = makeFolder('run')
  expect(resolveProgram('./run {{tool.arguments.x}}', { root })).toBe(join(root, 'run'))
  expect(resolveProgram(['./missing'], { root })).toBeUndefined()
})

test('a bare name is looked for in PATH alone, never in the folder itself', () => {
  const [root, programs] = [makeFolder('git'), makeFolder('git')]
  const find = (PATH: string) => resolveProgram('git log', { root, environment: { PATH } })
  expect(find(`.::${programs}`)).toBe(join(programs, 'git'))
  expect(find('.:')).toBeUndefined()
})

test('a shell script is started by sh, and a command that cannot be read starts nothing', () => {
  const root = makeFolder()
  const programs = makeFolder('sh')
  const environment = { PATH: programs }
  expect(resolveProgram({ program: 'echo', shell: true }, { root, environment })).toBe(
    join(programs, 'sh'),
  )
  expect(resolveProgram('echo "', { root })).toBeUndefined()
})
