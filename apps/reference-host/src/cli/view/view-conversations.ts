import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import type { FormatName } from '@toolblocks/conversation-store/import'
import { type CardOptions, getPageAddress, readOrigin, serveViewer } from '@toolblocks/viewer'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeHost } from '../../process/agent-host.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { formatOptions } from '../../workspace/configuration/agent-settings.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import { type UserSettings, readUserSettings } from '../../workspace/configuration/user-settings.ts'
import { readMarks, watchPath } from './watch-path.ts'
import {
  withConversation,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'
import { readProfile } from '../../workspace/model/providers.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'
import { describeNext } from '../../workspace/questions/describe-next.ts'
import { type UnreadFile, planImport } from '../import/plan-import.ts'
import { runImport } from '../import/run-import.ts'
import { openInBrowser } from '../../process/open-in-browser.ts'

/** The options of `toolblocks view`. */
export interface ViewOptions extends SharedOptions {
  /** `false` with `--no-open`. */
  open: boolean
  /** The format of the file. Default: the format that its content shows. */
  from?: FormatName
  /** Whether the pages answer questions. */
  answer?: boolean
  /** The address of the user's own proxy. */
  origin?: string
  /** Default: a free one. */
  port?: number
}

/** `toolblocks view [ID|PATH]`: serves conversations of the store, or of a file or folder, as pages on this machine, until Ctrl-C. */
export async function viewConversations(
  context: CommandContext,
  named: string | undefined,
  options: ViewOptions,
): Promise<number> {
  const { terminal, folder } = context
  const { from, answer } = options
  const isPath = named !== undefined && existsSync(resolve(folder, named))
  const refused = findOptionProblem(options, isPath ? named : undefined)
  if (refused !== undefined) {
    terminal.report('error', refused)
    return EXIT.usage
  }
  if (isPath) return await viewPath(context, named, options)
  const problem =
    named !== undefined && isLikePath(named)
      ? `${resolve(folder, named)}: no such file or folder`
      : from !== undefined
        ? `--from ${from} is the format of a file: add one, such as "view session.jsonl --from ${from}"`
        : undefined
  if (problem !== undefined) {
    terminal.report('error', problem)
    return EXIT.usage
  }
  if (named === undefined)
    return await withConversations(
      context,
      // Questions may be asked later in a store that does not exist yet.
      { ...options, ...(answer && { access: 'write' as const }) },
      async (opened) => await showPages(context, opened, { page: '', ...options }),
    )
  return await withConversation(
    named,
    { context, options },
    async ({ id, ...opened }) =>
      await showPages(context, opened, { page: getPageAddress(id), ...options }),
  )
}

/** Returns why the options cannot be used together. `path`: the file or folder to view. */
function findOptionProblem(
  { answer, origin, port }: ViewOptions,
  path: string | undefined,
): string | undefined {
  if (answer && path !== undefined)
    return `--answer needs the conversations of a store; ${path} is only read`
  if (origin === undefined) return undefined
  const read = readOrigin(origin)
  if (!read.ok) return `--origin ${origin}: ${read.problem}`
  if (!answer) return '--origin needs --answer: without it, only this machine reads the pages'
  return !port ? '--origin needs --port: your proxy must know the port' : undefined
}

/** Whether the text can only be a path: no id contains a folder separator or a file extension. */
function isLikePath(typed: string): boolean {
  return /^[~.]?[\\/]|[\\/].*\.\w+$|\.(?:jsonl?|db|sqlite3?|md)$/.test(typed)
}

/** Serves conversations that are not imported, converted in memory. What is added to the files is shown, too. */
async function viewPath(
  context: CommandContext,
  path: string,
  options: ViewOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  const user = await readUserSettings()
  if (!user.ok) {
    for (const problem of user.problems) terminal.report('error', describeProblem(problem))
    return EXIT.usage
  }
  const { settings } = user
  const { from } = options
  const place = resolve(folder, path)
  const reading = { signal, ...(from && { from }) }
  const seen = readMarks(place)
  const { store, unread } = await openPath(place, reading)
  for (const { source, message } of unread) terminal.report('warning', `${source}: ${message}`)
  const { conversations } = await store.list({ limit: 2 })
  const [one, other] = conversations
  if (one === undefined) {
    terminal.report('error', `${path} contains no conversations that can be read`)
    return EXIT.usage
  }
  const page = other === undefined ? getPageAddress(one.id) : ''
  const watch = (show: (store: ConversationStore) => void): void => {
    void watchPath(place, { seen, signal, read: async () => await openPath(place, reading), show })
  }
  return await showPages(
    context,
    { store, name: path, configuration: { root: folder, format: {} }, settings, watch },
    { page, ...options },
  )
}

/**
 * Reads the conversations of a file or a folder into memory, in any known format, and reports what cannot be read. Nothing is imported or written.
 */
export async function openPath(
  path: string,
  { from, signal }: { from?: FormatName; signal: AbortSignal },
): Promise<{ store: ConversationStore; unread: readonly UnreadFile[] }> {
  const { files, unread } = await planImport([path], { ...(from && { from }), signal })
  const store = await openStore('memory:')
  for await (const _ of runImport(store, files, signal));
  return { store, unread }
}

interface Shown {
  store: ConversationStore
  name: string
  /** The folder, and how results are formatted for a model. */
  configuration: Pick<Configuration, 'root' | 'format' | 'model'>
  settings: Pick<UserSettings, 'prices' | 'theme'>
  /** Shows what is read later, for files. Default: the store itself gets new events. */
  watch?: (show: (store: ConversationStore) => void) => void
}

/** Serves the pages until the user ends the command. The first line of the output is the address. */
async function showPages(
  { terminal, signal }: CommandContext,
  { store, name, configuration, settings, watch }: Shown,
  { page, open, output, answer, origin, port }: ViewOptions & { page: string },
): Promise<number> {
  const { loadContentReaders } = await import('@toolblocks/renderer/readers')
  const { textForModel } = await import('../../workspace/model/text-for-model.ts')
  const { prices, theme } = settings
  const profile = await readProfile(configuration.model)
  const how = { format: formatOptions(configuration), ...(profile && { profile }) }
  const options = {
    root: configuration.root,
    readers: await loadContentReaders(),
    tallText: 'fold' as const,
    describeHost,
    forModel: (...[result, delivery]: Parameters<NonNullable<CardOptions['forModel']>>) =>
      textForModel(result, delivery, how),
  }
  const external = origin === undefined ? undefined : readOrigin(origin)
  const serving = serveViewer({
    store,
    name,
    options,
    growth: watch ? 'files' : 'live',
    isAsked: getQuestionOptions(store).isAsked,
    gallery: async () => (await import('../../demo/gallery.ts')).GALLERY,
    ...(prices && { prices }),
    ...(theme && { theme }),
    ...(answer && {
      answers: { describeNext: async (question) => await describeNext(store, question) },
    }),
    ...(external?.ok && { origin: external.origin }),
    ...(port !== undefined && { port }),
  })
  const view = await serving.catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error)) throw error
    terminal.report('error', `port ${port ?? 0} cannot be used: ${error.message}`)
    return undefined
  })
  if (!view) return EXIT.failed
  watch?.(view.show)
  const url = view.getUrl(page)
  if (output === 'json') terminal.printJson({ url }, 'line')
  else terminal.print(terminal.sanitize(url))
  const here = view.getUrl(page, 'here')
  const who =
    here === url
      ? 'Only this machine can open the pages.'
      : `Your proxy must pass this host name on to 127.0.0.1:${port}. On this machine: ${here}`
  terminal.note(terminal.style.dim(`${who} Ctrl-C ends the server.`))
  const close =
    open && terminal.isInteractive ? await openInBrowser(here, 'Open the conversations') : undefined
  if (!signal.aborted) await once(signal, 'abort')
  await view.close()
  await close?.()
  return EXIT.ok
}
