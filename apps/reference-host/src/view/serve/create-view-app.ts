import {
  type ConversationDescription,
  type ConversationStore,
  describeConversation,
  type PageRequest,
} from '@toolblocks/conversation-store'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/import/format-names'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup, PAGE_SCRIPT, PAGE_STYLE, pageLine } from '@toolblocks/renderer/html'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { shortIdsOf } from '../../conversations/open/short-ids.ts'
import { addTitles } from '../../conversations/search/add-titles.ts'
import type { Prices } from '../../model/cost-of.ts'
import { writeConversation, writeOutline } from '../pages/write-conversation.ts'
import { writeEntrance } from '../pages/write-entrance.ts'
import { writeLayout } from '../pages/write-layout.ts'
import { addressOf, writeHits, writeList } from '../pages/write-lists.ts'
import { writePieces } from '../pages/write-pieces.ts'
import { keepSurveys } from '../timeline/keep-surveys.ts'
import { readEvents, readLast } from '../timeline/read-events.ts'
import { chunkOf, writeChunk, writeWholeEvent } from '../timeline/write-chunk.ts'
import { writeLedConversations } from '../timeline/write-led.ts'
import { describeTotals, type Survey } from '../timeline/survey-conversation.ts'
import type { CardOptions } from '../timeline/card-frame.ts'
import { VIEW_SCRIPT } from '../view-script.js'
import { VIEW_STYLE } from '../view-style.ts'
import type { Guard } from './guard.ts'

/** What the pages show, and to whom. */
export interface ViewOptions {
  store: ConversationStore
  /** Where the conversations are, for the list. */
  name: string
  guard: Guard
  options: CardOptions
  /** Whether events may come while the pages are looked at. Default: `live`. */
  growth?: 'live' | 'still'
  /** What tokens cost. Default: nothing is said of it. */
  prices?: Prices
  /** Default: as the browser wants it. */
  theme?: 'auto' | 'light' | 'dark'
}

const SCHEMES = {
  auto: '',
  light: ':root{color-scheme:light}',
  dark: ':root{color-scheme:dark}',
} as const

const HITS = 100
/** A token takes less. */
const MOST_BYTES = 1024

