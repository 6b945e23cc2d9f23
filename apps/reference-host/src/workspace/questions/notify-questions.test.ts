import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { StartProgram } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { createNotifier, type NotifierOptions } from './notify-questions.ts'

const QUESTION: PendingQuestion = {
  id: 'k3f9x2ab',
  state: 'open',
  kind: 'question',
  call: { id: 'a', name: 'delete', arguments: { path: 'secret.txt' } },
  conversation: 'c',
  turn: 1,
  request: { id: 'sure', text: 'Sure?\nReally?', schema: { type: 'boolean' } },
  blocks: [],
  isLocal: false,
  isRepeatable: true,
  definition: '',
  host: 'h',
  askedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
}

function makeFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-notify-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

const SHARED: Pick<NotifierOptions, 'conversation' | 'signal'> = {
  conversation: () => 'c',
  signal: new AbortController().signal,
}

test('the program gets one line of JSON about each question, in the folder', async () => {
  const root = makeFolder()
  const notifier = createNotifier({ ...SHARED, command: ['sh', '-c', 'cat >> told'], root })
  notifier.notify({ ...QUESTION, server: 'files', client: { name: 'editor', version: '2.1' } })
  expect(await notifier.close()).toEqual([])
  const notification = readFileSync(join(root, 'told'), 'utf8')
  expect(notification.trimEnd()).not.toContain('\n')
  expect(JSON.parse(notification)).toEqual({
    id: 'k3f9x2ab',
    kind: 'question',
    tool: 'delete',
    server: 'files',
    client: 'editor 2.1',
    text: 'Sure?\nReally?',
    isLocal: false,
    askedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
    conversation: 'c',
    folder: root,
  })
})

test.for<[string, NotifierOptions['command'], RegExp, number?]>([
  ['fails', ['sh', '-c', 'exit 3'], /^sh ended with 3$/],
  ['does not exist', ['./nothing'], /nothing/],
  ['does not end', ['sh', '-c', 'sleep 60 & wait'], /^sh was stopped after 0\.2 s$/, 200],
])(
  'a program that %s is one reported problem',
  async ([, command, expected, timeoutMs = 20_000]) => {
    const notifier = createNotifier({ ...SHARED, command, root: makeFolder(), timeoutMs })
    notifier.notify(QUESTION)
    expect(await notifier.close()).toEqual([expect.stringMatching(expected)])
  },
)

test('an interrupted command does not wait for the program', async () => {
  const host = new AbortController()
  const command = ['sh', '-c', 'sleep 60'] as const
  const { signal } = host
  const notifier = createNotifier({ ...SHARED, command: [...command], root: makeFolder(), signal })
  notifier.notify(QUESTION)
  setTimeout(() => host.abort(), 100)
  expect(await notifier.close()).toEqual([])
})

test.for<[string, () => Promise<{ code: number; signal: null }>, readonly string[]]>([
  ['has ended', async () => ({ code: 0, signal: null }), []],
  ['was lost', async () => await Promise.reject(new Error('no such process')), ['no such process']],
])(
  'everything that a program which %s has started is ended before the notifier is closed',
  async ([, exited, problems]) => {
    const steps: string[] = []
    const host = new AbortController()
    const start: StartProgram = async () => {
      const program = {
        exited: exited(),
        write: async () => {},
        endInput: () => void steps.push('end of the input'),
        onStdout: () => {},
        onStderr: () => {},
        kill: async () => {
          await new Promise(setImmediate)
          steps.push('killed')
        },
        release: () => void steps.push('released'),
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a notifier uses only these members
      return { ok: true, program } as unknown as Awaited<ReturnType<StartProgram>>
    }
    const notifier = createNotifier({
      ...SHARED,
      command: ['tell'],
      root: '/',
      signal: host.signal,
      start,
    })
    notifier.notify(QUESTION)
    expect(await notifier.close()).toEqual(problems)
    expect(steps.filter((step) => step !== 'end of the input')).toEqual(['killed', 'released'])
    // A program that has ended is not killed again: its number may be that of another one.
    host.abort()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(steps.filter((step) => step === 'killed')).toHaveLength(1)
  },
)
