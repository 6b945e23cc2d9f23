import type { FormatName } from '@toolblocks/conversation-store/import'

/** The names of all formats, without loading what reads them: `--help` and completion need no more. */
export const FORMATS: readonly FormatName[] = [
  'jp',
  'lace',
  'lace-sqlite',
  'toolblocks',
  'toolblocks-sqlite',
  'claude-code',
  'codex',
  'gemini-cli',
  'pi',
  'ai-sdk',
  'openai',
  'anthropic',
]
