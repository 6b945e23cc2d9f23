import { isClaudeCode, readClaudeCode } from './agents/claude-code.ts'
import { isCline, readCline } from './agents/cline.ts'
import { isCodex, readCodex } from './agents/codex.ts'
import { isCopilotCli, readCopilotCli } from './agents/copilot-cli.ts'
import { isCursor, isCursorExport, readCursor, readCursorExport } from './agents/cursor.ts'
import { isGeminiCli, readGeminiCli } from './agents/gemini-cli.ts'
import {
  isOpencode,
  isOpencodeDatabase,
  readOpencode,
  readOpencodeDatabase,
} from './agents/opencode.ts'
import { isPi, readPi } from './agents/pi.ts'
import { isQwenCode, readQwenCode } from './agents/qwen-code.ts'
import { isChatGpt, readChatGpt } from './exports/chatgpt.ts'
import { isClaudeAi, readClaudeAi } from './exports/claude-ai.ts'
import type { FormatName } from '../events/format-name.ts'
import { isJp, readJp } from './jp/read-jp.ts'
import { isLace, readLace } from './lace/read-lace.ts'
import { isLaceDatabase, readLaceDatabase } from './lace/read-lace-database.ts'
import { isAiSdk, readAiSdk } from './messages/ai-sdk.ts'
import { isAnthropic, readAnthropic } from './messages/anthropic.ts'
import { isGemini, readGemini } from './messages/gemini.ts'
import { isMessageLines, readMessageLines } from './messages/message-lines.ts'
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
  { name: 'qwen-code', is: isQwenCode, read: readQwenCode },
  { name: 'claude-code', is: isClaudeCode, read: readClaudeCode },
  { name: 'codex', is: isCodex, read: readCodex },
  { name: 'gemini-cli', is: isGeminiCli, read: readGeminiCli },
  { name: 'copilot-cli', is: isCopilotCli, read: readCopilotCli },
  { name: 'pi', is: isPi, read: readPi },
  { name: 'opencode', is: isOpencode, read: readOpencode },
  { name: 'cursor', is: isCursor, read: readCursor },
  { name: 'chatgpt', is: isChatGpt, read: readChatGpt },
  { name: 'claude-ai', is: isClaudeAi, read: readClaudeAi },
  { name: 'cline', is: isCline, read: readCline },
  { name: 'gemini', is: isGemini, read: readGemini },
  { name: 'ai-sdk', is: isAiSdk, read: readAiSdk },
  { name: 'anthropic', is: isAnthropic, read: readAnthropic },
  { name: 'openai', is: isOpenAi, read: readOpenAi },
  { name: 'message-lines', is: isMessageLines, read: readMessageLines },
]

/** Formats whose files are databases of SQLite. */
export const DATABASE_FORMATS: readonly DatabaseFormat[] = [
  { name: 'toolblocks-sqlite', is: isOwnDatabase, read: readOwnDatabase },
  { name: 'opencode-sqlite', is: isOpencodeDatabase, read: readOpencodeDatabase },
  { name: 'lace-sqlite', is: isLaceDatabase, read: readLaceDatabase },
]

interface TextFormat {
  name: FormatName
  is(source: Source): boolean
  read(source: Source): readonly ReadConversation[]
}

/** Formats whose files are texts for people. */
export const TEXT_FORMATS: readonly TextFormat[] = [
  { name: 'cursor', is: isCursorExport, read: readCursorExport },
]
