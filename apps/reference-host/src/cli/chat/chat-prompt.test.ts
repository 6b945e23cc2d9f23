import { completeTypedPath, readTypedPath } from './attach-file.ts'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createChatPrompt } from './chat-prompt.ts'

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const keyboard = { input, output } as never
  const prompt = createChatPrompt(keyboard, { root: '/', signal: ending.signal })
  return {
    prompt,
    type: (text: string) => void input.write(text),
    readOutput: () => {
      // In Node.js 26, `read` returns one chunk at a time.
      const chunks: Buffer[] = []
      for (let chunk = output.read(); chunk !== null; chunk = output.read()) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    },
  }
}

test('a line is one message, and a backslash continues it on the next line', async () => {
  const { prompt, type } = open()
  const typed = prompt.read()
  type('one\\\r')
  type('two\r')
  expect(await typed).toBe('one\ntwo')
})

test.for([
  ['marked by the terminal', '\u001b[200~one\r\rtwo\\\rthree\u001b[201~'],
  ['not marked', 'one\r\rtwo\\\rthree'],
] as const)('pasted lines are one message, sent with Enter: %s', async ([kind, pasted]) => {
  const { prompt, type } = open()
  const typed = prompt.read()
  type(pasted)
  await new Promise(setImmediate)
  type(' and more\r')
  const two = kind === 'not marked' ? 'two' : 'two\\'
  expect(await typed).toBe(`one\n\n${two}\nthree and more`)
})

test('Ctrl-C at an empty prompt ends the chat; after an interrupted turn the first one explains how', async () => {
  const one = open()
  const left = one.prompt.read()
  one.type('\u0003')
  expect(await left).toBeUndefined()
  const two = open()
  const stays = two.prompt.read({ wasInterrupted: true })
  two.type('\u0003')
  two.type('hello\r')
  expect(await stays).toBe('hello')
  expect(two.readOutput()).toContain('Press Ctrl-C again to leave.')
  const again = two.prompt.read({ wasInterrupted: true })
  two.type('\u0003')
  two.type('\u0003')
  expect(await again).toBeUndefined()
})

test('Ctrl-C clears typed text', async () => {
  const { prompt, type } = open()
  const typed = prompt.read()
  type('half')
  type('\u0003')
  expect(await typed).toBe('')
})

test.for([
  ['notes.txt', 'notes.txt'],
  [' notes.txt ', 'notes.txt'],
  ['my notes.txt', 'my notes.txt'],
  ['my\\ notes.txt', 'my notes.txt'],
  ['"my notes.txt"', 'my notes.txt'],
  ["'my notes.txt'", 'my notes.txt'],
  ['"half', '"half'],
  ['~/notes.txt', join(homedir(), 'notes.txt')],
  ['"~/my notes.txt"', join(homedir(), 'my notes.txt')],
  ['~other/notes.txt', '~other/notes.txt'],
] as const)('%s is the path %s', ([typed, path]) => {
  expect(readTypedPath(typed)).toBe(path)
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-paths-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['my notes.txt', 'more.txt', '.hidden']) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/one.md'), '')
  return folder
}

test.for([
  ['mo', ['more.txt']],
  ['./mo', ['./more.txt']],
  ['d', ['docs/']],
  ['docs/', ['docs/one.md']],
  ['m', ['more.txt', 'my\\ notes.txt']],
  ['my\\ n', ['my\\ notes.txt']],
  ['"my n', ['"my notes.txt"']],
  ['"d', ['"docs/']],
  ['.h', ['.hidden']],
  ['', ['docs/', 'more.txt', 'my\\ notes.txt']],
  ['nowhere/', []],
] as const)('%s completes to one of %j', ([typed, completed]) => {
  const [paths, replaced] = completeTypedPath(typed, makeFolder())
  expect([paths.toSorted(), replaced]).toEqual([completed, typed])
})

test('a path from the home folder keeps its ~', () => {
  const [paths] = completeTypedPath('~/', '/')
  expect(paths.every((path) => path.startsWith('~/'))).toBe(true)
})
