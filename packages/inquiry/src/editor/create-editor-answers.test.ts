import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { InputRequest, QuestionContext, StartProgram } from '@toolblocks/protocol'
import { startProgram } from '@toolblocks/local-executor'
import { createEditorAnswers, type EditorAnswersOptions } from './create-editor-answers.ts'

const request: InputRequest = {
  id: 'room',
  text: 'Which room?',
  schema: {
    type: 'object',
    properties: { floor: { type: 'integer', description: 'From the ground.', maximum: 9 } },
    required: ['floor'],
  },
}

const context: QuestionContext = {
  blocks: [],
  source: { kind: 'question', call: { id: 'call-1', name: 'book', arguments: {} } },
  signal: new AbortController().signal,
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-editor-test-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** A real program as editor. `$1` is the file, `$n` the number of times it was opened. Its input is recorded. */
async function editor(script: string): Promise<EditorAnswersOptions & { command: string }> {
  const program = join(folder, 'editor.sh')
  const lines = ['#!/bin/sh', `echo x >> ${folder}/count`, `n=$(grep -c x ${folder}/count)`]
  await writeFile(program, [...lines, `cp "$1" ${folder}/seen-$n`, script].join('\n'), {
    mode: 0o700,
  })
  // A separate folder for temporary files shows which files remain.
  return { startProgram, command: program, environment: { ...process.env, FOLDER: folder } }
}

async function seen(opening: number): Promise<string> {
  return await readFile(join(folder, `seen-${opening}`), 'utf8')
}

test('the saved text is the answer, comments included; only the owner can read the file, and it is removed afterwards', async () => {
  const options = await editor(
    `stat -c %a "$1" > $FOLDER/mode; echo "$1" > $FOLDER/name; sed -i 's/"floor": 0/"floor": 4/' "$1"`,
  )
  const answer = await createEditorAnswers(options)(request, context)
  expect(answer).toEqual({ action: 'accept', value: { floor: 4 } })
  expect(await seen(1)).toBe(`// Which room?
// book asks. An unchanged or empty file cancels the question.

// object
{
  // integer: From the ground. · at most 9
  "floor": 0,
}
`)
  expect((await readFile(join(folder, 'mode'), 'utf8')).trim()).toBe('600')
  const file = (await readFile(join(folder, 'name'), 'utf8')).trim()
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await expect(readdir(join(file, '..'))).rejects.toThrow('ENOENT')
})

test('problems are shown above their line, and the editor opens again', async () => {
  const options = await editor(`case $n in
1) printf '{\\n  "floor" 12\\n}\\n' > "$1" ;;
2) printf '{\\n  "floor": 12\\n}\\n' > "$1" ;;
3) sed -i 's/12/3/' "$1" ;;
esac`)
  const answer = await createEditorAnswers(options)(request, context)
  expect(answer).toEqual({ action: 'accept', value: { floor: 3 } })
  expect(await seen(2)).toBe('{\n  // ✗ colon expected\n  "floor" 12\n}\n')
  expect(await seen(3)).toBe(
    '{\n  // ✗ /floor expected a number <= 9, got number 12\n  "floor": 12\n}\n',
  )
})

test.for([
  ['left unchanged', 'true'],
  ['emptied', ': > "$1"'],
  ['left with comments only', 'echo "// nothing" > "$1"'],
  ['removed', 'rm "$1"'],
  ['changed by an editor that then fails', 'echo "{\\"floor\\": 1}" > "$1"; exit 1'],
  ['left with its problems', '[ $n = 1 ] && echo "[]" > "$1"; true'],
  ['wrong again and again', 'echo "[$n]" > "$1"'],
])('a file that is %s cancels the question', async ([, script = '']) => {
  const answer = await createEditorAnswers(await editor(script))(request, context)
  expect(answer).toEqual({ action: 'cancel', reason: 'user' })
})

test('VISUAL overrides EDITOR, and either may have arguments', async () => {
  const { command } = await editor(`[ "$2" ] && file=$2 || file=$1; echo '{"floor": 1}' > "$file"`)
  const environment = { ...process.env, VISUAL: `X=1 nice ${command}`, EDITOR: 'false' }
  const answer = await createEditorAnswers({ startProgram, environment })(request, context)
  expect(answer).toEqual({ action: 'accept', value: { floor: 1 } })
})

test('a missing editor is an error that says what to set', async () => {
  const ask = createEditorAnswers({ startProgram, command: '/no/such/editor' })
  await expect(ask(request, context)).rejects.toMatchObject({
    name: 'EditorError',
    code: 'editor-not-started',
    message:
      'The editor could not be started: /no/such/editor. Set VISUAL or EDITOR to a command that takes a file name.',
  })
})

test('without a terminal vi is not started', async () => {
  const ask = createEditorAnswers({ startProgram, environment: {} })
  expect(await ask(request, context)).toEqual({ action: 'cancel', reason: 'nobody' })
})

test('an abort ends the editor, and no process is left', async () => {
  const stop = new AbortController()
  const options = await editor(`echo $$ > $FOLDER/pid; exec sleep 60`)
  const asked = createEditorAnswers(options)(request, { ...context, signal: stop.signal })
  const pid = await waitForNumber(join(folder, 'pid'))
  stop.abort()
  expect(await asked).toEqual({ action: 'cancel', reason: 'aborted' })
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('an editor in the working folder is not used by its bare name, whatever PATH contains', async () => {
  const { command, environment } = await editor('true')
  await rename(command, join(folder, 'own-editor'))
  const cwd = relative(process.cwd(), folder)
  for (const path of [cwd, `${cwd}:${process.env['PATH']}`, `:${process.env['PATH']}`]) {
    const own = { ...environment, PATH: path, EDITOR: 'own-editor' }
    const ask = createEditorAnswers({ startProgram, environment: own })
    await expect(ask(request, context)).rejects.toMatchObject({ code: 'editor-not-started' })
  }
  expect(await readdir(folder)).not.toContain('count')
})

test('after an abort no editor is opened', async () => {
  const answer = await createEditorAnswers(await editor('exit 0'))(request, {
    ...context,
    signal: AbortSignal.abort(),
  })
  expect(answer).toEqual({ action: 'cancel', reason: 'aborted' })
  expect(await readdir(folder)).not.toContain('count')
})

/** An editor that runs until the test ends it. */
function startEditor(ended: PromiseLike<number | null>, onStart: () => void = () => {}) {
  const signals: string[] = []
  const start: StartProgram = async () => {
    onStart()
    const program = {
      exited: (async () => ({ code: await ended, signal: null }))(),
      terminate: () => void signals.push('terminate'),
      kill: async () => void signals.push('kill'),
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an editor uses only these members
    return { ok: true, program } as unknown as Awaited<ReturnType<StartProgram>>
  }
  return { signals, start }
}

test('an editor that has ended leaves no listener and no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const exit = Promise.withResolvers<number>()
  const { signals, start } = startEditor(exit.promise, () => stop.abort())
  const ask = createEditorAnswers({ startProgram: start, command: 'edit', environment: {} })
  const asked = ask(request, { ...context, signal: stop.signal })
  // The signal aborted while the editor started.
  await vi.waitUntil(() => signals.length > 0)
  expect([signals, vi.getTimerCount()]).toEqual([['terminate'], 1])
  exit.resolve(0)
  expect(await asked).toEqual({ action: 'cancel', reason: 'aborted' })
  expect(vi.getTimerCount()).toBe(0)

  const { signal } = new AbortController()
  const other = startEditor(Promise.resolve(0))
  const askOther = createEditorAnswers({
    startProgram: other.start,
    command: 'edit',
    environment: {},
  })
  await askOther(request, { ...context, signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an editor that does not end is killed after its grace period', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const exit = Promise.withResolvers<number>()
  const { signals, start } = startEditor(exit.promise)
  const ask = createEditorAnswers({ startProgram: start, command: 'edit', environment: {} })
  const asked = ask(request, { ...context, signal: stop.signal })
  await vi.waitUntil(() => getEventListeners(stop.signal, 'abort').length > 0)
  stop.abort()
  vi.advanceTimersByTime(1999)
  expect(signals).toEqual(['terminate'])
  vi.advanceTimersByTime(1)
  expect(signals).toEqual(['terminate', 'kill'])
  exit.resolve(0)
  await asked
})

test('text that an editor saves because of an abort is not an answer', async () => {
  const stop = new AbortController()
  const options = await editor(
    `trap 'kill $!; echo "{\\"floor\\": 1}" > "$1"; exit 0' TERM
    sleep 60 &
    echo $$ > $FOLDER/pid
    wait`,
  )
  const asked = createEditorAnswers(options)(request, { ...context, signal: stop.signal })
  await waitForNumber(join(folder, 'pid'))
  stop.abort()
  expect(await asked).toEqual({ action: 'cancel', reason: 'aborted' })
})

test('a page to visit and a server’s question for a secret are not edited', async () => {
  const ask = createEditorAnswers(await editor('exit 0'))
  const secret = { type: 'object', properties: { password: { type: 'string' } } }
  const nobody = { action: 'cancel', reason: 'nobody' }
  expect(await ask({ ...request, url: 'https://a.example/' }, context)).toEqual(nobody)
  const source = { kind: 'elicitation', server: 'books' } as const
  expect(await ask({ ...request, schema: secret }, { ...context, source })).toEqual(nobody)
})

async function waitForNumber(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return Number(text)
    await new Promise(setImmediate)
  }
}