/** Answers for the pages over a store, which is only read. */
export function createViewApp({
  store,
  name,
  guard,
  options,
  growth = 'live',
  prices,
  theme = 'auto',
}: ViewOptions): Hono {
  const whole = new Hono()
  const surveys = keepSurveys(store)
  whole.use(guard.check)
  whole.notFound((context) => context.text('Open the address that was printed last.\n', 404))
  const app = whole.basePath(guard.path)
  app.get('/page.css', (context) => ours(context, 'text/css', PAGE_STYLE))
  app.get('/view.css', (context) => ours(context, 'text/css', VIEW_STYLE + SCHEMES[theme]))
  app.get('/page.js', (context) => ours(context, 'text/javascript', PAGE_SCRIPT))
  app.get('/view.js', (context) => ours(context, 'text/javascript', VIEW_SCRIPT))
  app.post('/enter', bodyLimit({ maxSize: MOST_BYTES }), async (context) => {
    const given = guard.enter(context, readToken(await context.req.json().catch(() => null)))
    if (given === 'in') return context.body(null, 204)
    return given === 'wrong'
      ? context.text(
          'This token is of another server. Open the address that was printed last.',
          401,
        )
      : context.text('Too many wrong tokens. Try again in a minute.', 429)
  })
  app.use(async (context, next) => {
    if (guard.isIn(context)) return await next()
    const isPage = context.req.header('sec-fetch-mode') === 'navigate'
    return context.html(writeLayout(writeEntrance(), { title: 'Toolblocks' }), isPage ? 200 : 401)
  })
  app.get('/', async (context) => {
    const cursor = context.req.query('cursor')
    const { conversations, next } = await store.list(cursor === undefined ? {} : { cursor })
    const listed = await Promise.all(
      conversations.map(async (one) => ({
        ...one,
        ...(await describeConversation(store, one.id)),
      })),
    )
    const shorten = await shortIdsOf(store)
    const page = writeList(listed, { name, next, shorten, root: options.root ?? '' })
    return context.html(writeLayout(page, { title: 'Conversations' }))
  })
  app.get('/search', async (context) => {
    const query = context.req.query('q') ?? ''
    const hits = await store.search({ text: query, limit: HITS })
    const shorten = await shortIdsOf(store)
    const page = writeHits(await addTitles(store, hits), { query, shorten })
    return context.html(writeLayout(page, { title: 'Search', query }))
  })
  app.get('/gallery', async (context) => {
    const { GALLERY } = await import('../../gallery/gallery.ts')
    const page = writePieces(GALLERY, { ...options, root: '/lighthouse' })
    return context.html(writeLayout(page, { title: 'Gallery' }))
  })
  app.get('/conversation', async (context) => {
    const { id, at, view } = spanOf(context)
    const last = await readLast(store, id)
    if (last === 0) return context.text('There is no such conversation.\n', 404)
    const span = chunkOf(Math.min(at ?? 1, last))
    const { survey, extent } = await surveys.soon(id, last)
    const chunk = await write(id, { ...span, view }, survey)
    const totals = { text: totalsOf(survey, view), extent }
    const rewinds = extent === 'whole' ? survey.rewinds() : 0
    const about = await describeConversation(store, id)
    const page = writeConversation({
      id,
      short: (await shortIdsOf(store))(id),
      about: { ...about, ...(await timesOf(id)) },
      root: options.root ?? '',
      last,
      ...span,
      totals,
      turns: survey.turns(),
      rewinds,
      view,
      deliveries: options.forModel && !isImported(about) ? 'known' : 'unknown',
      growth,
      chunk,
    })
    return context.html(writeLayout(page, { title: about.title ?? id }))
  })
  app.get('/event', async (context) => {
    const { id, at = 1 } = spanOf(context)
    const events = await readEvents(store, id, { from: at, to: at })
    if (events.events.length === 0) return context.text('There is no such event.\n', 404)
    const { title = id } = await describeConversation(store, id)
    const event = writeWholeEvent(events, { ...options, maxLines: Infinity })
    const back = markup`<p><a href="${encodeHtml(addressOf(id, at))}">${pageLine(title)} #${at}</a></p>`
    return context.html(
      writeLayout(markup`<div class="tb-page">${back}${event}</div>`, { title: `${title} #${at}` }),
    )
  })
  app.get('/events', async (context) => {
    const { id, from, view } = spanOf(context)
    const { survey } = await surveys.soon(id, await readLast(store, id))
    return context.html(await write(id, { ...chunkOf(from), view }, survey))
  })
  app.get('/totals', async (context) => {
    const { id, view } = spanOf(context)
    const survey = await surveys.upTo(id, await readLast(store, id))
    const headers = { 'tb-rewinds': String(survey.rewinds()) }
    return context.text(totalsOf(survey, view), 200, headers)
  })
  app.get('/outline', async (context) => {
    const { id, view } = spanOf(context)
    const survey = await surveys.upTo(id, await readLast(store, id))
    return context.html(writeOutline(id, survey.turns(), view))
  })
  app.get('/follow', (context) => {
    const { id, after } = spanOf(context)
    const tell = async (stream: SSEStreamingApi): Promise<void> => {
      const leaving = new AbortController()
      stream.onAbort(() => leaving.abort())
      for await (const { seq } of store.follow(id, { after, signal: leaving.signal }))
        await stream.writeSSE({ data: String(seq) })
    }
    // A browser asks again where the stream has ended.
    return streamSSE(context, tell, async () => {})
  })
  return whole

  async function write(
    id: string,
    { view, ...span }: { from: number; to: number; view: View },
    { undoneBy }: Survey,
  ): Promise<SafeHtml> {
    const events = await readEvents(store, id, span)
    const about = await describeConversation(store, id)
    const { folder } = about
    const { forModel, ...rest } = options
    const shown: CardOptions = {
      ...rest,
      ...(folder !== undefined && { root: folder }),
      ...(view === 'model' && forModel && { forModel }),
      // What another program gave its model is not known here.
      undelivered: isImported(about) ? 'omit' : 'expect',
    }
    const writeLed = await writeLedConversations(store, events, {
      ...shown,
      addressOfConversation: addressOf,
    })
    return writeChunk(events, {
      ...shown,
      undoneBy,
      addressOf: (seq) => addressOf(id, seq, view),
      wholeOf: (seq) => `event?${new URLSearchParams({ id, at: String(seq) }).toString()}`,
      writeLed,
    })
  }

  function totalsOf(survey: Survey, view: View): string {
    return describeTotals(survey, { prices, parts: view === 'model' ? 'say' : 'omit' })
  }

  async function timesOf(id: string): Promise<{ first: string; last: string }> {
    const read = async (request: PageRequest): Promise<string> => {
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

type View = 'person' | 'model'

function isImported({ madeBy }: ConversationDescription): boolean {
  return FORMAT_NAMES.some((format) => format === madeBy)
}

function ours(context: Context, type: string, text: string): Response {
  return context.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` })
}

function readToken(given: unknown): string {
  const isToken = typeof given === 'object' && given !== null && 'token' in given
  return isToken ? String(given.token) : ''
}

/** What a request asks for; a number that is none counts as not said. */
function spanOf({ req }: Context): {
  id: string
  at?: number
  from: number
  after: number
  view: View
} {
  const number = (name: string): number | undefined => {
    const text = req.query(name) ?? ''
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  const at = number('at')
  return {
    id: req.query('id') ?? '',
    ...(at !== undefined && { at: Math.max(1, at) }),
    from: Math.max(1, number('from') ?? 1),
    after: number('after') ?? 0,
    view: req.query('model-view') === undefined ? 'person' : 'model',
  }
}
