import { randomUUID } from 'node:crypto'
import type { AnswerQuestion } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { makeCall } from '../calls/make-call.ts'
import { prepareTypedCall, type TypedCall } from '../calls/prepare-typed-call.ts'
import { openRecord } from '../calls/record-call.ts'
import { openView, type ViewOptions } from '../calls/open-view.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { beginConversation } from '../conversation-origin.ts'
import { didYouMean } from '../did-you-mean.ts'
import { EXIT } from '../exit-codes.ts'
import { createDescribe } from '../tools/descriptions/describe.ts'
import { exitCodeOfLeft } from '../tools/left-out.ts'
import type { Workspace } from '../workspace/open-workspace.ts'
import { tellWaitingStore } from '../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'
import { openTools } from './tools/open-tools.ts'

/** What was typed after `toolblocks call NAME`. */
export interface CallOptions extends SharedOptions, TypedCall, ViewOptions {
  /** False with --no-input. */
  input: boolean
}

/**
 * `toolblocks call NAME`: runs one call of a tool of the workspace and shows its result. Whoever typed it has agreed to it. `call
 * ./FILE`: the same for a program, for which no configuration is read.
 */
export async function callTool(
  context: CommandContext,
  [name, ...words]: readonly [string, ...string[]],
  options: CallOptions,
): Promise<number> {
  if (isFileName(name)) return await callFile(context, [name, ...words], options)
  const opened = await openTools(context, {
    ...options,
    named: [name],
    canAsk: (options.input && context.terminal.isInteractive) || options.answer !== undefined,
  })
  if (!opened.ok) return opened.code
  try {
    const { configuration, entries, left, names, workspace } = opened
    if (left.length > 0) return exitCodeOfLeft(left)
    const entry = entries.find(({ tool }) => tool.name === name)
    if (!entry) {
      const known = names.join(', ') || 'none'
      return refuse(context, [
        `no tool "${name}" in ${configuration.file}; it names: ${known}${didYouMean(name, names)}`,
      ])
    }
    tellWaitingStore(workspace, (message) => context.terminal.complain('warning', message))
    const assistant = answerByModel(workspace, context)
    return await callEntry(context, entry, { configuration, words, options, assistant })
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

/** A name with a folder in it is one of a file; `toolblocks.toml` has no such names. */
function isFileName(name: string): boolean {
  return name.includes('/') || (process.platform === 'win32' && name.includes('\\'))
}

/** Calls a program that nobody has configured. One that does not describe itself takes the words as they are. */
async function callFile(
  context: CommandContext,
  [file, ...words]: readonly [string, ...string[]],
  options: CallOptions,
): Promise<number> {
  const { folder, signal } = context
  const { openProgram } = await import('../serve/open-programs.ts')
  const opened = await openProgram(file, {
    folder,
    describe: createDescribe({ root: folder, signal }),
  })
  if (signal.aborted) return EXIT.cancelled
  if (!opened.ok) return refuse(context, opened.messages)
  const configuration = unconfigured(folder)
  const [entry, ...others] = opened.entries
  if (!entry) return refuse(context, [`${file} describes no tool that can be called`])
  if (!opened.isDescribed) {
    const typed = words.length > 0 ? { ...options, json: JSON.stringify({ args: words }) } : options
    return await callEntry(context, entry, { configuration, words: [], options: typed })
  }
  if (others.length === 0) return await callEntry(context, entry, { configuration, words, options })
  const names = opened.entries.map(({ tool }) => tool.name)
  const [name = '', ...rest] = words
  const named = opened.entries.find(({ tool }) => tool.name === name)
  if (named) return await callEntry(context, named, { configuration, words: rest, options })
  return refuse(context, [
    `${file} has several tools; name one of ${names.join(', ')} after it${didYouMean(name, names)}`,
  ])
}

/** What a configuration says that says nothing. */
function unconfigured(root: string): Configuration {
  const file = root
  return {
    file,
    root,
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    agents: {},
    locate: ({ path, message }) => ({ file, key: path.join('.'), message }),
  }
}

async function callEntry(
  context: CommandContext,
  entry: ToolEntry,
  {
    configuration,
    words,
    options,
    assistant,
  }: {
    configuration: Configuration
    words: readonly string[]
    options: CallOptions
    assistant?: AnswerQuestion
  },
): Promise<number> {
  const { terminal, signal, readText } = context
  const prepared = await prepareTypedCall(options, entry, { words, readText })
  if (!prepared.ok) return refuse(context, prepared.messages)
  const { call, answers, steps } = prepared
  const { root, tools } = configuration
  const output = options.output ?? 'text'
  const warn = (message: string): void => terminal.complain('warning', message)
  const { prepare, show } = await openView(terminal, { configuration, entry, view: options })
  const conversationId = randomUUID()
  const record = await openRecord(configuration, conversationId, warn)
  try {
    await record.record(beginConversation({ command: 'call', folder: root }), {
      type: 'turn_start',
      turn: 1,
    })
    const code = await makeCall({
      call,
      entry: answers.reading(entry),
      steps,
      context: {
        signal,
        root,
        conversationId,
        answers: answers.answers,
        unanswered: output === 'json' ? 'return' : 'fail',
      },
      person: options.input ? await findPerson(context, root) : undefined,
      ...(assistant && { assistant }),
      record,
      terminal,
      shows: tools[entry.tool.name]?.pty ? 'screen' : 'messages',
      output,
      prepare,
      show: (result) => {
        // An answer that does not fit is told once, as wrong usage.
        if (answers.misfits.length === 0) show(result)
      },
    })
    for (const message of answers.unused()) warn(message)
    return answers.misfits.length > 0 ? refuse(context, answers.misfits) : code
  } finally {
    await record.close()
  }
}

/** The model of the workspace, for questions that go to one. It is chosen and loaded once it is asked. */
function answerByModel(workspace: Workspace, { terminal }: CommandContext): AnswerQuestion {
  return async (request, asked) => {
    const { answerOutsideChat } = await import('../model/answer-outside-chat.ts')
    return await answerOutsideChat(workspace, terminal)(request, asked)
  }
}

/** Prompts are loaded only where somebody can see them. */
async function findPerson(
  { terminal, interrupt }: CommandContext,
  root: string,
): Promise<AnswerQuestion | undefined> {
  if (!terminal.isInteractive) return undefined
  const { createPerson } = await import('../terminal/ask/create-person.ts')
  return createPerson(terminal, { root, interrupt })
}

function refuse({ terminal }: CommandContext, messages: readonly string[]): number {
  for (const message of messages) terminal.complain('error', message)
  return EXIT.usage
}
