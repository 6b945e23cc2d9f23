import type { ConversationStore } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { describeContinued } from '@toolblocks/viewer/questions'
import { formatMinute, readShortIds } from '@toolblocks/viewer/reading'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, renderTerminalBlocks } from '@toolblocks/renderer'
import { describeHost } from '../../process/agent-host.ts'
import { previewArguments } from '../../terminal/ask/ask-approval.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { describeCall } from '../../terminal/describe-call.ts'
import { describePending, describeSettled } from '../../terminal/describe-question.ts'
import { loadAbilities } from '../../terminal/show-to-person.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { describeNext } from '../../workspace/questions/describe-next.ts'
import { withQuestion } from './find-question.ts'
import { describePlace, type ListedQuestion } from './list-questions.ts'

/** `toolblocks questions show ID`: shows a question with everything that its answer depends on. */
export async function showQuestion(
  context: CommandContext,
  typed: string,
  options: SharedOptions,
): Promise<number> {
  const { terminal } = context
  return await withQuestion(
    typed,
    { context, options },
    async ({ question, store, configuration }) => {
      const listed = await describePlace(store, question)
      if (options.output === 'json') {
        terminal.printJson(listed)
        return EXIT.ok
      }
      const { title, resume } = listed
      const shorten = await readShortIds(store)
      const facts = [...(title === undefined ? [] : [title]), shorten(resume)]
      const { askedAt, expiresAt, state, host, turn } = question
      const times = [
        `asked ${formatMinute(askedAt)} UTC by ${describeHost(host)} in turn ${turn}`,
        ...(expiresAt === undefined ? [] : [`expires ${formatMinute(expiresAt)} UTC`]),
      ]
      terminal.print(
        joinTerminal(
          [
            describePending(listed, terminal, { facts, now: new Date() }),
            terminal.sanitize(`  ${times.join(' · ')}`),
            ...(state === 'open' ? [] : [terminal.sanitize(`  ${describeSettled(question)}`)]),
            ...(listed.hasContinued === undefined
              ? []
              : [terminal.sanitize(`  ${await describeCallState(store, listed)}`)]),
            terminal.style.plain(''),
            await renderQuestion(question, terminal, configuration),
          ],
          '\n',
        ),
      )
      return EXIT.ok
    },
  )
}

/** Describes what happens with the call of an answered question, or that it has continued. */
async function describeCallState(
  store: ConversationStore,
  question: ListedQuestion,
): Promise<string> {
  return question.hasContinued === true
    ? describeContinued(question)
    : await describeNext(store, question)
}

/** Renders the call, its arguments, and what its tool shows and asks. Nothing is cut. */
async function renderQuestion(
  { kind, call, request, blocks, after = [] }: PendingQuestion,
  terminal: Terminal,
  { root }: { root: string },
): Promise<TerminalText> {
  const { colors, columns } = terminal
  const options = { colors, columns, root }
  const material = kind === 'approval' ? blocks : []
  const formatted = material.length === 0 ? undefined : { content: [...material], isError: false }
  const asked =
    kind === 'approval'
      ? []
      : [...blocks, { type: 'question', question: request } as const, ...after]
  const abilities = await loadAbilities([{ content: asked, isError: false }], terminal)
  const parts = [
    joinTerminal(
      [describeCall(call, 'name', terminal), previewArguments(call, formatted, options)],
      '\n',
    ),
    ...(asked.length === 0
      ? []
      : [renderTerminalBlocks(asked, { ...options, maxLines: Infinity, ...abilities })]),
    ...(kind === 'approval'
      ? []
      : [terminal.sanitize(`schema: ${JSON.stringify(request.schema)}`)]),
    ...(kind === 'approval' || request.default === undefined
      ? []
      : [terminal.sanitize(`default: ${JSON.stringify(request.default)}`)]),
  ]
  return joinTerminal(parts, '\n\n')
}
