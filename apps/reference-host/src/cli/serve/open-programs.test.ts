import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPrograms } from './open-programs.ts'

test.for([
  ["sort 'x", 'a quote is not closed'],
  ['sort {{nope}}', 'unknown placeholder {{nope}}'],
])('a command that cannot be parsed is refused before any call: %s', async ([program, why]) => {
  const { signal } = new AbortController()
  const opened = await openPrograms([program ?? ''], {
    folder: tmpdir(),
    signal,
    command: 'toolblocks',
    tell: () => undefined,
  })
  expect(opened).toEqual({ ok: false, messages: [expect.stringContaining(why ?? '')] })
})

test.for(['sort', "sort 'x"])(
  'a program that has answered is not called slow afterwards: %s',
  async (program) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { signal } = new AbortController()
    const messages: string[] = []
    await openPrograms([program], {
      folder: tmpdir(),
      signal,
      command: 'toolblocks',
      tell: (text) => void messages.push(text),
    })
    vi.advanceTimersByTime(60_000)
    expect(messages).toEqual([])
  },
)

test('a program is called slow after two seconds without an answer, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ending = new AbortController()
  const messages: string[] = []
  const program = `${JSON.stringify(process.execPath)} -e "setInterval(() => 0, 1000)"`
  const opening = openPrograms([program], {
    folder: tmpdir(),
    signal: ending.signal,
    command: 'toolblocks',
    tell: (text) => void messages.push(text),
  })
  vi.advanceTimersByTime(1999)
  expect(messages).toEqual([])
  vi.advanceTimersByTime(1)
  expect(messages).toEqual([expect.stringContaining('has not answered yet')])
  vi.useRealTimers()
  ending.abort()
  await opening
})

test('if this process was busy until two seconds were over, a program whose answer has arrived meanwhile is not called slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const messages: string[] = []
  const opening = openPrograms(['sort'], {
    folder: tmpdir(),
    signal: new AbortController().signal,
    command: 'toolblocks',
    tell: (text) => void messages.push(text),
  })
  // A busy process reads the time first, and then what has arrived.
  vi.advanceTimersByTime(1999)
  await opening
  vi.advanceTimersByTime(10_000)
  expect(messages).toEqual([])
})

test('the name of a tool of the configuration is not a program, and the message says how the tool is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'toolblocks.toml')
  writeFileSync(file, '[tools.list_files]\nsource = "local"\ncommand = ["ls"]\nparameters = {}\n')
  const { signal } = new AbortController()
  const tell = (): void => {}
  const opened = await openPrograms(['list_files', 'not-there-at-all'], {
    folder,
    signal,
    tell,
    command: 'tb',
  })
  expect(opened).toEqual({
    ok: false,
    messages: [
      `"list_files" is not a program but a tool of ${file}: "tb serve" without a program serves the tools of this folder`,
      expect.stringContaining('There is no program "not-there-at-all" in PATH'),
    ],
  })
})
