import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import {
  type AnswerQuestion,
  booleanQuestion,
  type CallContext,
  createErrorResult,
  createSuccessResult,
  type LiveCall,
  type Tool,
  type ToolContext,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { createTerminal } from '../../terminal/terminal.ts'
import { configuredEntry } from '../../workspace/tools/configured-entry.support.ts'
import { workspace } from '../../workspace/servers/workspace.support.ts'
import { withoutTrust } from '../toolblocks.support.ts'
import { type CallSettings, makeCall } from './call-tool.ts'

/** The outcome of a call: its exit code, the shown and printed text, and the recorded events. */
interface Made {
  code: number
  results: ToolResult[]
  prepared: ToolResult[]
  printed: string
  stderr: string
  events: ConversationEvent[]
}

async function make(
  tool: Tool,
  { entry = { tool }, ...more }: Partial<CallSettings> & { entry?: ToolEntry } = {},
): Promise<Made> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const made: Omit<Made, 'code'> = {
    results: [],
    prepared: [],
    printed: '',
    stderr: '',
    events: [],
  }
  const call = { id: 'call-1', name: tool.name, arguments: { n: 3 } }
  const code = await makeCall(call, entry, {
    steps: undefined,
    context: { signal: new AbortController().signal, root: '/w', conversationId: 'c' },
    record: async (...events) => void made.events.push(...events),
    terminal,
    shows: 'messages',
    output: 'text',
    prepare: async (result) => void made.prepared.push(result),
    show: (result) => void made.results.push(result),
    ...more,
  })
  return {
    ...made,
    code,
    printed: String(stdout.read() ?? ''),
    stderr: String(stderr.read() ?? ''),
  }
}

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } } }
const ask = (id: string): ToolResult =>
  createSuccessResult([{ type: 'question', question: booleanQuestion({ id, text: `${id}?` }) }])

/** Asks three questions and returns the context that it received. */
function tellingTool(contexts: ToolContext[]): Tool {
  return {
    name: 'tells',
    inputSchema: SCHEMA,
    execute: async (_, context) => {
      const missing = ['known', 'person', 'model'].find((id) => context.answers[id] === undefined)
      if (missing !== undefined) return ask(missing)
      contexts.push(context)
      return createSuccessResult([{ type: 'text', text: 'done' }])
    },
  }
}

test('a call runs with its complete context, asks the available people, stores bytes and is recorded', async () => {
  const contexts: ToolContext[] = []
  const put: string[] = []
  const keepBytes = async (): Promise<{ sha256: string; bytes: number }> => ({
    sha256: 'kept',
    bytes: 1,
  })
  const answering =
    (who: string): AnswerQuestion =>
    async ({ id }) => {
      put.push(`${who} ${id}`)
      return { action: 'accept', value: true }
    }
  const made = await make(tellingTool(contexts), {
    entry: {
      tool: tellingTool(contexts),
      policy: 'ask',
      options: { depth: 2 },
      routes: { model: { target: 'assistant' } },
    },
    context: {
      signal: new AbortController().signal,
      root: '/w/sub',
      conversationId: 'of the call',
      answers: { known: false },
      unanswered: 'return',
      ask: { user: answering('person'), assistant: answering('model') },
      keepBytes,
    },
  })
  expect([made.code, put]).toEqual([0, ['person person', 'model model']])
  expect(contexts).toMatchObject([
    {
      root: '/w/sub',
      conversationId: 'of the call',
      answers: { known: false, person: true, model: true },
      options: { depth: 2 },
      keepBytes,
    },
  ])
  expect(made.results).toMatchObject([{ id: 'call-1', content: [{ text: 'done' }] }])
  expect(made.prepared).toEqual(made.results)
  expect(made.events.map(({ type }) => type)).toEqual([
    'tool_call',
    'question',
    'answer',
    'question',
    'answer',
    'question',
    'answer',
    'tool_result',
  ])
  expect(made.events[0]).toEqual({
    type: 'tool_call',
    call: { id: 'call-1', name: 'tells', arguments: { n: 3 } },
  })
  expect(made.events.at(-1)).toEqual({ type: 'tool_result', result: made.results[0] })
})

