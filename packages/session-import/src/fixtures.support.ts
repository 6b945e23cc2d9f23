import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReadConversation } from './convert/read-conversation.ts'
import { readConversations } from './import-conversation.ts'
import { openSource } from './sources/source.ts'

/** A file with conversations, in the form in which the program of its format writes it. */
export interface Fixture {
  /** The name of its folder, which is the name of its format. */
  format: string
  /** Its path below the folder of all fixtures. */
  name: string
  path: string
}

const FOLDER = join(import.meta.dirname, 'fixtures')
/** Files beside a conversation that are not conversations themselves. */
const BESIDE =
  /(?:metadata|history_item|\/storage\/(?:message|part)\/.*|README|\.project_root|\.yaml)/
/** Notes of a task; the messages of the same task are in a file beside them. */
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

/** Files beside conversations that belong to them. */
export const OTHERS: readonly string[] = filesBelow(FOLDER).filter(
  (path) => !FIXTURES.some((fixture) => fixture.path === path) && path.endsWith('.json'),
)

/** Returns the path of the file to import. For SQL it is the database that the SQL creates, in a new folder. */
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

/** Returns the first conversation of a fixture, with its plain events as `plainEvents`. */
export function readFixture(name: string): ReadConversation & { plainEvents: readonly unknown[] } {
  const fixture = FIXTURES.find((each) => each.name === name)
  const [conversation] = fixture ? readConversations(openSource(makeFile(fixture))) : []
  if (!conversation) throw new Error(`expected a conversation in ${name}`)
  return { ...conversation, plainEvents: conversation.events.map(({ event }) => event) }
}
