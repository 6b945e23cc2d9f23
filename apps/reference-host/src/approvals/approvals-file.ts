import { settingsFile } from '../files/own-folders.ts'

/** The file of this user that remembers what may run unasked. */
export function approvalsFile(): string {
  return settingsFile('approvals.json')
}
