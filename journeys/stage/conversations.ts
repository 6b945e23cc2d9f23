/** Workspaces with conversations that were kept before. */
export {
  TWO_TURNS,
  useConversations,
} from '../../apps/reference-host/src/cli/conversations/conversations.suite.ts'
