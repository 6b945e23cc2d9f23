/** The formats that can be read. */
export const FORMAT_NAMES = [
  'jp',
  'lace',
  'lace-sqlite',
  'toolblocks',
  'toolblocks-sqlite',
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'copilot-cli',
  'opencode',
  'opencode-sqlite',
  'cline',
  'cursor',
  'chatgpt',
  'claude-ai',
  'pi',
  'ai-sdk',
  'openai',
  'anthropic',
  'gemini',
  'message-lines',
] as const

/** The format of a conversation: the program that wrote it, or the API it was written for. */
export type FormatName = (typeof FORMAT_NAMES)[number]
