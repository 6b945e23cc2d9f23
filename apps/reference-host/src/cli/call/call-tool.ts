import { randomUUID } from 'node:crypto'
import type { AnswerQuestion } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { makeCall } from './make-call.ts'
import { prepareTypedCall, type TypedCall } from './prepare-typed-call.ts'
import { openRecord } from '../../workspace/conversations/record-call.ts'
import { openView, type ViewOptions } from './open-view.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import { readUserSettings } from '../../workspace/configuration/user-settings.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { beginConversation } from '../../workspace/conversations/conversation-origin.ts'
import { didYouMeanOneOf } from '../../terminal/did-you-mean.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { createDescribe } from '../../workspace/tools/describe-tools.ts'
import { exitCodeOfLeft } from '../../workspace/tools/left-out.ts'
import { chooseStore, type ChosenStore } from '../../workspace/choose-store.ts'
import type { Workspace } from '../../workspace/open-workspace.ts'
import { tellWaitingStore } from '../../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { openTools } from '../../workspace/open-tools.ts'

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
      const all = [...names, ...(await namesOfServers(context, workspace))]
      return refuse(context, [
        `no tool "${name}" in ${configuration.file}${didYouMeanOneOf(name, all, 'there is')}`,
      ])
    }
    tellWaitingStore(workspace, (message) => context.terminal.complain('warning', message))
    const assistant = answerByModel(workspace, context)
    const { store } = workspace
    return await callEntry(context, entry, { configuration, store, words, options, assistant })
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

/** The tools of the servers that were agreed to: none of them was started for a name that no server has. */
async function namesOfServers(
  { signal }: CommandContext,
  { written, isAgreed }: Workspace,
): Promise<readonly string[]> {
  const { servers, configuration } = written
  const agreed = servers.filter((server) => isAgreed(`server ${server.name}`))
  if (agreed.length === 0) return []
  const { openServers } = await import('../../workspace/servers/open-servers.ts')
  const { root } = configuration
  const environment = { ...process.env }
  const opened = await openServers(agreed, { root, environment, hooks: {}, signal })
  const names = opened.flatMap((one) => (one.ok ? one.server.tools().map((tool) => tool.name) : []))
  await Promise.all(opened.map(async (one) => (one.ok ? await one.server.close() : undefined)))
  return names
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
    tell: (message) => context.terminal.complain('warning', message),
  })
  if (signal.aborted) return EXIT.cancelled
  if (!opened.ok) return refuse(context, opened.messages)
  const user = await readUserSettings()
  if (!user.ok) return refuse(context, user.problems.map(describeProblem))
  const configuration = unconfigured(folder)
  const { settings } = user
  const store = chooseStore({ written: configuration, isAgreed: false, settings })
  const from = { configuration, store }
  const [entry, ...others] = opened.entries
  if (!entry) return refuse(context, [`${file} describes no tool that can be called`])
  if (!opened.isDescribed) {
    const typed =
      words.length > 0 ? { ...options, arguments: JSON.stringify({ args: words }) } : options
    return await callEntry(context, entry, { ...from, words: [], options: typed })
  }
  if (others.length === 0) return await callEntry(context, entry, { ...from, words, options })
  const names = opened.entries.map(({ tool }) => tool.name)
  const [name = '', ...rest] = words
  const named = opened.entries.find(({ tool }) => tool.name === name)
  if (named) return await callEntry(context, named, { ...from, words: rest, options })
  return refuse(context, [
    `${file} has several tools; name one of them after it${didYouMeanOneOf(name, names, 'it has')}`,
  ])
}

async function callEntry(
  context: CommandContext,
  entry: ToolEntry,
  {
    configuration,
    store,
    words,
    options,
    assistant,
  }: {
    configuration: Configuration
    store: ChosenStore
    words: readonly string[]
    options: CallOptions
    assistant?: AnswerQuestion
  },
): Promise<number> {
  const { terminal, signal, readText } = context
  const { root, tools } = configuration
  const person = options.input ? await findPerson(context, root) : undefined
  const prepared = await prepareTypedCall(options, entry, {
    words,
    readText,
    ...(person && { missing: { ask: person, signal } }),
  })
  if (!prepared.ok)
    return prepared.messages.length > 0 ? refuse(context, prepared.messages) : EXIT.cancelled
  const { call, answers, steps } = prepared
  const output = options.output ?? 'text'
  const warn = (message: string): void => terminal.complain('warning', message)
  const { prepare, show } = await openView(terminal, { configuration, entry, view: options })
  const conversationId = randomUUID()
  const record = await openRecord(store, conversationId, warn)
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
      person,
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
    const { answerOutsideChat } = await import('../../workspace/answer-outside-chat.ts')
    return await answerOutsideChat(workspace, terminal)(request, asked)
  }
}

/** Prompts are loaded only where somebody can see them. */
async function findPerson(
  { terminal, interrupt }: CommandContext,
  root: string,
): Promise<AnswerQuestion | undefined> {
  if (!terminal.isInteractive) return undefined
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  return createPerson(terminal, { root, interrupt })
}

function refuse({ terminal }: CommandContext, messages: readonly string[]): number {
  for (const message of messages) terminal.complain('error', message)
  return EXIT.usage
}