test('with nobody there a question is returned where that is wanted, and printed as JSON', async () => {
  const context: CallContext = {
    signal: new AbortController().signal,
    root: '/w',
    unanswered: 'return',
  }
  const { code, printed, results, prepared } = await make(tellingTool([]), {
    context,
    output: 'json',
  })
  expect([code, results, prepared]).toEqual([5, [], []])
  expect(JSON.parse(printed)).toMatchObject({ content: [{ question: { id: 'known' } }] })
  const ended = { ...context, signal: AbortSignal.abort() }
  expect((await make(tellingTool([]), { context: ended })).code).toBe(130)
})

/** A stateful tool that returns the text it receives and asks a question if the text requests one. */
function liveTool(received: unknown[]): Tool {
  const says = (text: string): ToolResult =>
    withStatus(createSuccessResult([{ type: 'text', text }]), 'running')
  return {
    name: 'live',
    inputSchema: SCHEMA,
    execute: async () => createSuccessResult([]),
    spawn: async ({ arguments: values }): Promise<LiveCall> => {
      received.push(values)
      return {
        started: says('started'),
        fetch: async () => says('fetched'),
        apply: async (liveInput) => {
          const input = 'input' in liveInput ? liveInput.input : liveInput.answers
          received.push(input)
          if (input === 'fail\n') return withStatus(createErrorResult('broken'), 'running')
          return input === 'ask\n' ? withStatus(ask('go'), 'waiting') : says('applied')
        },
        abort: async () => {
          received.push('abort')
          return withStatus(createSuccessResult([]), 'stopped')
        },
      }
    },
  }
}

test('a stateful call receives its arguments and typed lines, and each interaction is recorded', async () => {
  const received: unknown[] = []
  const steps = [
    { action: 'apply', text: 'ask' } as const,
    ...Array.from({ length: 300 }, () => ({ action: 'fetch' }) as const),
    { action: 'apply', text: 'last' } as const,
  ]
  const put: string[] = []
  const made = await make(liveTool(received), {
    steps,
    shows: 'screen',
    context: {
      signal: new AbortController().signal,
      root: '/w',
      ask: {
        user: async ({ id }) => {
          put.push(id)
          return { action: 'accept', value: true }
        },
      },
    },
  })
  expect([made.code, made.stderr, put]).toEqual([0, '', ['go']])
  expect(received).toEqual([{ n: 3 }, 'ask\n', { go: true }, 'last\n', 'abort'])
  expect(
    made.results.filter(({ content }) => JSON.stringify(content).includes('fetched')),
  ).toHaveLength(300)
  expect(made.results.every(({ isError }) => !isError)).toBe(true)
  const calls = made.events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []))
  const results = made.events.flatMap((event) =>
    event.type === 'tool_result' ? [event.result.id] : [],
  )
  expect(calls.map(({ id }) => id)).toEqual(results)
  expect(calls[0]).toEqual({
    id: 'call-1',
    name: 'live',
    arguments: { n: 3, action: 'spawn', id: 'call' },
  })
  expect(calls[2]).toMatchObject({
    arguments: { action: 'apply', id: 'call', input: { go: true } },
  })
  // The person has seen this result with the question, so it is not shown again.
  expect(JSON.stringify(made.results)).not.toContain('go?')
})

test('a script prints every result as JSON, and the exit code is that of the first failed result or missing step', async () => {
  const failing = [{ action: 'apply', text: 'fail' } as const, { action: 'fetch' } as const]
  const failed = await make(liveTool([]), { steps: failing, shows: 'screen', output: 'json' })
  expect([failed.code, failed.results]).toEqual([1, []])
  expect(JSON.parse(failed.printed)).toMatchObject([{ isError: false }, { isError: true }, {}])
  const late = [{ action: 'abort' } as const, { action: 'fetch' } as const]
  const undone = await make(liveTool([]), { steps: late })
  expect([undone.code, undone.stderr]).toEqual([2, expect.stringContaining('the call had ended')])
  const both = await make(liveTool([]), { steps: [...failing, ...late], shows: 'screen' })
  expect(both.code).toBe(1)
})

