import { type Command, Option } from 'commander'
import {
  type ExitCode,
  configOption,
  outputOption,
  readCount,
  refuseRenamed,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { CompactOptions } from './compact-conversation.ts'
import type { DeleteOptions } from './delete-conversation.ts'
import type { ExportOptions } from './export/export-conversation.ts'
import type { ListOptions } from './list-conversations.ts'
import { readTurns } from '../../workspace/conversations/read-turns.ts'
import type { ScrubOptions } from './scrub-conversations.ts'
import type { SearchOptions } from './search/search-conversations.ts'
import type { ShowOptions } from './show/show-conversation.ts'

/** The description of the argument that names a conversation, in every command. */
const NAMED = 'the conversation: its id, the beginning of it, or "latest"'

/** Adds the commands `toolblocks conversations …`. */
export function addConversations(program: Command, context: CommandContext, end: ExitCode): void {
  const conversations = program
    .command('conversations')
    .description('list, show, search, export, verify and scrub what was recorded')
  addWord(conversations, 'list', 'list conversations, the most recently written first')
    .option('--limit <count>', 'how many, or "all" (default: 50)', readCount)
    .action(async (given: ListOptions) => {
      const { listConversations } = await import('./list-conversations.ts')
      end(await listConversations(context, given))
    })
  addWord(conversations, 'show', 'show what happened in a conversation, turn by turn')
    .argument('<id>', NAMED)
    .option('--turns <turns>', 'only some, for example 3 or 2-4', readTurns)
    .option(
      '--lines <count>',
      'lines of one block that are shown, or "all" (default: 40 on a terminal, else all)',
      readCount,
    )
    .option('--model-view', 'show what a model is given of it: without what was compacted')
    .option('--tokens', 'say what references and cuts have saved in what the model was given')
    .action(async (id: string, given: ShowOptions) => {
      const { showConversation } = await import('./show/show-conversation.ts')
      end(await showConversation(context, id, given))
    })
  addWord(conversations, 'search', 'find what was said, called and answered by its words')
    .argument('<text>', 'words that must all be there')
    .option('--in <id>', 'only in this conversation')
    .option('--limit <count>', 'how many, or "all" (default: 20)', readCount)
    .action(async (text: string, given: SearchOptions) => {
      const { searchConversations } = await import('./search/search-conversations.ts')
      end(await searchConversations(context, text, given))
    })
  const exporting = addWord(
    conversations,
    'export',
    'write all of a conversation for other programs, or for people',
    ['jsonl', 'markdown', 'html'],
  )
    .argument('<id>', NAMED)
    .option('--to <file>', 'the file to write (default: standard output)')
    .option('--force', 'replace a file that exists')
    .option('--redact', 'without the secrets that rules find')
    .action(async (id: string, given: ExportOptions) => {
      const { exportConversation } = await import('./export/export-conversation.ts')
      end(await exportConversation(context, id, given))
    })
  refuseRenamed(exporting, '--format <format>', '--output')
  addWord(conversations, 'compact', 'leave out of what a model is given; the store keeps all of it')
    .argument('<id>', NAMED)
    .option(
      '--turns <turns>',
      'which, for example 2-4 (default: all but the first and the last three)',
      readTurns,
    )
    .option('--summary <text>', 'stands for the turns')
    .addOption(
      new Option(
        '--tool-calls <what>',
        'calls with their results, or what is in results, or in both',
      ).choices(['omit', 'strip-results', 'strip']),
    )
    .addOption(new Option('--reasoning <what>', 'what the model thought').choices(['strip']))
    .action(async (id: string, given: CompactOptions) => {
      const { compactConversation } = await import('./compact-conversation.ts')
      end(await compactConversation(context, id, given))
    })
  addWord(conversations, 'verify', 'prove that everything is as it was written')
    .argument('[id]', 'one conversation (default: all)')
    .action(async (id: string | undefined, given: SharedOptions) => {
      const { verifyConversations } = await import('./verify-conversations.ts')
      end(await verifyConversations(context, id, given))
    })
  addWord(conversations, 'scrub', 'take leaked values out of a conversation, or of all of them')
    .argument('[id]', NAMED)
    .option('--all', 'all conversations')
    .option('--secret <value>', 'the value, or "-" for standard input (default: asked for)')
    .option('--ignore-case', 'also where letters are in another case')
    .option('--detect', 'find probable secrets by rules, and ask which to take out')
    .option('--yes', 'with --detect: ask nothing, and take all of them out')
    .action(async (id: string | undefined, given: ScrubOptions) => {
      const { scrubConversations } = await import('./scrub-conversations.ts')
      end(await scrubConversations(context, id, given))
    })
  addWord(conversations, 'delete', 'delete a conversation')
    .argument('<id>', NAMED)
    .option('--yes', 'ask nothing')
    .action(async (id: string, given: DeleteOptions) => {
      const { deleteConversation } = await import('./delete-conversation.ts')
      end(await deleteConversation(context, id, given))
    })
}

function addWord(
  conversations: Command,
  words: string,
  description: string,
  forms?: Parameters<typeof outputOption>[0],
): Command {
  return conversations
    .command(words)
    .description(description)
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption(forms))
}
