/** Workspaces with stored conversations. */
export {
  TWO_TURNS,
  useConversations,
} from '../../apps/reference-host/src/cli/conversations/conversations.support.ts'
