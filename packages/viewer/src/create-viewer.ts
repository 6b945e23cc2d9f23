import {
  type OptionChoices,
  requireArguments,
  requireChoices,
  MAX_SEARCH_TEXT_LENGTH,
} from '@toolblocks/protocol/internal'
import {
  type ConversationDescription,
  type ConversationStore,
  describeConversation,
} from '@toolblocks/conversation-store'
import { type EventPageRequest } from '@toolblocks/conversation-store/internal'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/internal/format-names'
import {
  listPendingQuestions,
  type PendingOptions,
  type PendingQuestion,
} from '@toolblocks/inquiry/pending'
import type { SafeHtml } from '@toolblocks/protocol'
import {
  encodeHtml,
  markup,
  PAGE_SCRIPT,
  PAGE_STYLE,
  encodePageLine,
} from '@toolblocks/renderer/internal/html'
import { type Context, Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { readShortIds } from './reading/short-ids.ts'
import { answerExport } from './export/answer-export.ts'
import { answerFailure, answerUnknownConversation } from './pages/answer-failure.ts'
import { addTitles } from './reading/add-titles.ts'
import type { Prices } from './reading/usage.ts'
import {
  getPageAddress,
  type GalleryItem,
  type PageAccount,
  type PageFrame,
  renderConversation,
  renderHits,
  renderLayout,
  renderList,
  renderOutline,
  renderPieces,
  renderTooLong,
} from './pages/render-pages.ts'
import { type KnownStatistics, describeTotals } from './timeline/conversation-statistics.ts'
import {
  type ReadStatistics,
  createDistantStatistics,
  createStatisticsCache,
} from './timeline/statistics-cache.ts'
import {
  getChunk,
  readEvents,
  readLast,
  renderChunk,
  renderLedConversations,
  renderWholeEvent,
} from './timeline/render-chunk.ts'
import type { CardOptions } from './timeline/card-frame.ts'
import { addQuestionPages, type AnswerPagesOptions } from './questions/add-question-pages.ts'
import { getQuestionAddress } from './questions/render-question.ts'
import { renderSources, renderSourceState } from './pages/render-sources.ts'
import type { SourceFeed } from './reading/source-feed.ts'
import { createQuestionWatch } from './reading/watch-questions.ts'
import { addUsePage } from './use/add-use-page.ts'
import { VIEW_SCRIPT } from './pages/view-script.js'
import { SCHEMES, VIEW_STYLE } from './pages/view-style.ts'

/** Options of `createViewer`. */
export interface ViewerOptions {
  store: ConversationStore
  /** The name of the store, for the list. */
  name: string
  /** How results are shown, and what a model received of them. */
  options: CardOptions
  /** Whether something can wait for a person. `files`: the store has what was read from files, so nothing waits. Default: `live`. */
  growth?: 'live' | 'files'
  /** Ends the pages' streams of events when it aborts; browsers open them again. Default: they end with their page. */
  ended?: AbortSignal
  /** The prices of tokens. Default: no costs are shown. */
  prices?: Prices
  /** The colour theme. Default: the browser's. */
  theme?: 'auto' | 'light' | 'dark'
  /** Results for the page `/gallery`. Default: no such page. */
  gallery?: () => Promise<readonly GalleryItem[]>
  /** Whether the host of an open question still asks it; see `PendingOptions`. Questions that ended with their hosts are withdrawn. Default: unknown. */
  isAsked?: PendingOptions['isAsked']
  /** The state of the files from which the conversations come. Default: the pages say nothing about files. */
  sources?: SourceFeed
  /** Computes the statistics of conversations elsewhere, for a store that does not grow. Default: all their events are read here. */
  readStatistics?: ReadStatistics
  /** How people answer questions on the pages. Default: the pages are read-only. */
  answers?: AnswerPagesOptions
  /** Who reads the pages, with the address that signs out. Default: one user, who is not named. */
  account?: PageAccount
}

/** The words of the options of `ViewerOptions`. */
const VIEWER_CHOICES = {
  growth: ['live', 'files'],
  theme: ['auto', 'light', 'dark'],
} as const satisfies OptionChoices<ViewerOptions>

const HITS = 100

/** Tells a page that its conversation was deleted, and that one with the same id may have begun. */
const BEGUN_AGAIN = { event: 'begun-again', data: '' }

/** Milliseconds after which a browser opens a stream of files again: the stream ends when another store is shown. */
const RETRY_MS = 500

/**
 * Creates the pages of a store as a `fetch` handler: `/` lists the conversations, `/conversation?id=` shows one, `/export?id=` downloads it
 * (Markdown, or one page with `as=html`), `/search?q=` searches. Unless the store has files, `/questions` lists what waits for a person, `/question?id=`
 * shows one question, and `/use` who has used which tools. The store is only read, except that `POST /answer` answers a question if `answers` is given. Links are relative, so the pages
 * may be served below any path. There is no access control: see `guardPages`.
 */
export function createViewer(viewer: ViewerOptions): (request: Request) => Promise<Response> {
  requireArguments('createViewer(viewer)', [viewer, { store: 'object' }])
  requireChoices('createViewer(viewer)', 'viewer', viewer, VIEWER_CHOICES)
  const {
    store,
    name,
    options,
    growth = 'live',
    prices,
    theme = 'auto',
    gallery,
    isAsked,
    answers,
    sources,
    readStatistics,
    ended,
    account,
  } = viewer
  const app = new Hono()
  const statisticsCache = readStatistics
    ? createDistantStatistics(readStatistics)
    : createStatisticsCache(store)
  const watch =
    growth === 'live'
      ? createQuestionWatch({ storage: store.documents, ...(isAsked && { isAsked }) })
      : undefined
  const lists = watch && addQuestionPages(app, { store, name, options, answers, watch, account })
  if (watch && lists)
    addUsePage(app, { store, name, watch, renderOpen: lists.renderOldest, account })
  app.notFound((context) => context.text('There is no such page.\n', 404))
  app.onError(answerFailure)
  app.get('/page.css', (context) => respondWithText(context, 'text/css', PAGE_STYLE))
  app.get('/view.css', (context) =>
    respondWithText(context, 'text/css', VIEW_STYLE + SCHEMES[theme]),
  )
  app.get('/page.js', (context) => respondWithText(context, 'text/javascript', PAGE_SCRIPT))
  app.get('/view.js', (context) => respondWithText(context, 'text/javascript', VIEW_SCRIPT))
  app.get('/', async (context) => {
    const cursor = context.req.query('cursor')
    const { conversations, next } = await store.list(cursor === undefined ? {} : { cursor })
    const listed = await Promise.all(
      conversations.map(async (one) => ({
        ...one,
        ...(await describeConversation(store, one.id)),
      })),
    )
    const shorten = await readShortIds(store)
    const frame = await getFrame()
    const waiting = await lists?.renderWaiting()
    const page = renderList(listed, {
      name,
      next,
      shorten,
      root: options.root ?? '',
      ...(waiting !== undefined && { waiting }),
      ...(sources && { sources: renderSources(sources.read()) }),
    })
    return context.html(renderLayout(page, { title: 'Conversations', ...frame }))
  })
  if (lists) app.get('/waiting', async (context) => context.html(await lists.renderWaiting()))
  if (sources) app.get('/sources', (context) => context.html(renderSourceState(sources.read())))
  app.get('/search', async (context) => {
    const query = context.req.query('q') ?? ''
    const conversation = context.req.query('in')
    const scope = conversation === undefined ? {} : { conversation }
    const within = conversation === undefined ? {} : { within: conversation }
    const frame = { title: 'Search', query, ...within, ...(await getFrame()) }
    if (query.length > MAX_SEARCH_TEXT_LENGTH)
      return context.html(renderLayout(renderTooLong(query), frame), 400)
    if (conversation !== undefined && (await readLast(store, conversation)) === 0)
      return answerUnknownConversation(context)
    const hits = await store.search({ text: query, limit: HITS, ...scope })
    const shorten = await readShortIds(store)
    const results = renderHits(await addTitles(store, hits), { query, shorten, ...within })
    const page = sources ? markup`${renderSources(sources.read())}${results}` : results
    return context.html(renderLayout(page, frame))
  })
  if (gallery)
    app.get('/gallery', async (context) => {
      const page = renderPieces(await gallery(), { ...options, root: '/lighthouse' })
      return context.html(renderLayout(page, { title: 'Gallery', ...(await getFrame()) }))
    })
  app.get('/conversation', async (context) => {
    const { id, at, view } = getSpan(context)
    const frame = await getFrame()
    const last = await readLast(store, id)
    if (last === 0) return answerUnknownConversation(context)
    const span = getChunk(Math.min(at ?? 1, last))
    const { statistics, extent } = await statisticsCache.soon(id, last)
    const chunk = await write(id, { ...span, view }, statistics)
    const totals = { text: getTotals(statistics, view), extent }
    const rewinds = extent === 'whole' ? statistics.rewinds() : 0
    const about = await describeConversation(store, id)
    const page = renderConversation({
      id,
      short: (await readShortIds(store))(id),
      about: { ...about, ...(await readTimes(id)) },
      root: options.root ?? '',
      last,
      ...span,
      totals,
      turns: statistics.turns(),
      rewinds,
      view,
      growth,
      ...(sources && { sources: renderSources(sources.read()) }),
      deliveries: options.forModel && !isImported(about) ? 'known' : 'unknown',
      chunk,
    })
    const query = context.req.query('q') ?? ''
    return context.html(renderLayout(page, { title: about.title ?? id, query, ...frame }))
  })
  app.get('/event', async (context) => {
    const { id, at = 1 } = getSpan(context)
    const events = await readEvents(store, id, { from: at, to: at })
    if (events.events.length === 0) return context.text('There is no such event.\n', 404)
    const { title = id } = await describeConversation(store, id)
    const event = renderWholeEvent(events, { ...options, maxLines: Infinity })
    const back = markup`<p><a href="${encodeHtml(getPageAddress(id, at))}">${encodePageLine(title)} #${at}</a></p>`
    return context.html(
      renderLayout(markup`<div class="tb-page">${back}${event}</div>`, {
        title: `${title} #${at}`,
        ...(await getFrame()),
      }),
    )
  })
  app.get('/export', async (context) => {
    const { id } = getSpan(context)
    return await answerExport(context, { store, id, options, listPending, sources })
  })
  app.get('/events', async (context) => {
    const { id, from, view } = getSpan(context)
    const last = await readLast(store, id)
    if (last === 0) return answerUnknownConversation(context)
    const { statistics } = await statisticsCache.soon(id, last)
    return context.html(await write(id, { ...getChunk(from), view }, statistics))
  })
  app.get('/totals', async (context) => {
    const { id, view } = getSpan(context)
    const last = await readLast(store, id)
    if (last === 0) return answerUnknownConversation(context)
    const statistics = await statisticsCache.upTo(id, last)
    const headers = { 'tb-rewinds': String(statistics.rewinds()) }
    return context.text(getTotals(statistics, view), 200, headers)
  })
  app.get('/outline', async (context) => {
    const { id, view } = getSpan(context)
    const last = await readLast(store, id)
    if (last === 0) return answerUnknownConversation(context)
    const statistics = await statisticsCache.upTo(id, last)
    return context.html(renderOutline(id, statistics.turns(), view))
  })
  app.get('/follow', (context) => {
    const { id, after } = getSpan(context)
    const streamChanges = async (stream: SSEStreamingApi): Promise<void> => {
      const leaving = new AbortController()
      const signal = ended ? AbortSignal.any([leaving.signal, ended]) : leaving.signal
      stream.onAbort(() => leaving.abort())
      const followEvents = async (): Promise<void> => {
        if (id === '') return
        // The page requests events itself, so of those that exist only the last number matters.
        let last = await readLast(store, id)
        if (last < after) return await stream.writeSSE(BEGUN_AGAIN)
        if (last > after) await stream.writeSSE({ data: String(last) })
        for await (const { seq } of store.follow(id, { after: last, signal })) {
          await stream.writeSSE(seq > last ? { data: String(seq) } : BEGUN_AGAIN)
          last = seq
        }
      }
      const followFiles = async (): Promise<void> => {
        for await (const { extent } of sources?.follow(signal) ?? [])
          await stream.writeSSE({ event: 'sources', data: extent, retry: RETRY_MS })
      }
      const followQuestions = async (): Promise<void> => {
        for await (const open of watch?.follow(signal) ?? [])
          await stream.writeSSE({ event: 'questions', data: JSON.stringify(open) })
      }
      await Promise.all([followEvents(), followQuestions(), followFiles()]).finally(() =>
        leaving.abort(),
      )
    }
    // A browser reconnects when the stream has ended.
    return streamSSE(context, streamChanges, async () => {})
  })
  return async (request) => await app.fetch(request)

  async function write(
    id: string,
    { view, ...span }: { from: number; to: number; view: PageView },
    { undoneBy }: KnownStatistics,
  ): Promise<SafeHtml> {
    const events = await readEvents(store, id, span)
    const about = await describeConversation(store, id)
    const { folder } = about
    const { forModel, ...rest } = options
    const cardOptions: CardOptions = {
      ...rest,
      ...(folder !== undefined && { root: folder }),
      ...(view === 'model' && forModel && { forModel }),
      // It is unknown what another program gave to its model.
      undelivered: isImported(about) ? 'omit' : 'expect',
    }
    const writeLed = await renderLedConversations(store, events, {
      ...cardOptions,
      addressOfConversation: getPageAddress,
    })
    return renderChunk(events, {
      ...cardOptions,
      undoneBy,
      pending: await listPending(id),
      getQuestionAddress,
      ...(answers && { answered: 'here' as const }),
      getAddress: (seq) => getPageAddress(id, seq, view),
      getWholeAddress: (seq) => `event?${new URLSearchParams({ id, at: String(seq) }).toString()}`,
      writeLed,
    })
  }

  async function getFrame(): Promise<PageFrame> {
    return { ...(watch && { open: await watch.read() }), ...(account && { account }) }
  }

  async function listPending(conversation: string): Promise<readonly PendingQuestion[]> {
    if (!watch) return []
    const storage = store.documents
    return (await listPendingQuestions({ conversation }, { storage })).questions
  }

  function getTotals(statistics: KnownStatistics, view: PageView): string {
    return describeTotals(statistics, { prices, parts: view === 'model' ? 'say' : 'omit' })
  }

  async function readTimes(id: string): Promise<{ first: string; last: string }> {
    const read = async (request: EventPageRequest): Promise<string> => {
      const page = await store.read(id, request).catch(() => undefined)
      return page?.events[0]?.at ?? ''
    }
    const [first, last] = await Promise.all([
      read({ limit: 1 }),
      read({ before: Infinity, limit: 1 }),
    ])
    return { first, last }
  }
}

type PageView = 'person' | 'model'

function isImported({ madeBy }: ConversationDescription): boolean {
  return FORMAT_NAMES.some((format) => format === madeBy)
}

function respondWithText(context: Context, type: string, text: string): Response {
  return context.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` })
}

/** Reads the parameters of a request. An invalid number counts as absent. */
function getSpan({ req }: Context): {
  id: string
  at?: number
  from: number
  after: number
  view: PageView
} {
  const number = (name: string): number | undefined => {
    const text = req.query(name) ?? ''
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  const seq = number('at')
  return {
    id: req.query('id') ?? '',
    ...(seq !== undefined && { at: Math.max(1, seq) }),
    from: Math.max(1, number('from') ?? 1),
    after: number('after') ?? 0,
    view: req.query('model-view') === undefined ? 'person' : 'model',
  }
}
