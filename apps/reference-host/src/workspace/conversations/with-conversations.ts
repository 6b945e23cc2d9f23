import { getErrorText } from '@toolblocks/protocol/internal'
import { type ConversationStore, StoreError } from '@toolblocks/conversation-store'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { type Configuration, describeProblem } from '../configuration/configuration.ts'
import type { UserSettings } from '../configuration/user-settings-schema.ts'
import { openWorkspace } from '../open-workspace.ts'
import { HOW_TO_AGREE } from '../waiting-parts.ts'
import { findConversation } from './find-conversation.ts'
import { type ChosenStore, openStoreAt } from '../store/choose-store.ts'
import { reportWait } from '../locks/wait-at-terminal.ts'

/** A store that is open while a command uses it. */
export interface OpenConversations {
  store: ConversationStore
  /** The name of the store, for messages. */
  name: string
  configuration: Configuration
  /** The user's settings for how conversations are shown. */
  settings: Pick<UserSettings, 'prices' | 'theme'>
}

/** How a store is opened. */
interface StoreAccess extends SharedOptions {
  /** `write` creates a file that does not exist. Default: `read`. */
  access?: 'read' | 'write'
}

/** Opens the store of the configuration for a command, and reports why it cannot be opened. */
export async function withConversations(
  context: CommandContext,
  { access = 'read', ...options }: StoreAccess,
  use: (opened: OpenConversations) => Promise<number>,
): Promise<number> {
  const { terminal, signal } = context
  const reportError = (message: string, code: number): number => {
    terminal.report('error', message)
    return code
  }
  const opened = await openWorkspace(context, { ...options, unconfigured: 'empty' })
  if (!opened.ok) return opened.code
  const { configuration, settings, store: chosen } = opened.workspace
  if (chosen.kind === 'waiting')
    return reportError(
      `${chosen.name} is not opened, because you have not agreed to it: ${HOW_TO_AGREE}`,
      EXIT.denied,
    )
  const { address } = chosen
  let store: ConversationStore
  try {
    const url = access === 'write' ? address.url : urlToRead(chosen)
    store = await openStoreAt(address, { url, onWait: reportWait(terminal) })
  } catch (error) {
    const message = getErrorText(error)
    if (!configuration.store) return reportError(`${address.name}: ${message}`, EXIT.usage)
    const problem = configuration.locate({ path: ['store', 'url'], message })
    return reportError(describeProblem(problem), EXIT.usage)
  }
  try {
    return await use({ store, name: address.name, configuration, settings })
  } catch (error) {
    if (signal.aborted) return EXIT.cancelled
    if (error instanceof StoreError && error.code === 'damaged')
      return reportError(explainDamage(error), EXIT.failed)
    throw error
  } finally {
    await store.close()
  }
}

/**
 * Returns the URL to read. A file that does not exist is read as an empty store, unless nothing could be written there: then its path is probably
 * mistyped, and opening it says so.
 */
function urlToRead({ kind, address: { url, file } }: OpenableStore): string {
  if (file === undefined || existsSync(file)) return url
  const isMistyped = kind === 'written' && !existsSync(dirname(dirname(file)))
  return isMistyped ? url : 'memory:'
}

type OpenableStore = Exclude<ChosenStore, { kind: 'waiting' }>

function explainDamage({ conversation, seq, message }: StoreError): string {
  if (conversation === undefined) return message
  const location = seq === undefined ? '' : `event ${seq} of `
  return `${location}conversation ${JSON.stringify(conversation)} is damaged; "toolblocks conversations verify" shows the damage`
}

/** A conversation in its store. */
interface OpenedConversation extends OpenConversations {
  /** The complete id, even if only a part of it was typed. */
  id: string
}

/** Runs a command with the conversation that is meant. If it does not exist, an error names it and the most similar id. */
export async function withConversation(
  typed: string,
  { context, options }: { context: CommandContext; options: SharedOptions },
  use: (opened: OpenedConversation) => Promise<number>,
): Promise<number> {
  return await withConversations(context, options, async (opened) => {
    const { store, name } = opened
    const match = await findConversation(store, typed, { name })
    if (match.ok) return await use({ ...opened, id: match.id })
    context.terminal.report('error', match.message)
    return EXIT.usage
  })
}
