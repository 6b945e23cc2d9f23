import { type Command, Option } from 'commander'
import {
  type ExitCode,
  configOption,
  outputOption,
  readCount,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { CompactOptions } from './compact-conversation.ts'
import type { DeleteOptions } from './delete-conversation.ts'
import type { ExportConversationOptions } from './export/export-conversation.ts'
import type { ListConversationsOptions } from './list-conversations.ts'
import { readTurns } from '../../workspace/conversations/read-turns.ts'
import type { ScrubOptions } from './scrub-conversations.ts'
import type { SearchOptions } from './search/search-conversations.ts'
import type { ShowConversationOptions } from './show/show-conversation.ts'

/** The description of the argument that names a conversation, in every command. */
const NAMED = 'the conversation: its id, the beginning of its id, or "latest"'

/** Adds the commands `toolblocks conversations …`. */
export function addConversations(program: Command, context: CommandContext, end: ExitCode): void {
  const conversations = program
    .command('conversations')
    .description('list, show, search, export, verify and scrub conversations')
  addWord(conversations, 'list', 'list conversations, the most recently written first')
    .option('--limit <count>', 'maximum number, or "all" (default: 50)', readCount)
    .option('--client <name>', 'only those of this client of "serve", as its credentials name it')
    .action(async (options: ListConversationsOptions) => {
      const { listConversations } = await import('./list-conversations.ts')
      end(await listConversations(context, options))
    })
  addWord(conversations, 'show', 'show a conversation, turn by turn')
    .argument('<id>', NAMED)
    .option('--turns <turns>', 'only these turns, for example 3 or 2-4', readTurns)
    .option(
      '--lines <count>',
      'maximum lines of one block, or "all" (default: 40 on a terminal, else all)',
      readCount,
    )
    .option('--model-view', 'show what a model receives, without the compacted parts')
    .option('--tokens', 'show how many tokens references and cuts have saved')
    .action(async (id: string, options: ShowConversationOptions) => {
      const { showConversation } = await import('./show/show-conversation.ts')
      end(await showConversation(context, id, options))
    })
  addWord(conversations, 'search', 'find messages, calls, results and answers by their words')
    .argument('<text>', 'the words, all of which an event must contain')
    .option('--in <id>', 'search only this conversation')
    .option('--limit <count>', 'maximum number, or "all" (default: 20)', readCount)
    .action(async (text: string, options: SearchOptions) => {
      const { searchConversations } = await import('./search/search-conversations.ts')
      end(await searchConversations(context, text, options))
    })
  addWord(
    conversations,
    'export',
    'write a complete conversation for other programs or for people',
    ['jsonl', 'markdown', 'html'],
  )
    .argument('<id>', NAMED)
    .option('--to <file>', 'the file to write (default: standard output)')
    .option('--force', 'replace an existing file')
    .option('--redact', 'omit the secrets that rules find')
    .action(async (id: string, options: ExportConversationOptions) => {
      const { exportConversation } = await import('./export/export-conversation.ts')
      end(await exportConversation(context, id, options))
    })
  addWord(
    conversations,
    'compact',
    'omit parts from what a model receives; the store keeps everything',
  )
    .argument('<id>', NAMED)
    .option(
      '--turns <turns>',
      'the turns, for example 2-4 (default: all but the first and the last three)',
      readTurns,
    )
    .option('--summary <text>', 'the text that replaces the turns')
    .addOption(
      new Option(
        '--tool-calls <what>',
        'omit calls with their results, or the content of results, or of both',
      ).choices(['omit', 'strip-results', 'strip']),
    )
    .addOption(
      new Option('--reasoning <what>', 'omit the reasoning of the model').choices(['strip']),
    )
    .action(async (id: string, options: CompactOptions) => {
      const { compactConversation } = await import('./compact-conversation.ts')
      end(await compactConversation(context, id, options))
    })
  addWord(conversations, 'verify', 'verify that everything is as it was written')
    .argument('[id]', 'one conversation (default: all)')
    .action(async (id: string | undefined, options: SharedOptions) => {
      const { verifyConversations } = await import('./verify-conversations.ts')
      end(await verifyConversations(context, id, options))
    })
  addWord(conversations, 'scrub', 'remove leaked values from one conversation, or from all')
    .argument('[id]', NAMED)
    .option('--all', 'all conversations')
    .option('--secret <value>', 'the value, or "-" for standard input (default: asked for)')
    .option('--ignore-case', 'also match upper and lower case')
    .option('--detect', 'find probable secrets with rules, and ask which to remove')
    .option('--yes', 'with --detect: ask nothing, and remove all of them')
    .action(async (id: string | undefined, options: ScrubOptions) => {
      const { scrubConversations } = await import('./scrub-conversations.ts')
      end(await scrubConversations(context, id, options))
    })
  addWord(conversations, 'delete', 'delete a conversation')
    .argument('<id>', NAMED)
    .option('--yes', 'ask no questions')
    .action(async (id: string, options: DeleteOptions) => {
      const { deleteConversation } = await import('./delete-conversation.ts')
      end(await deleteConversation(context, id, options))
    })
}

function addWord(
  conversations: Command,
  signature: string,
  description: string,
  forms?: Parameters<typeof outputOption>[0],
): Command {
  return conversations
    .command(signature)
    .description(description)
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption(forms))
}
