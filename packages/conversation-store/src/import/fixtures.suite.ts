import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReadConversation } from './convert/read-conversation.ts'
import { readConversations } from './import-conversation.ts'
import { openSource } from './sources/source.ts'

/** A file that holds conversations, as the program of its format would write it. */
export interface Fixture {
  /** The folder it lies in: the name of its format. */
  format: string
  /** Below the folder of all fixtures. */
  name: string
  path: string
}

const FOLDER = join(import.meta.dirname, 'fixtures')
/** What lies beside a conversation and is none. */
const BESIDE =
  /(?:metadata|history_item|\/storage\/(?:message|part)\/.*|README|\.project_root|\.yaml)/
/** Notes of a task whose messages lie beside them. */
const SECOND = 'cline/tasks/1770091500000/ui_messages.json'

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

export const FIXTURES: readonly Fixture[] = filesBelow(FOLDER)
  .map((path) => ({ path, name: relative(FOLDER, path).replaceAll('\\', '/') }))
  .filter(({ name }) => !BESIDE.test(`/${name}`.replace(/\.(?:json|md)$/, '')) && name !== SECOND)
  .map(({ path, name }) => ({ path, name, format: name.split('/')[0] ?? '' }))

/** Files that lie beside conversations, and belong to them. */
export const OTHERS: readonly string[] = filesBelow(FOLDER).filter(
  (path) => !FIXTURES.some((fixture) => fixture.path === path) && path.endsWith('.json'),
)

/** The file as it is imported: of SQL the database that it makes, in a folder of its own. */
export function makeFile({ path }: Fixture): string {
  if (!path.endsWith('.sql')) return path
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-fixture-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'conversations.db')
  const database = new DatabaseSync(file)
  database.exec(readFileSync(path, 'utf8'))
  database.close()
  return file
}

/** The first conversation of a fixture, with its events alone as `said`. */
export function readFixture(name: string): ReadConversation & { said: readonly unknown[] } {
  const fixture = FIXTURES.find((each) => each.name === name)
  const [conversation] = fixture ? readConversations(openSource(makeFile(fixture))) : []
  if (!conversation) throw new Error(`expected a conversation in ${name}`)
  return { ...conversation, said: conversation.events.map(({ event }) => event) }
}
