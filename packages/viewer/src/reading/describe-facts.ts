import type { ConversationDescription } from '@toolblocks/conversation-store'
import { homedir } from 'node:os'
import { sep } from 'node:path'

/** Describes the origin of a conversation if it is not a person in this host, its model, and its folder if it is not the workspace. */
export function describeFacts(
  { madeBy = '', servedTo, client, model, folder }: ConversationDescription,
  root: string,
): readonly string[] {
  return [
    ...(OWN.has(madeBy) ? [] : [madeBy]),
    ...(servedTo === undefined
      ? []
      : [`for ${servedTo}${client === undefined ? '' : ` with ${client}`}`]),
    ...(model === undefined ? [] : [model]),
    ...(folder === undefined || folder === root ? [] : [describeFolder(folder)]),
  ]
}

/** Origins that the title or the time of a conversation shows already. */
const OWN: ReadonlySet<string> = new Set(['', 'chat', 'run', 'call'])

/** Returns a folder with `~` for the home folder. */
function describeFolder(folder: string): string {
  const home = homedir()
  return folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder
}

/** Formats a time in UTC, to the minute: `2026-11-22 09:53`. */
export function formatMinute(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

/** Formats a time span in UTC: `2026-11-22 09:53–09:55 UTC`. */
export function formatTimeSpan(first: string, last: string): string {
  const [from, to] = [formatMinute(first), formatMinute(last)]
  if (from === to) return `${from} UTC`
  const isSameDay = from.slice(0, 10) === to.slice(0, 10)
  return isSameDay ? `${from}–${to.slice(11)} UTC` : `${from} – ${to} UTC`
}
