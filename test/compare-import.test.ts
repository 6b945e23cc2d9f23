import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FIXTURES = join(ROOT, 'packages/session-import/src/fixtures')

/** Runs the tool, and returns its exit code and what it wrote. */
function compare(...toolArgs: readonly string[]): { code: number; written: string } {
  const args = ['--no-warnings', join(ROOT, 'tools/compare-import.mjs'), ...toolArgs]
  try {
    return { code: 0, written: execFileSync(process.execPath, args, { encoding: 'utf8' }) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { code: status, written: stdout }
  }
}

test('the import of every fixture has what plain JSON counts', () => {
  const { code, written } = compare(FIXTURES)
  expect(written).toMatch(/\n\d\d files compared, 0 differences\n$/)
  expect(written).toMatch(
    /✓ \S*session-1\.jsonl \(claude-code\): 1 texts of people, 2 texts of models, 1 calls, 1 results/,
  )
  expect(code).toBe(0)
})

test('what only the file or only the import has is listed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const say = (content: string): object => ({ role: 'user', content })
  const write = (name: string, ...messages: readonly object[]): string => {
    writeFileSync(join(folder, name), JSON.stringify(messages))
    return join(folder, name)
  }
  const call = { type: 'tool_use', id: 'c', name: 'look', input: {} }
  const file = write('a.json', say('Look.'), { role: 'assistant', content: [call] }, say('Thanks.'))
  const { code, written } = compare('--import', write('b.json', say('Look.'), say('Stop.')), file)
  expect(code).toBe(1)
  expect(written).toContain('texts of people, only in the file: "Thanks."')
  expect(written).toContain('texts of people, only in the import: "Stop."')
  expect(written).toContain('calls, only in the file: "c"')
  expect(written).toContain('1 files compared, 3 differences')
})

test('without a file that can be compared, the exit code is 2', () => {
  expect(compare(join(FIXTURES, 'lace')).code).toBe(2)
})
