import { join } from 'node:path'
import { openStore, type ConversationStore } from '@toolblocks/conversation-store'
import { type Agent, type AgentOptions, createAgent, openConversation } from '@toolblocks/agent'
import { formatOptions } from '../../workspace/configuration/agent-settings.ts'
import { shareScreen } from '../../terminal/share-screen.ts'
import { CONFIGURATION_FILE } from '../../workspace/files/find-configuration.ts'
import { DEMO_QUESTION, createDemoModel, createScriptedPerson } from '../../demo/demo-script.ts'
import { importOlder } from '../../demo/import-older.ts'
import { makeDemoWorkspace } from '../../demo/make-demo-workspace.ts'
import { createNarrator } from '../../demo/narrate-demo.ts'
import { createAgentHost } from '../../process/agent-host.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { createApproval } from '../../terminal/ask/ask-approval.ts'
import { createPerson } from '../../terminal/ask/create-person.ts'
import { agreeToWritten } from '../../workspace/consent/decisions.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { type OpenedTools, openTools } from '../../workspace/open-tools.ts'

/** The options of `toolblocks demo`. */
export interface DemoOptions {
  modelView?: boolean
  /** Whether to answer forms in the editor. */
  editor?: boolean
  keep?: boolean
  /** Whether a page shows the conversation and asks the person, until Ctrl-C. */
  page?: boolean
  /** `false` with `--no-open`. */
  open?: boolean
  output?: 'text' | 'json'
}

/** One run of the demo. */
interface Demo {
  context: CommandContext
  options: DemoOptions
  store: ConversationStore
  folder: string
}

const CONVERSATION = 'demo'
const ASKED = [{ type: 'text', text: DEMO_QUESTION }] as const

/** `toolblocks demo`: runs a scripted model with real tools, and stores all events. */
export async function runDemo(context: CommandContext, options: DemoOptions): Promise<number> {
  const workspace = await makeDemoWorkspace({ atExit: options.keep ? 'keep' : 'remove' })
  try {
    const store = await openStore(
      `sqlite:${join(workspace.folder, '.toolblocks/conversations.db')}`,
    )
    try {
      return await play(context, options, { store, folder: workspace.folder })
    } finally {
      await store.close()
    }
  } finally {
    if (!options.keep) await workspace.remove()
  }
}

async function play(
  context: CommandContext,
  options: DemoOptions,
  { store, folder }: { store: ConversationStore; folder: string },
): Promise<number> {
  const opened = await openTools(context, {
    config: join(folder, CONFIGURATION_FILE),
    trust: true,
    canAsk: true,
  })
  if (!opened.ok) return opened.code === EXIT.cancelled ? opened.code : EXIT.broken
  try {
    return await playOpened(opened, { context, options, store, folder })
  } finally {
    await opened.close()
  }
}

async function createDemoAgent(
  { entries, readers, configuration }: Extract<OpenedTools, { ok: true }>,
  {
    store,
    folder,
    asked,
  }: {
    store: ConversationStore
    folder: string
    asked: Pick<AgentOptions, 'people' | 'waiting'>
  },
): Promise<Agent> {
  return createAgent({
    model: createDemoModel(),
    conversation: await openConversation(store, CONVERSATION),
    tools: () => [...entries, ...readers],
    root: folder,
    host: createAgentHost(),
    format: formatOptions({ format: configuration.format, root: folder }),
    ...asked,
  })
}

/** Shows the conversation on a page while it grows, beside what the model receives. The page asks the person. Ends with Ctrl-C. */
async function playOnPage(
  opened: Extract<OpenedTools, { ok: true }>,
  { context, options, store, folder }: Demo,
): Promise<number> {
  const { terminal, signal } = context
  const { getPageAddress } = await import('@toolblocks/viewer')
  const { showPages } = await import('../view/view-conversations.ts')
  const agent = await createDemoAgent(opened, {
    store,
    folder,
    asked: { waiting: { whenUnanswered: 'wait' } },
  })
  const failing = new AbortController()
  const ends = AbortSignal.any([signal, failing.signal])
  try {
    const turn = agent.runTurn(ASKED, { signal: ends })
    turn.catch(() => failing.abort())
    terminal.note(
      terminal.style.plain(
        'The model is a script, and its tools are real. What a tool asks is at the end of the page, and under Questions at its top.',
      ),
    )
    // There is no page of a conversation without events.
    const events = store.follow(CONVERSATION, { after: 0, signal: ends })[Symbol.asyncIterator]()
    await events.next()
    await events.return?.()
    const code = await showPages(
      { terminal, signal: ends },
      { store, name: 'toolblocks demo', configuration: opened.configuration, settings: {} },
      {
        page: getPageAddress(CONVERSATION, undefined, 'model'),
        open: options.open !== false,
        answer: true,
      },
    )
    await turn
    return code
  } finally {
    await agent.close()
    if (options.keep) terminal.note(terminal.style.plain(`The workspace is kept in ${folder}.`))
  }
}

async function playOpened(
  opened: Extract<OpenedTools, { ok: true }>,
  { context, options, store, folder }: Demo,
): Promise<number> {
  if (options.keep) await agreeToWritten(context, opened.configuration, () => true)
  const { terminal, command, signal, interrupt } = context
  if (options.page) return await playOnPage(opened, { context, options, store, folder })
  const silent = options.output === 'json'
  const approve = silent ? undefined : createApproval(terminal, { root: folder, interrupt })
  const asked = opened.entries.filter(({ policy = 'ask' }) => policy === 'ask')
  const approved = new Set(approve ? asked.map(({ tool }) => tool.name) : [])
  const narrator = createNarrator(terminal, {
    isApproved: (tool) => approved.has(tool),
    root: folder,
    command,
    modelView: options.modelView === true,
    kept: options.keep === true ? folder : undefined,
  })
  const person = silent
    ? undefined
    : createPerson(terminal, { root: folder, interrupt, forms: options.editor ? 'edit' : 'ask' })
  const user = person ?? createScriptedPerson(silent ? () => {} : narrator.tellScripted)
  const { people, showing } = shareScreen({ user, ...(approve && { approve }) })
  const agent = await createDemoAgent(opened, { store, folder, asked: { people } })
  try {
    if (!silent) narrator.ask(DEMO_QUESTION)
    await agent.runTurn(ASKED, { signal, ...(!silent && { show: showing(narrator.show) }) })
  } finally {
    await agent.close()
  }
  if (signal.aborted) {
    if (options.keep) terminal.note(terminal.style.plain(`The workspace is kept in ${folder}.`))
    return EXIT.cancelled
  }
  const older = await importOlder(store, folder)
  const { events } = await store.read(CONVERSATION, { limit: 1000 })
  const problems = await store.verify(CONVERSATION)
  if (silent) terminal.printJson(events)
  else narrator.conclude({ events: events.length, problems, older })
  return problems.length === 0 ? EXIT.ok : EXIT.broken
}
