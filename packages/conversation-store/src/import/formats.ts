import type { FormatName } from './format-name.ts'
import { isJp, readJp } from './jp/read-jp.ts'
import type { ReadConversation } from './read-conversation.ts'
import type { SplitSource } from './source.ts'

interface Format {
  name: FormatName
  /** Looks at what the records say, never at names of files. */
  is(source: SplitSource): boolean
  read(source: SplitSource): readonly ReadConversation[]
}

/** Formats whose files are records. What is more particular comes first. */
export const FORMATS: readonly Format[] = [{ name: 'jp', is: isJp, read: readJp }]
