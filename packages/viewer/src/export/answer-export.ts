import {
  type ConversationStore,
  describeConversation,
  readEntries,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { Context } from 'hono'
import { answerUnknownConversation } from '../pages/answer-failure.ts'
import type { SourceFeed, SourceState } from '../reading/source-feed.ts'
import type { CardOptions } from '../timeline/card-frame.ts'
import { readLast } from '../timeline/render-chunk.ts'
import { renderMarkdownExport } from './render-markdown.ts'
import { renderPageExport } from './render-page.ts'

/** What is exported, and how. */
interface ExportRequest {
  store: ConversationStore
  /** The id of the conversation. */
  id: string
  options: CardOptions
  /** Lists the questions of a conversation that wait for a person. */
  listPending(id: string): Promise<readonly PendingQuestion[]>
  sources: SourceFeed | undefined
}

const WHOLE: SourceState = { extent: 'whole', share: 1, warnings: [] }

/** Answers with the whole conversation as a file to download. While its file is still being read, it is not complete, so there is no download. */
export async function answerExport(
  context: Context,
  { store, id, options, listPending, sources }: ExportRequest,
): Promise<Response> {
  const { extent, share, problem }: SourceState = sources?.read() ?? WHOLE
  if (problem !== undefined) return context.text(`${problem}\n`, 503)
  if (extent === 'beginning')
    return context.text(
      `The file is still being read (${Math.floor(share * 100)} %). Export the conversation when all of it has been read.\n`,
      503,
      { 'Retry-After': '5' },
    )
  if ((await readLast(store, id)) === 0) return answerUnknownConversation(context)
  const events: StoredEvent[] = []
  for await (const kept of readEntries(store, id, { signal: context.req.raw.signal }))
    if ('event' in kept) events.push(kept)
    else
      // Without this event, the download would say that a call was interrupted.
      return context.text(
        `The export would not be complete: event ${kept.seq} cannot be read: ${kept.problem.message}.\n`,
        503,
      )
  const { entries, undone } = readHistory(events)
  const about = await describeConversation(store, id)
  const { forModel: _, ...exportOptions } = options
  const pending = await listPending(id)
  const [type, ending, pieces] =
    context.req.query('as') === 'html'
      ? ([
          'text/html',
          'html',
          renderPageExport(id, entries, { ...exportOptions, about, undone, pending }),
        ] as const)
      : ([
          'text/markdown',
          'md',
          renderMarkdownExport(id, entries, { about, undone, format: {}, pending }),
        ] as const)
  return context.body([...pieces].join(''), 200, {
    'Content-Type': `${type}; charset=utf-8`,
    // The file is downloaded, so its content has no effect on the pages.
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${id}.${ending}`)}`,
  })
}
