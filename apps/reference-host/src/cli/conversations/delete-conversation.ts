import { confirm } from '../../terminal/ask/confirm.ts'
import { describeConversation, readLeaseHolder } from '@toolblocks/conversation-store'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { createAgentHost, describeHost } from '../../process/agent-host.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { withConversation } from '../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations delete ID`. */
export interface DeleteOptions extends SharedOptions {
  /** Whether to delete without a question. */
  yes?: boolean
}

/** `toolblocks conversations delete ID`: deletes a conversation after a person, or `--yes`, has agreed. */
export async function deleteConversation(
  context: CommandContext,
  named: string,
  options: DeleteOptions,
): Promise<number> {
  const { terminal } = context
  return await withConversation(named, { context, options }, async ({ store, name, id }) => {
    const holder = await readLeaseHolder(store.documents, id)
    // What its host stores later would be lost.
    if (holder !== undefined && !createAgentHost().isGone?.(holder)) {
      terminal.report('error', `${describeHost(holder)} runs this conversation: end it first`)
      return EXIT.failed
    }
    const { title = id } = await describeConversation(store, id)
    const agreed = options.yes ? 'yes' : await ask(context, { id, title, name, options })
    switch (agreed) {
      case 'nobody':
        terminal.report('error', 'no person can be asked: add --yes to delete the conversation')
        return EXIT.unanswered
      case 'no':
        terminal.note(terminal.style.dim('Nothing was deleted.'))
        return EXIT.denied
      case 'yes':
        await store.delete(id)
        // Bytes that only this conversation used are removed too.
        await store.collectBytes()
        if (options.output === 'json') terminal.printJson({ deleted: id })
        else terminal.print(terminal.style.plain(`Deleted ${JSON.stringify(id)}.`))
        return EXIT.ok
    }
  })
}

/** With JSON, the question would mix with the output. */
async function ask(
  context: CommandContext,
  { id, title, name, options }: { id: string; title: string; name: string; options: DeleteOptions },
): Promise<'yes' | 'no' | 'nobody'> {
  if (!context.terminal.isInteractive || options.output === 'json') return 'nobody'
  const isYes = await confirm(context, {
    material: joinTerminal(
      [...(title === id ? [] : [title]), `${id} in ${name}`].map((line) =>
        sanitizeTerminalLine(line, { maxLength: Infinity }),
      ),
      '\n',
    ),
    question: sanitizeTerminalLine('Delete this conversation, with all its events?'),
  })
  return isYes ? 'yes' : 'no'
}