test('a live call ends with the command, also if showing its result fails', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolblocks-make-call-'))
  const file = `[tools.live]\nsource = "local"\ncommand = ["sh", "-c", "echo $$ > pid; echo ready; exec cat"]\npty = true\nparameters = {}\n`
  const entry = await configuredEntry(file, root)
  const call = { id: 'call-1', name: 'live', arguments: {} }
  const made = makeCall(call, entry, {
    steps: Array.from({ length: 100 }, () => ({ action: 'fetch' }) as const),
    context: { signal: new AbortController().signal, root, answers: {} },
    record: async () => {},
    terminal: createTerminal(process),
    shows: 'screen',
    output: 'text',
    prepare: async () => {},
    // Without this wait, the program may not have started.
    show: (result) => {
      if (JSON.stringify(result).includes('ready')) throw new Error('no terminal any more')
    },
  })
  await expect(made).rejects.toThrow('no terminal any more')
  const pid = Number(await readFile(join(root, 'pid'), 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await rm(root, { recursive: true })
})

/** Creates a folder with a script and a configuration that would do harm if it were read. */
function folderWith(script: string): string {
  const folder = workspace({
    'toolblocks.toml':
      '[store]\nurl = "sqlite:kept.db"\n[tools.t]\nsource = "local"\ncommand = "touch harm"\n',
  })
  writeFileSync(join(folder, 'script.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}

const DESCRIBED = (...names: readonly string[]): string => {
  const tools = names.map((name) => ({ name, parameters: { who: { type: 'string' } } }))
  return `case "$(cat)" in *'"action":"schema"'*) echo '${JSON.stringify({ tools })}';; *) echo "hello from $0";; esac`
}

test('a program receives the typed words, and the configuration of its folder is not read', async () => {
  const folder = folderWith('echo "got: $*"')
  const called = await withoutTrust(folder, 'call', './script.sh', 'a b', 'c')
  expect(called).toMatchObject({ code: 0, stdout: 'got: a b c\n', stderr: '' })
  expect([existsSync(join(folder, 'harm')), existsSync(join(folder, 'kept.db'))]).toEqual([
    false,
    false,
  ])
})

test('in a folder without a configuration, words with a space are a command line; beside one, the error says how to write it', async () => {
  const folder = workspace({ 'script.mjs': 'console.log("got:", ...process.argv.slice(2))' })
  const called = await withoutTrust(folder, 'call', 'node script.mjs', 'a')
  expect(called).toMatchObject({ code: 0, stdout: 'got: a\n' })
  const { code, stderr } = await withoutTrust(folderWith('true'), 'call', 'node script.sh')
  expect([code, stderr]).toEqual([2, expect.stringContaining('such as "python3 ./tool.py"')])
})

test('a program that describes itself takes its arguments by name', async () => {
  const folder = folderWith(DESCRIBED('greet'))
  const called = await withoutTrust(folder, 'call', './script.sh', '--arg', 'who=Ada')
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('hello from') })
  const missing = await withoutTrust(folder, 'call', './script.sh')
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('"who" is missing') })
})

test('a program with several tools needs the name of one', async () => {
  const folder = folderWith(DESCRIBED('one', 'other'))
  const unnamed = await withoutTrust(folder, 'call', './script.sh', 'othr')
  expect(unnamed.code).toBe(2)
  expect(unnamed.stderr).toContain(
    'write the name of one after it; did you mean "other"? It has one, other',
  )
  const called = await withoutTrust(folder, 'call', './script.sh', 'other', '--arg', 'who=Ada')
  expect(called.code).toBe(0)
})

test('a missing program is reported', async () => {
  const called = await withoutTrust(folderWith(''), 'call', './missing.sh')
  expect(called).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^error: There is no program \S+\/missing\.sh: check the path in its command\.\n$/,
    ),
  })
})
