import type { ConversationStore } from '@toolblocks/conversation-store'
import type { FormatName } from '@toolblocks/conversation-store'
import {
  type CardOptions,
  type SourceFeed,
  getPageAddress,
  readOrigin,
  serveViewer,
} from '@toolblocks/viewer'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeHost } from '../../process/agent-host.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { formatOptions } from '../../workspace/configuration/agent-settings.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import { readUserSettings } from '../../workspace/configuration/user-settings.ts'
import type { UserSettings } from '../../workspace/configuration/user-settings-schema.ts'
import { type Show, openPath } from './open-path.ts'
import {
  withConversation,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'
import { readProfile } from '../../workspace/model/providers.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'
import { hasCallContinued } from '../../workspace/questions/continued-call.ts'
import { describeNext } from '../../workspace/questions/describe-next.ts'
import { openInBrowser } from '../../process/open-in-browser.ts'

/** The options of `toolblocks view`. */
export interface ViewConversationsOptions extends SharedOptions {
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
  options: ViewConversationsOptions,
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
  { answer, origin, port }: ViewConversationsOptions,
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

/** Serves conversations that are not imported, converted when they are shown. What is added to the files is shown, too. */
async function viewPath(
  context: CommandContext,
  path: string,
  options: ViewConversationsOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  const user = await readUserSettings()
  if (!user.ok) {
    for (const problem of user.problems) terminal.report('error', describeProblem(problem))
    return EXIT.usage
  }
  const { settings } = user
  const opened = await openPath(resolve(folder, path), { ...options, context })
  if (!opened) {
    if (!signal.aborted)
      terminal.report('error', `${path} contains no conversations that can be read`)
    return signal.aborted ? EXIT.cancelled : EXIT.usage
  }
  const { store, only, sources, follow } = opened
  return await showPages(
    context,
    { store, name: path, configuration: { root: folder, format: {} }, settings, sources, follow },
    { page: only === undefined ? '' : getPageAddress(only), ...options },
  )
}

/** Conversations to show as pages, and how. */
export interface PageSource {
  store: ConversationStore
  name: string
  /** The folder, and how results are formatted for a model. */
  configuration: Pick<Configuration, 'root' | 'format' | 'model'>
  settings: Pick<UserSettings, 'prices' | 'theme'>
  /** For files: how far they have been read. */
  sources?: SourceFeed
  /** For files: shows what is read later. Settles when nothing can be shown. Default: the store itself gets new events. */
  follow?: (show: Show) => Promise<void>
}

/** Serves the pages until the user ends the command. The first line of the output is the address. */
export async function showPages(
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  { store, name, configuration, settings, sources, follow }: PageSource,
  { page, open, output, answer, origin, port }: ViewConversationsOptions & { page: string },
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
    growth: sources ? 'files' : 'live',
    ...(sources && { sources }),
    isAsked: getQuestionOptions(store).isAsked,
    gallery: async () => (await import('../../demo/gallery.ts')).GALLERY,
    ...(prices && { prices }),
    ...(theme && { theme }),
    ...(answer && {
      answers: {
        describeNext: async (question) => await describeNext(store, question),
        hasContinued: async (question) => await hasCallContinued(store, question),
      },
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
  const end = signal.aborted ? Promise.resolve('asked') : once(signal, 'abort')
  const code = await Promise.race([
    end.then(() => EXIT.ok),
    // While files can be followed, only the person ends the pages.
    follow
      ? follow(({ store: next, readStatistics }) => view.show(next, readStatistics)).then(
          () => EXIT.usage,
        )
      : end.then(() => EXIT.ok),
  ])
  await view.close()
  await close?.()
  return signal.aborted ? EXIT.ok : code
}
