import { isClaudeCode, readClaudeCode } from './agents/claude-code.ts'
import { isCodex, readCodex } from './agents/codex.ts'
import { isGeminiCli, readGeminiCli } from './agents/gemini-cli.ts'
import { isPi, readPi } from './agents/pi.ts'
import type { FormatName } from './format-name.ts'
import { isJp, readJp } from './jp/read-jp.ts'
import { isLace, readLace } from './lace/read-lace.ts'
import { isLaceDatabase, readLaceDatabase } from './lace/read-lace-database.ts'
import { isAiSdk, readAiSdk } from './messages/ai-sdk.ts'
import { isAnthropic, readAnthropic } from './messages/anthropic.ts'
import { isOpenAi, readOpenAi } from './messages/openai.ts'
import type { ReadConversation } from './read-conversation.ts'
import type { Source, SplitSource } from './sources/source.ts'
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
  { name: 'claude-code', is: isClaudeCode, read: readClaudeCode },
  { name: 'codex', is: isCodex, read: readCodex },
  { name: 'gemini-cli', is: isGeminiCli, read: readGeminiCli },
  { name: 'pi', is: isPi, read: readPi },
  { name: 'ai-sdk', is: isAiSdk, read: readAiSdk },
  { name: 'anthropic', is: isAnthropic, read: readAnthropic },
  { name: 'openai', is: isOpenAi, read: readOpenAi },
]

/** Formats whose files are databases of SQLite. */
export const DATABASE_FORMATS: readonly DatabaseFormat[] = [
  { name: 'toolblocks-sqlite', is: isOwnDatabase, read: readOwnDatabase },
  { name: 'lace-sqlite', is: isLaceDatabase, read: readLaceDatabase },
]
