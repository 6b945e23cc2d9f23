import { randomUUID } from 'node:crypto'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { makeCall } from '../calls/make-call.ts'
import { prepareTypedCall, type TypedCall } from '../calls/prepare-typed-call.ts'
import { openRecord } from '../calls/record-call.ts'
import { openView, type ViewOptions } from '../calls/open-view.ts'
import { didYouMean } from '../did-you-mean.ts'
import { EXIT } from '../exit-codes.ts'
import { exitCodeOfLeft } from '../tools/left-out.ts'
import { tellWaitingStore } from '../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'
import { type OpenedTools, openTools } from './tools/open-tools.ts'

/** What was typed after `toolblocks call NAME`. */
export interface CallOptions extends SharedOptions, TypedCall, ViewOptions {
  /** False with --no-input. */
  input: boolean
}

/** `toolblocks call NAME`: runs one call and shows its result. Whoever typed it has agreed to it. */
export async function callTool(
  context: CommandContext,
  [name, ...words]: readonly [string, ...string[]],
  options: CallOptions,
): Promise<number> {
  const opened = await openTools(context, {
    ...options,
    named: [name],
    canAsk: (options.input && context.terminal.isInteractive) || options.answer !== undefined,
  })
  if (!opened.ok) return opened.code
  try {
    return await callOpened(context, [name, ...words], { ...options, opened })
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

async function callOpened(
  context: CommandContext,
  [name, ...words]: readonly [string, ...string[]],
  { opened, ...options }: CallOptions & { opened: Extract<OpenedTools, { ok: true }> },
): Promise<number> {
  const { configuration, entries, left, names, workspace } = opened
  if (left.length > 0) return exitCodeOfLeft(left)
  const entry = entries.find(({ tool }) => tool.name === name)
  if (!entry) {
    const known = names.join(', ') || 'none'
    return refuse(context, [
      `no tool "${name}" in ${configuration.file}; it names: ${known}${didYouMean(name, names)}`,
    ])
  }
  const { terminal, signal, readText } = context
  const prepared = await prepareTypedCall(options, entry, { words, readText })
  if (!prepared.ok) return refuse(context, prepared.messages)
  const { call, answers, steps } = prepared
  const { root } = configuration
  const output = options.output ?? 'text'
  const warn = (message: string): void => terminal.complain('warning', message)
  const { prepare, show } = await openView(terminal, { configuration, entry, view: options })
  const conversationId = randomUUID()
  tellWaitingStore(workspace, warn)
  const record = await openRecord(configuration, conversationId, warn)
  try {
    await record.record({ type: 'turn_start', turn: 1 })
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
      record,
      terminal,
      shows: configuration.tools[name]?.pty ? 'screen' : 'messages',
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
