import { resolve } from 'node:path'
import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import { keptToJson } from '../open/kept-to-json.ts'
import { loadConversation } from '../open/load-conversation.ts'
import { readAll } from '../open/read-all.ts'
import { saveText } from './save-text.ts'
import { withConversation } from '../open/with-conversation.ts'
import type { OpenConversations } from '../open/with-conversations.ts'
import { writeJsonLines } from './write-json-lines.ts'

/** What was typed after `toolblocks conversations export ID`. */
export interface ExportOptions extends SharedOptions {
  format: 'jsonl' | 'markdown'
  /** A file; absent: standard output. */
  to?: string
  /** Also over a file that exists. */
  force?: boolean
}

/** `toolblocks conversations export ID`: all of a conversation for other programs, or as Markdown for people. */
export async function exportConversation(
  context: CommandContext,
  id: string,
  options: ExportOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  const { format, to, output, force } = options
  return await withConversation(id, { context, options }, async (opened) => {
    const { store } = opened
    if (to === undefined) {
      if (format === 'jsonl')
        for await (const kept of readAll(store, id, signal))
          terminal.printJson(keptToJson(kept), 'line')
      else {
        const markdown = [...(await toMarkdown(id, opened, context))].join('')
        if (output === 'json') terminal.printJson({ id, markdown })
        else terminal.print(terminal.sanitize(markdown.trimEnd()))
      }
      return EXIT.ok
    }
    const pieces =
      format === 'jsonl'
        ? writeJsonLines(readAll(store, id, signal))
        : await toMarkdown(id, opened, context)
    const path = resolve(folder, to)
    const saved = await saveText(path, pieces, force ? 'replace' : 'keep')
    if (!saved.ok) {
      terminal.complain('error', saved.message)
      return EXIT.usage
    }
    if (output === 'json') terminal.printJson({ id, to: path })
    else terminal.print(terminal.sanitize(`Wrote ${path}.`))
    return EXIT.ok
  })
}

/** What counts of the conversation, as `show` tells it. */
async function toMarkdown(
  id: string,
  { store, configuration: { format, root } }: OpenConversations,
  { terminal, signal }: CommandContext,
): Promise<Iterable<string>> {
  const { entries, damaged } = await loadConversation(store, id, { signal })
  for (const { seq, problem } of damaged)
    terminal.complain('warning', `#${seq} is left out, it cannot be read: ${problem.message}`)
  // The formatter is loaded for Markdown only.
  const { writeMarkdown } = await import('./write-markdown.ts')
  return writeMarkdown(id, entries, { ...format, root, resourceHeader: 'name' })
}
