import type { ConversationStore } from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import type { Hono } from 'hono'
import { type PageAccount, renderLayout } from '../pages/render-pages.ts'
import type { QuestionWatch } from '../reading/watch-questions.ts'
import { createUseReader } from './read-use.ts'
import { getUseStart, readUseSelection, renderUse } from './render-use.ts'

/** Adds the page `/use?since=&sort=`: who has used which tools, what failed, and what waits. `renderOpen` renders the open questions. */
export function addUsePage(
  app: Hono,
  {
    store,
    name,
    watch,
    renderOpen,
    account,
  }: {
    store: ConversationStore
    /** The name of the store. */
    name: string
    watch: QuestionWatch
    renderOpen: () => Promise<SafeHtml>
    account: PageAccount | undefined
  },
): void {
  const reader = createUseReader(store)
  app.get('/use', async (context) => {
    const selection = readUseSelection(context.req.query('since'), context.req.query('sort'))
    const use = await reader.read(getUseStart(selection, Date.now()))
    const page = renderUse(use, { name, selection, waiting: await renderOpen() })
    const open = await watch.read()
    return context.html(renderLayout(page, { title: 'Use', open, ...(account && { account }) }))
  })
}
