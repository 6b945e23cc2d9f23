import type { FormatName } from './format-name.ts'
import { isJp, readJp } from './jp/read-jp.ts'
import { isLace, readLace } from './lace/read-lace.ts'
import { isLaceDatabase, readLaceDatabase } from './lace/read-lace-database.ts'
import type { ReadConversation } from './read-conversation.ts'
import type { Source, SplitSource } from './source.ts'
import type { SqliteSource } from './sqlite/sqlite-source.ts'
import { isExport, readExport } from './toolblocks/read-export.ts'
import { isOwnDatabase, readOwnDatabase } from './toolblocks/read-own-database.ts'

interface RecordFormat {
  name: FormatName
  /** Looks at what the records say, never at names of files. */
  is(source: SplitSource): boolean
  read(source: SplitSource): readonly ReadConversation[]
}

interface DatabaseFormat {
  name: FormatName
  is(database: SqliteSource): boolean
  read(database: SqliteSource, source: Source): readonly ReadConversation[]
}

/** Formats whose files are records. What is more particular comes first. */
export const RECORD_FORMATS: readonly RecordFormat[] = [
  { name: 'jp', is: isJp, read: readJp },
  { name: 'toolblocks', is: isExport, read: readExport },
  { name: 'lace', is: isLace, read: readLace },
]

/** Formats whose files are databases of SQLite. */
export const DATABASE_FORMATS: readonly DatabaseFormat[] = [
  { name: 'toolblocks-sqlite', is: isOwnDatabase, read: readOwnDatabase },
  { name: 'lace-sqlite', is: isLaceDatabase, read: readLaceDatabase },
]
