/** MCP hosts whose files are known. This list is a file of its own, because the help of every command reads only the names. */
export const HOST_NAMES = [
  'claude',
  'claude-desktop',
  'codex',
  'copilot',
  'gemini',
  'vscode',
  'cursor',
  'zed',
  'windsurf',
] as const

export type HostName = (typeof HOST_NAMES)[number]
