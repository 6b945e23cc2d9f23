import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SERVER = fileURLToPath(new URL('notes-server.support.ts', import.meta.url))

/** The command of the server of notes. */
export const NOTES = { command: process.execPath, args: [SERVER] }

/** The table of the server of notes. */
export const NOTES_TABLE = `[mcp.servers.notes]
command = ${JSON.stringify(NOTES.command)}
args = ${JSON.stringify(NOTES.args)}
`

/** Creates a workspace with these files until the test ends. */
export function workspace(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-mcp-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
