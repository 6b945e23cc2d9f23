import {
  describeConversation,
  readEntries,
  renderJsonLinesExport,
  type StoredEntry,
} from '@toolblocks/conversation-store'
import { entryToJson, isLostEvent } from '@toolblocks/conversation-store/internal'
import { listPendingQuestions } from '@toolblocks/inquiry/pending'
import { resolve } from 'node:path'
import { EXIT } from '../../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import { formatOptions } from '../../../workspace/configuration/agent-settings.ts'
import { loadConversation } from '../../../workspace/conversations/load-conversation.ts'
import { refuse } from '../../../terminal/refuse.ts'
import {
  type OpenConversations,
  withConversation,
} from '../../../workspace/conversations/with-conversations.ts'
import { getQuestionOptions } from '../../../workspace/questions/question-options.ts'
import { findExisting, saveText, typedTarget } from '../../../workspace/files/write-file.ts'
import { lookForSecrets } from '../secrets/redact-export.ts'

/** The options of `toolblocks conversations export ID`. */
export interface ExportConversationOptions extends Omit<SharedOptions, 'output'> {
  output: 'jsonl' | 'markdown' | 'html'
  /** The file to write. Default: standard output. */
  to?: string
  /** Whether to replace an existing file. */
  force?: boolean
  /** Whether to omit the secrets that the rules find. */
  redact?: boolean
}

/**
 * `toolblocks conversations export ID`: writes a complete conversation as JSON lines for other programs, or as Markdown or one HTML page for
 * people.
 */
export async function exportConversation(
  context: CommandContext,
  named: string,
  options: ExportConversationOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  const { output, to, force, ...shared } = options
  return await withConversation(named, { context, options: shared }, async (opened) => {
    const { id } = opened
    const target = to === undefined ? undefined : typedTarget(resolve(folder, to), folder)
    const existing = force ? 'replace' : 'keep'
    const obstacle = target && findExisting(target, existing)
    if (obstacle) return refuse(terminal, [obstacle.message])
    let code: number = EXIT.ok
    const reportProblem = (kept: StoredEntry): void => {
      if (!('problem' in kept)) return
      const what = isLostEvent(kept) ? 'is missing' : 'cannot be read'
      terminal.report('warning', `#${kept.seq} ${what}: ${kept.problem.message}`)
      if (isLostEvent(kept)) code = EXIT.failed
    }
    await reportWaiting(context, opened)
    const secrets = await lookForSecrets(context, opened, { id, redact: options.redact })
    if (secrets.isIncomplete) code = EXIT.timeout
    const { store } = secrets
    async function* readTold(): AsyncGenerator<StoredEntry> {
      for await (const kept of readEntries(store, id, { signal })) {
        reportProblem(kept)
        yield kept
      }
    }
    async function toMarkdown(): Promise<Iterable<string>> {
      const { entries, undone, damaged } = await loadConversation(store, id, { signal })
      for (const kept of damaged) reportProblem(kept)
      // The formatter is loaded only for Markdown.
      const { renderMarkdownExport: writeMarkdown } = await import('@toolblocks/viewer')
      const about = await describeConversation(store, id)
      return writeMarkdown(id, entries, {
        about,
        undone,
        format: formatOptions(opened.configuration),
      })
    }
    async function readPieces(
      how: ExportConversationOptions['output'],
    ): Promise<AsyncIterable<string> | Iterable<string>> {
      switch (how) {
        case 'jsonl':
          return renderJsonLinesExport(readTold())
        case 'markdown':
          return await toMarkdown()
        case 'html':
          return await toPage()
      }
    }
    async function toPage(): Promise<Iterable<string>> {
      const { entries, undone, damaged } = await loadConversation(store, id, { signal })
      for (const kept of damaged) reportProblem(kept)
      const { renderPageExport: writePage } = await import('@toolblocks/viewer')
      const { loadContentReaders } = await import('@toolblocks/renderer/readers')
      const readers = await loadContentReaders()
      const { root } = opened.configuration
      const about = await describeConversation(store, id)
      const { folder: worked = root } = about
      return writePage(id, entries, { root: worked, readers, tallText: 'fold', about, undone })
    }
    if (!target) {
      if (output === 'jsonl')
        for await (const kept of readTold()) {
          terminal.printJson(entryToJson(kept), 'line')
          await terminal.printed()
        }
      else {
        const text = [...(await (output === 'html' ? toPage() : toMarkdown()))].join('')
        terminal.print(terminal.sanitize(text.trimEnd()))
      }
      return code
    }
    const pieces = await readPieces(output)
    const saved = await saveText(target, pieces, existing)
    if (!saved.ok) return refuse(terminal, [saved.message])
    terminal.print(terminal.sanitize(`Wrote ${target.path}.`))
    return code
  })
}

/** Says which questions of a conversation wait. The export has the events, which say that they were asked, and not the questions in the store. */
async function reportWaiting(
  { terminal, command }: CommandContext,
  { store, id }: Pick<OpenConversations, 'store'> & { id: string },
): Promise<void> {
  const request = { state: 'open', conversation: id } as const
  const { questions } = await listPendingQuestions(request, getQuestionOptions(store))
  const ids = questions.map((question) => question.id)
  if (ids.length === 0) return
  const what = ids.length === 1 ? '1 question waits' : `${ids.length} questions wait`
  terminal.report(
    'warning',
    `${what} for an answer, which the export does not contain: ${ids.join(', ')}; "${command} questions show ID" shows a question`,
  )
}
