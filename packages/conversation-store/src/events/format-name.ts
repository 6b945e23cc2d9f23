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

/** How conversations were written: by which program, or for which API. */
export type FormatName = (typeof FORMAT_NAMES)[number]
