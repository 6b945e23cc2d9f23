import { homedir } from 'node:os'
import { sep } from 'node:path'
import type { ConversationDescription } from '@toolblocks/conversation-store'

/** What made a conversation, where that is not a person in this host, its model, and its folder where it is another than that of the workspace. */
export function describeFacts(
  { madeBy = '', model, folder }: ConversationDescription,
  root: string,
): readonly string[] {
  return [
    ...(OWN.has(madeBy) ? [] : [madeBy]),
    ...(model === undefined ? [] : [model]),
    ...(folder === undefined || folder === root ? [] : [describeFolder(folder)]),
  ]
}

/** What a title or the time of a conversation says already. */
const OWN: ReadonlySet<string> = new Set(['', 'chat', 'run', 'call'])

/** A folder of this person begins with `~`. */
function describeFolder(folder: string): string {
  const home = homedir()
  return folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder
}
